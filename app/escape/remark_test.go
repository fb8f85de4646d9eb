package escape

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// header is the first line of what the compiler writes of a file.
const header = `{"version":0,"package":"example.com/t","goos":"linux","goarch":"amd64","gc_version":"go1.26.8",` +
	`"file":"/t/t.go"}` + "\n"

// inlinedRemark is a line as Go 1.26 writes it: &T{n, n} of a function of one line that is inlined at 91.
const inlinedRemark = `{"range":{"start":{"line":91,"character":33},"end":{"line":91,"character":33}},"severity":3,` +
	`"code":"escape","source":"go compiler","message":"\u0026T{...} escapes to heap","relatedInformation":[` +
	`{"location":{"uri":"file:///t/u.go","range":{"start":{"line":92,"character":30}}},"message":"inlineLoc"},` +
	`{"location":{"uri":"file:///t/t.go","range":{"start":{"line":91,"character":33}}},` +
	`"message":"escflow:    flow: ~r0 ← \u0026{storage for \u0026T{...}}:"},` +
	`{"location":{"uri":"file:///t/u.go","range":{"start":{"line":92,"character":30}}},"message":"inlineLoc"},` +
	`{"location":{"uri":"file:///t/t.go","range":{"start":{"line":91,"character":33}}},` +
	`"message":"escflow:      from \u0026T{...} (spill)"},` +
	`{"location":{"uri":"file:///t/u.go","range":{"start":{"line":92,"character":30}}},"message":"inlineLoc"},` +
	`{"location":{"uri":"file:///t/t.go","range":{"start":{"line":91,"character":26}}},` +
	`"message":"escflow:      from return ~r0 (return)"}]}` + "\n"

func TestReadLog(t *testing.T) {
	var version string
	got, damaged, err := readLog(strings.NewReader(header+inlinedRemark+"{\"code\":\n\n"+inlinedRemark), &version)
	if err != nil || damaged != 1 || version != "go1.26.8" || len(got) != 2 {
		t.Fatalf("%d remarks, %d damaged, %q, %v; want 2, 1, go1.26.8", len(got), damaged, version, err)
	}
	r := got[0]
	if want := []Place{{"/t/u.go", 92, 30}, {"/t/t.go", 91, 33}}; !reflect.DeepEqual(r.At, want) {
		t.Errorf("it is at %v, want %v", r.At, want)
	}
	if r.subject() != "&T{...}" {
		t.Errorf("the subject is %q", r.subject())
	}
	want := []flow{{Into: "~r0", From: "&{storage for &T{...}}", Steps: []step{
		{"&T{...}", "spill", Place{"/t/u.go", 92, 30}}, {"return ~r0", "return", Place{"/t/t.go", 91, 26}}}}}
	if !reflect.DeepEqual(r.Flow, want) {
		t.Errorf("the flow is %+v, want %+v", r.Flow, want)
	}
}

// TestReadLogRefuses what is not the compiler's, and another version of it.
func TestReadLogRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"no JSON\n":        "does not begin as",
		`{"version":1}`:    "version 1",
		header + "\x00\n":  "",
		inlinedRemark:      "", // no header: no file, so it is damaged
		"":                 "",
		header + `[1,2,3]`: "",
	} {
		var version string
		remarks, _, err := readLog(strings.NewReader(text), &version)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%.40q: %v, want %q", text, err, want)
		}
		if len(remarks) > 0 {
			t.Errorf("%.40q: %d remarks", text, len(remarks))
		}
	}
}

// TestLongLine: a line beyond the bound is skipped, and what follows is read.
func TestLongLine(t *testing.T) {
	var version string
	long := `{"code":"` + strings.Repeat("x", maxLogLine) + "\"}\n"
	got, damaged, err := readLog(strings.NewReader(header+long+inlinedRemark), &version)
	if err != nil || damaged != 1 || len(got) != 1 {
		t.Errorf("%d remarks, %d damaged, %v; want 1, 1", len(got), damaged, err)
	}
}

func TestSink(t *testing.T) {
	at := Place{"/t/x.go", 12, 3}
	for _, c := range []struct {
		name    string
		into    string
		steps   []step
		call    string
		dynamic bool
		want    string
	}{
		{"returned", "~r0", []step{{"&t", "address-of", at}, {"return &t", "return", at}}, "", false,
			"is returned at x.go:12"},
		{"to a named result", "~r0", []step{{"&t", "address-of", at}}, "", false, "is returned at x.go:12"},
		{"passed to what is known", "{heap}", []step{{"f(&t)", "call parameter", at}}, "lib.F", false,
			"is passed to lib.F at x.go:12, which lets it escape"},
		{"passed to what is not known", "{heap}", []step{{"f(&t)", "call parameter", at}}, "w.Write", true,
			"is passed to w.Write at x.go:12, of which the compiler does not know what it keeps"},
		{"the call is not in the file", "{heap}", []step{{"(*sync.Mutex).lockSlow(sync.m)", "call parameter", at}}, "",
			false, "is passed to (*sync.Mutex).lockSlow at x.go:12, which lets it escape"},
		{"stored", "{heap}", []step{{"s.p = &T{...}", "assign", at}}, "", false, "is stored in s.p at x.go:12"},
		{"stored in what the compiler made", "{heap}", []step{{".autotmp_2 = m", "assign-pair", at}}, "", false,
			"is stored at x.go:12"},
		{"sent", "{heap}", []step{{"c <- (&T{})", "send", at}}, "", false, "is sent over the channel c at x.go:12"},
		{"too large", "{heap}", []step{{"b", "too large for stack", at}}, "", false, "is too large for the stack"},
		{"a word of a later compiler", "{heap}", []step{{"b", "moved by moonlight", at}}, "", false,
			"escapes (moved by moonlight) at x.go:12"},
		{"nothing", "", nil, "", false, "escapes"},
	} {
		r := &remark{Flow: []flow{{Into: c.into, Steps: c.steps}}}
		if got := sinkOf(r).say(c.call, c.dynamic); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// FuzzReadLog: whatever a file has in it, it is read without a panic, and no remark is without a place.
func FuzzReadLog(f *testing.F) {
	f.Add(header + inlinedRemark)
	f.Add(header + `{"range":{"start":{"line":-1}},"code":"escape","message":"x escapes to heap"}`)
	f.Add(header + `{"range":{"start":{"line":1}},"code":"escape","relatedInformation":[` +
		`{"location":{"uri":"file://%zz"},"message":"inlineLoc"},{"message":"escflow: from x ("},{"message":"escflow:    flow: "}]}`)
	f.Add(header + strings.Repeat("[", 2000))
	f.Fuzz(func(t *testing.T, text string) {
		var version string
		remarks, _, _ := readLog(strings.NewReader(text), &version)
		for i := range remarks {
			r := &remarks[i]
			if len(r.At) == 0 || r.At[0].Line < 1 || r.Code == "" {
				t.Errorf("a remark without a place: %+v", r)
			}
			sinkOf(r).say("", false)
			r.steps()
			kindOf(r.subject())
		}
	})
}

// TestCompilers: the compilers of the Go releases that are here say the same of a small program, in the same form.
func TestCompilers(t *testing.T) {
	dir := module(t, "cases")
	ran := 0
	for _, release := range []string{"local", "go1.25.0", "go1.27.0"} {
		t.Run(release, func(t *testing.T) {
			cmd := exec.Command("go", "env", "GOROOT")
			cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOTOOLCHAIN="+release, "GOPROXY=off")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Skipf("it is not on this machine: %s", out)
			}
			ran++
			out := t.TempDir()
			cmd = exec.Command("go", "build", "-o", os.DevNull, "-gcflags=example.com/cases=-json=0,"+out, ".")
			cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOTOOLCHAIN="+release, "GOPROXY=off")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			c := &compiled{}
			if err := c.readLogs(out); err != nil || len(c.gaps) > 0 {
				t.Fatal(err, c.gaps)
			}
			flows := 0
			for i := range c.remarks {
				r := &c.remarks[i]
				if r.subject() != "" && filepath.Base(r.At[0].File) == "main.go" && len(r.Flow) > 0 {
					flows++
					if s := sinkOf(r); s.into == "" {
						t.Errorf("%s: its flow has no end: %+v", r.Message, r.Flow)
					}
				}
			}
			if flows < 35 || release != "local" && c.version != release {
				t.Errorf("%d flows of %s, want 35 of %s", flows, c.version, release)
			}
		})
	}
	if ran == 0 {
		t.Skip("none of the releases is on this machine")
	}
}
