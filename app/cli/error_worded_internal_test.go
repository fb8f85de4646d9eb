package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/openfile"
)

// This package adds flags and commands to errors of use cases, also one by one in a joined error, and errors.Is still
// works.
func TestWorded(t *testing.T) {
	pipe := &openfile.NotFileError{Name: "fifo", Mode: fs.ModeNamedPipe}
	taken := errors.New("the address is in use")
	for _, c := range []struct {
		err  error
		want string
	}{
		{&casework.NoCaseError{Dir: "x"}, "no case in x; `casebook watch` creates cases, --dir says where they are"},
		{fmt.Errorf("importing: %w", pipe),
			"importing: fifo is a pipe, not a file; where a command takes - for standard input: … - < fifo"},
		{&openfile.NotFileError{Name: "x", Mode: fs.ModeDir}, "x is a folder, not a file"},
		{&casework.SettingError{Setting: "expvar", Err: taken}, "--expvar: the address is in use"},
		{&casework.TargetError{URL: "a:1", Err: &casework.SettingError{Setting: "kinds", Err: taken}},
			"target a:1: --kinds: the address is in use"},
		{errors.Join(taken, &assess.ManyCasesError{Dir: "x", Cases: []string{"x/a", "x/b"}}),
			"the address is in use\nx holds 2 cases, each with its own process and time; name one, for instance " +
				"x/b"},
		{&assess.NoBaseError{Failed: []error{taken}},
			"the address is in use\n--base: no evidence could be read; nothing to compare with"},
		{assess.ErrOnlyFiles, "compare reads evidence only from files; " +
			"casebook diagnose --base OLD - reads it from standard input"},
		{taken, "the address is in use"},
	} {
		if got := worded(c.err).Error(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	if err := worded(command.ErrFindings); !errors.Is(err, command.ErrFindings) {
		t.Errorf("%v, want the error that is the exit code", err)
	}
	if err := worded(nil); err != nil {
		t.Errorf("%v of nothing", err)
	}
}
