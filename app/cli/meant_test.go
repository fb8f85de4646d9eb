package cli_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/cli"
)

func TestSaysWhatWasMeant(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"wach", `unknown command "wach"; did you mean watch?`},
		{"daignose x", "did you mean diagnose?"},
		{"watch --intervall 1s x", "did you mean --interval?"},
		{"load --raet 5 http://127.0.0.1:1", "did you mean --rate?"},
		{"case lss", "did you mean ls?"},
		{"rules chek", "did you mean check?"},
		{"rules tst", "did you mean test?"},
		{"completion bsh", "did you mean bash or zsh?"},
		{"frobnicate", "unknown command \"frobnicate\"\n  See 'casebook --help'"}, // nothing similar
		{"watch --frobnicate x", "unknown flag: --frobnicate\n  See"},
	} {
		var out, errs bytes.Buffer
		if code := cli.Run(t.Context(), strings.Fields(c.args), &out, &errs); code != 2 {
			t.Errorf("casebook %s: exit code %d, want 2", c.args, code)
		}
		if !strings.Contains(errs.String(), c.want) {
			t.Errorf("casebook %s says %q, want %q in it", c.args, errs.String(), c.want)
		}
	}
}
