package diagnose

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// TestVersionOf: where a function's release stands, and where nothing says it.
func TestVersionOf(t *testing.T) {
	const jwt = "github.com/golang-jwt/jwt/v5"
	for file, want := range map[string]string{
		"/root/go/pkg/mod/" + jwt + "@v5.2.1/parser.go":                        "v5.2.1",
		jwt + "@v5.2.1/parser.go":                                              "v5.2.1", // -trimpath
		"/build/.cache/mod/" + jwt + "@v5.2.1/parser.go":                       "v5.2.1",
		`C:\Users\me\go\pkg\mod\github.com\golang-jwt\jwt\v5@v5.2.1\parser.go`: "v5.2.1",
		"/src/app/vendor/" + jwt + "/parser.go":                                "",
		"/src/jwt/parser.go":                                                   "",
		"/root/go/pkg/mod/github.com/acme/jwt/v5@v5.2.1/parser.go":             "",
		"/root/go/pkg/mod/github.com/golang-jwt/jwt/v4@v4.5.1/parser.go":       "",
	} {
		if got := versionAt(t, jwt+".(*Parser).ParseUnverified", file, "go1.26.1", jwt); got != want {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
	for file, want := range map[string]string{
		"/usr/local/go/src/net/mail/message.go": "go1.25.1",
		"net/mail/message.go":                   "go1.25.1",
		"/root/go/pkg/mod/golang.org/toolchain@v0.0.1-go1.24.7.linux-amd64/src/net/mail/message.go": "go1.24.7",
	} {
		got := versionAt(t, "net/mail.(*addrParser).consumeComment", file, "go1.25.1 X:nogreenteagc", known.GoItself)
		if got != want {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
	if got := versionAt(t, "main.f", "/src/main.go", "go1.25.1", known.GoItself); got != "" {
		t.Errorf("the user's function is of Go %q", got)
	}
}

func versionAt(t *testing.T, name, file, goVersion, module string) string {
	t.Helper()
	r, _ := read(context.Background(), Input{Evidence: []Evidence{{Name: "cpu.pb.gz",
		Data: framesProfile(t, cpuTypes(), map[string]int64{name + "|" + file: 200})}}})
	for i := range r.Table.Funcs {
		if r.Table.Funcs[i].Name == name {
			return versionOf(&r.Table.Funcs[i], goVersion, module)
		}
	}
	t.Fatalf("%s is not in the table", name)
	return ""
}

func cpuTypes() []*profile.ValueType {
	return []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}}
}

func heapTypes() []*profile.ValueType {
	return []*profile.ValueType{{Type: "alloc_objects", Unit: "count"}, {Type: "alloc_space", Unit: "bytes"},
		{Type: "inuse_objects", Unit: "count"}, {Type: "inuse_space", Unit: "bytes"}}
}

// framesProfile is a profile of stacks, whose frames are "function|file", the leaf first: ticks of 10 ms of CPU, or
// live bytes in objects of 1 KiB.
func framesProfile(t *testing.T, types []*profile.ValueType, of map[string]int64) []byte {
	t.Helper()
	p := &profile.Profile{SampleType: types, PeriodType: types[1], Period: 1e7}
	if len(types) > 2 {
		p.PeriodType, p.Period = &profile.ValueType{Type: "space", Unit: "bytes"}, stacks.DefaultRate
	}
	for stack, n := range of {
		s := &profile.Sample{Value: []int64{n, n * 1e7}}
		if len(types) > 2 {
			s.Value = []int64{n >> 10, n, n >> 10, n}
		}
		for frame := range strings.FieldsSeq(stack) {
			name, file, _ := strings.Cut(frame, "|")
			fn := &profile.Function{ID: uint64(len(p.Function) + 1), Name: name, Filename: file}
			l := &profile.Location{ID: fn.ID, Line: []profile.Line{{Function: fn, Line: 7}}}
			p.Function, p.Location, s.Location = append(p.Function, fn), append(p.Location, l), append(s.Location, l)
		}
		p.Sample = append(p.Sample, s)
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
