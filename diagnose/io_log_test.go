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

// TestAudience: many connections explain many writes only where each may get one of them.
func TestAudience(t *testing.T) {
	asked := &traffic{asked: 1}
	for _, tt := range []struct {
		name  string
		a     audience
		p     *pieces
		times float64
		want  bool
	}{
		{"a chat of 120", audience{peers: 124}, &pieces{traffic: asked}, 58, true},
		{"the same, where each read finds something", audience{peers: 124}, &pieces{traffic: asked}, 119, true},
		{"lines of an answer to each of 32", audience{peers: 35}, &pieces{traffic: asked}, 60, false},
		{"one connection", audience{peers: 1}, &pieces{traffic: asked}, 60, false},
		{"a feed that nobody asks", audience{peers: 100, web: 2}, &pieces{traffic: &traffic{}}, 1500, true},
		{"a feed beside an HTTP server", audience{peers: 100, web: 60},
			&pieces{traffic: &traffic{counts: ioCounts{reads: 4000}}}, 1500, true},
		{"counters to one server", audience{peers: 4, web: 60}, &pieces{traffic: &traffic{}}, 340, false},
		{"many a request, to few", audience{peers: 10}, &pieces{traffic: &traffic{}, request: 1}, 40, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.a.explains(tt.p, tt.times); got != tt.want {
				t.Errorf("explains is %v, want %v", got, tt.want)
			}
		})
	}
}
