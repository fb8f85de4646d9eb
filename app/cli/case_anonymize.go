package cli

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook/app/anonymize"
	"github.com/gocasebook/casebook/app/openfile"
	"github.com/gocasebook/casebook/app/render"
)

// exportText explains what --anonymize does, for the help of case export.
const exportText = `Export writes one case to a zip, as it is: with the names of functions and
files, labels, addresses, and the argument values in goroutine dumps.

With --anonymize it writes a copy that you can show to strangers. Names of
functions, packages and files are replaced by stand-ins, the same stand-in for
the same name. Names from the standard library stay, and so do names below each
--keep. Labels, URLs, notes, error texts and argument values are removed.
Execution traces, pages of metrics, proofs, opinions and attachments are left
out, and export lists them. The copy gets a new diagnosis, a new report.html and
a new ID.

Stand-ins are made with a random key, so two exports have none in common. With
the same --key-file they have the same stand-ins. Whoever has the key can test
whether a name is in the export: keep it secret.`

// anonymizeFlags are the flags of case export that decide what a stranger may see.
type anonymizeFlags struct {
	on      bool
	keep    []string
	keyFile string
}

func (f *anonymizeFlags) add(flags *pflag.FlagSet) {
	flags.BoolVar(&f.on, "anonymize", false, "write a copy without the program's own names, labels, URLs and texts")
	flags.StringArrayVar(&f.keep, "keep", nil, "with --anonymize: keep the names of packages at or below this "+
		"import `path`; repeatable")
	flags.StringVar(&f.keyFile, "key-file", "", "with --anonymize: make stand-ins with the key in this `file`, 16 "+
		"bytes or more")
}

// check refuses flags that would do nothing: somebody who gives them believes that the case is anonymized.
func (f *anonymizeFlags) check() error {
	switch {
	case f.on:
		return nil
	case len(f.keep) > 0:
		return errors.New("--keep is for --anonymize; without it every name is exported")
	case f.keyFile != "":
		return errors.New("--key-file is for --anonymize; without it every name is exported")
	}
	return nil
}

// options returns how to anonymize; nil without --anonymize.
func (f *anonymizeFlags) options() (*anonymize.Options, error) {
	if err := f.check(); err != nil || !f.on {
		return nil, err
	}
	o := &anonymize.Options{Keep: f.keep}
	if f.keyFile == "" {
		return o, nil
	}
	key, err := openfile.ReadSmall(f.keyFile)
	if err != nil {
		return nil, fmt.Errorf("--key-file: %w", err)
	}
	if len(key) < anonymize.MinKey {
		return nil, fmt.Errorf("--key-file: %s has %d bytes, want %d or more: head -c 32 /dev/urandom > FILE",
			f.keyFile, len(key), anonymize.MinKey)
	}
	o.Key = key
	return o, nil
}

// leftOut prints what is not in an anonymized copy.
func leftOut(progress io.Writer) func([]string) {
	return func(names []string) {
		fmt.Fprintf(progress, "anonymized; times, numbers and standard library names stay. Not in the copy:\n")
		for _, name := range names {
			fmt.Fprintf(progress, "  %s\n", render.Plain(name))
		}
	}
}
