package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"github.com/gocasebook/casebook/app/gate"
)

// gateOutput says where a result goes, in addition to standard output.
type gateOutput struct {
	json, quiet     bool
	junit, markdown string
}

func (o *gateOutput) write(out io.Writer, res *gate.Result) error {
	for _, form := range []struct {
		flag, file string
		write      func(io.Writer, *gate.Result) error
	}{{"--junit", o.junit, gate.JUnit}, {"--markdown", o.markdown, gate.Markdown}} {
		if form.file == "" {
			continue
		}
		var b bytes.Buffer
		err := form.write(&b, res)
		if err == nil {
			err = os.WriteFile(form.file, b.Bytes(), 0o644)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", form.flag, err)
		}
	}
	if o.json {
		return writeJSON(out, res)
	}
	return gate.Text(out, res)
}
