package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/openfile"
	"github.com/gocasebook/casebook/instance"
)

// worded says what a use case returned in the words of the command line: the next step names commands and flags, which
// the packages below do not know.
func worded(err error) error {
	if err == nil {
		return nil
	}
	if all, ok := allOf(err); ok {
		out := make([]error, len(all))
		for i, e := range all {
			out[i] = worded(e)
		}
		return errors.Join(out...)
	}
	switch e := err.(type) {
	case *casework.TargetError:
		return fmt.Errorf("target %s: %w", casework.Shown(e.URL), worded(e.Err))
	case *casework.SettingError:
		return fmt.Errorf("--%s: %w", e.Setting, worded(e.Err))
	case *assess.NoBaseError:
		return worded(errors.Join(append(slices.Clone(e.Failed),
			errors.New("--base: no evidence could be read; nothing to compare with"))...))
	}
	if next := nextStep(err); next != "" {
		return fmt.Errorf("%w%s", err, next)
	}
	return err
}

// allOf returns the errors that errors.Join put together.
func allOf(err error) ([]error, bool) {
	list, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return nil, false
	}
	all := list.Unwrap()
	texts := make([]string, len(all))
	for i, e := range all {
		texts[i] = e.Error()
	}
	return all, err.Error() == strings.Join(texts, "\n") // otherwise it is fmt.Errorf with two %w
}

// noHeapDump is what to do about a service without a page for heap dumps.
const noHeapDump = "; mount casebook.HeapDumpHandler in the service at " + instance.HeapDumpPage + ", or write a " +
	"dump there with casebook.WriteHeapDump or Config.HeapDumpAtEnd and read it: casebook heap FILE. Without a " +
	"change of the service: grf attach PID (github.com/cloudwego/goref), then casebook diagnose grf.out heap.pb.gz"

// nextStep returns what to do about an error, to be printed behind it; "" if its text says that or nothing is known.
func nextStep(err error) string {
	var many *assess.ManyCasesError
	var none *casework.NoCaseError
	var other *openfile.NotFileError
	var price *casework.PriceError
	switch {
	case errors.As(err, &price):
		return "; --yes accepts that"
	case errors.Is(err, instance.ErrNoHeapDump):
		return noHeapDump
	case errors.As(err, &many):
		return ", for instance " + many.Cases[len(many.Cases)-1]
	case errors.Is(err, assess.ErrOnlyFiles):
		return "; casebook diagnose --base OLD - reads it from standard input"
	case errors.As(err, &none):
		return "; `casebook watch` creates cases, --dir says where they are"
	case errors.As(err, &other) && other.Mode&fs.ModeNamedPipe != 0:
		return fmt.Sprintf("; where a command takes - for standard input: … - < %s", other.Name)
	}
	return ""
}
