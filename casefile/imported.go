package casefile

import (
	"bytes"
	"os"
	"time"
)

// The time when a case came out of a zip is noted next to it, in a hidden file, and not in case.json: that stays what
// its sender made of it. The file does not travel, so nobody can send one.

func markImported(root *os.Root, now time.Time) error {
	return writeFile(root, importName, bytes.NewReader([]byte(now.UTC().Format(time.RFC3339Nano)+"\n")))
}

// importedAt is the zero time for a case that was taken here. Of a mark that somebody damaged it is the file's time.
func importedAt(path string) time.Time {
	root, err := os.OpenRoot(path)
	if err != nil {
		return time.Time{}
	}
	defer root.Close()
	info, err := root.Lstat(importName)
	if err != nil {
		return time.Time{}
	}
	text, err := readFile(root, importName, 100)
	if err == nil {
		if t, err := time.Parse(time.RFC3339, string(bytes.TrimSpace(text))); err == nil {
			return t.UTC()
		}
	}
	return info.ModTime().UTC()
}
