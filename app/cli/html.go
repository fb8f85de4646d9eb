package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gocasebook/casebook/app/prove/child"
	"github.com/gocasebook/casebook/app/report"
)

// checkWritable finds out before a measurement, not after it, that the file of a flag cannot be written.
func checkWritable(flag, path string) error {
	if path == "" {
		return nil
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s: %s is not a regular file: give another name", flag, path)
	}
	probe, err := os.CreateTemp(filepath.Dir(path), ".casebook-*")
	if err != nil {
		return fmt.Errorf("%s: %w: give a file in a folder that exists and is writable", flag, err)
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// writeComparison writes the page of a measurement. URLs and commands may say what others need not know, so that only
// the user can read it.
func writeComparison(path string, c report.Comparison) error {
	var b bytes.Buffer
	err := report.WriteComparison(&b, c)
	if err == nil {
		err = os.WriteFile(path, b.Bytes(), 0o600)
	}
	if err != nil {
		return fmt.Errorf("--html: %w", err)
	}
	return nil
}

// thisCommand returns the command line of this run, so that the user can repeat it.
func thisCommand() string {
	return child.Join(append([]string{"casebook"}, os.Args[1:]...))
}
