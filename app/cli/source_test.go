package cli_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestSourceLines: with the source at hand a finding shows its line, main.go:26 of hotCPU; without it, none.
func TestSourceLines(t *testing.T) {
	t.Parallel()
	var code strings.Builder
	for i := range 40 {
		fmt.Fprintf(&code, "\tcall%d()\n", i+1)
	}
	dir := folderOf(t, map[string]string{"go.mod": "module example.com/shop\n",
		"main.go": "package shop\n\nfunc f() {\n" + code.String()[len("\tcall1()\n\tcall2()\n\tcall3()\n"):] + "}\n"})
	const line, before, note = "26 call26()", "24 call24()", "does not say of which"
	for _, c := range []struct {
		args          []string
		want, notWant []string
	}{
		{nil, nil, []string{"call2", note}},
		{[]string{"--source", dir}, []string{line, note}, []string{before}},
		{[]string{"--source", dir, "--verbose"}, []string{before, "> " + line, note}, nil},
		{[]string{"--source", dir, "--markdown"}, []string{"> " + line, before}, nil},
		{[]string{"--source", dir, "--json"}, []string{`"first": 24`, `"\tcall26()"`}, nil},
		{[]string{"--json"}, nil, []string{`"first"`}},
		{[]string{"--list", "main.valid", "--source", dir}, []string{line, "own CPU", note}, []string{"is not here"}},
		{[]string{"--list", "main.valid"}, []string{"own CPU", "is not here"}, []string{"call26"}},
		{[]string{"--list", "main.valid", "--source", dir, "--json"}, []string{`"cpu": 0.703125`, `"line": 26`}, nil},
	} {
		r := inProcess(t, append([]string{"diagnose", hotCPU(t)}, c.args...)...)
		text := strings.Join(strings.Fields(r.out), " ")
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%v: want %q in\n%s", c.args, want, text)
			}
		}
		for _, not := range c.notWant {
			if strings.Contains(text, not) {
				t.Errorf("%v: want no %q in\n%s", c.args, not, text)
			}
		}
	}
}
