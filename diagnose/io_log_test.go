package diagnose

import (
	"strings"
	"testing"

	"github.com/gocasebook/casebook/diagnose/traces"
)

// TestLogs: a type of the program's own that a logger writes to is part of the logger; a handler below a middleware is
// not.
func TestLogs(t *testing.T) {
	r := &Reading{lineWriters: func() map[string]bool { return nil }}
	for stack, want := range map[string]bool{
		"syscall.write go.uber.org/zap/zapcore.(*ioCore).Write main.handle":                         true,
		"net.(*conn).Write main.(*agent).Write go.uber.org/zap/zapcore.(*ioCore).Write main.handle": true,
		"net.(*conn).Write main.send main.(*agent).Write log.(*Logger).output main.handle":          true,
		"net.(*conn).Write main.handle github.com/rs/zerolog/hlog.NewHandler.func1.1":               false,
		"net.(*conn).Write main.(*user).MarshalJSON log/slog.(*JSONHandler).Handle main.handle":     false,
		"net.(*conn).Write main.handle": false,
	} {
		if got := logs(r, stackOf(stack)); got != want {
			t.Errorf("%s: %v, want %v", stack, got, want)
		}
	}
}

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
