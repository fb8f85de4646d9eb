package diagnose

import (
	"strings"

	"github.com/gocasebook/casebook/diagnose/traces"
)

// stackOf is the stack of a trace from names, the innermost first; a name may have a line: "main.ask:30".
func stackOf(names string) (s traces.Stack) {
	for name := range strings.FieldsSeq(names) {
		name, line, found := strings.Cut(name, ":")
		f := traces.Frame{Function: name, File: goFile(name), Line: 7}
		if found {
			f.Line = int(line[0]-'0')*10 + int(line[1]-'0')
		}
		s = append(s, f)
	}
	return s
}
