package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/gate"
)

// gateOutput says where a result goes, in addition to standard output.
type gateOutput struct {
	json, quiet                     bool
	junit, sarif, quality, markdown string
}

// A gateForm is a file that a result is written to.
type gateForm struct {
	flag, file string
	write      func(io.Writer, *gate.Result) error
}

func (o *gateOutput) forms() []gateForm {
	sarif := func(w io.Writer, r *gate.Result) error { return gate.SARIF(w, r, command.Version()) }
	return []gateForm{{"--junit", o.junit, gate.JUnit}, {"--sarif", o.sarif, sarif},
		{"--codequality", o.quality, gate.Quality}, {"--markdown", o.markdown, gate.Markdown}}
}

// check says before anything is measured what could not be written.
func (o *gateOutput) check() error {
	var errs []error
	for _, form := range o.forms() {
		errs = append(errs, command.CheckWritable(form.flag, form.file))
	}
	return errors.Join(errs...)
}

func (o *gateOutput) write(out io.Writer, res *gate.Result) error {
	for _, form := range o.forms() {
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
