// Package golden compares what a test made with a file of the repository, a page of docs/ or a file of testdata, and
// writes the file again with -update. Only tests import it: it has the flag.
package golden

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "write the files that tests compare with anew")

// Updating says whether files are to be written: for tests that compare in another way than Is.
func Updating() bool { return *update }

// Is fails the test when a file is not as made, or missing. With -update it writes the file.
func Is(t testing.TB, file, made string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(made), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	if string(have) != made {
		t.Errorf("%s is out of date (%v): go test -run '%s' -update writes it. Made:\n%s\nThe file has:\n%s",
			file, err, t.Name(), made, have)
	}
}
