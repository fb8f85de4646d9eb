package cli

import (
	"bytes"
	"fmt"
	"os"

	"github.com/gocasebook/casebook/app/child"
	"github.com/gocasebook/casebook/app/report"
)

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
