package mcp

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
)

// mostFiles bounds the code of a plan.
const mostFiles = 200_000

// errManyFiles says that a folder is not one program's.
var errManyFiles = fmt.Errorf("the folder of --source has more than %d files; name the folder of one module", mostFiles)

// sourceState tells whether the code is what it was: a hash of the names, sizes and times of all files, and of what git
// has checked out. What a plan builds is what was there when it was made.
func sourceState(dir string) (string, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", fmt.Errorf("--source: %w", err)
	}
	defer root.Close()
	h, files := sha256.New(), 0
	err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist): // gone since its folder was read: the next state is another
			return nil
		case err != nil:
			return err
		case d.IsDir() && !counts(name):
			return fs.SkipDir
		case d.IsDir(), !countsFile(name):
			return nil
		}
		if files++; files > mostFiles {
			return errManyFiles
		}
		info, err := d.Info()
		if err == nil {
			fmt.Fprintf(h, "%q %d %d %s\n", name, info.Size(), info.ModTime().UnixNano(), info.Mode())
		}
		return nil
	})
	if err != nil {
		return "", fmt.Errorf("reading the folder of --source: %w", err)
	}
	return hex.EncodeToString(h.Sum(nil)[:16]), nil
}

// counts leaves out what git writes while it only reads: of its folder the heads of branches count.
func counts(dir string) bool {
	rest, in := strings.CutPrefix(dir, ".git/")
	return !in || rest == "refs" || strings.HasPrefix(path.Clean(rest), "refs/")
}

func countsFile(name string) bool {
	rest, in := strings.CutPrefix(name, ".git/")
	return !in || rest == "HEAD" || rest == "packed-refs" || strings.HasPrefix(rest, "refs/")
}
