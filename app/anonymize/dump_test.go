package anonymize

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/internal/checkout"
)

// Go 1.27 prints a goroutine's labels behind its state, Go 1.26 within the brackets where GODEBUG asks for it. They are
// the program's own words and go; the state and the minutes, which detectors read, stay.
func TestLabelsOfDumps(t *testing.T) {
	const frames = "\nmain.wait()\n\t/srv/shop/main.go:3 +0x1d\n"
	for header, want := range map[string]string{
		`goroutine 18 [select, 2 minutes] {path: zebra}:`:                               "[select, 2 minutes]",
		`goroutine 18 [chan receive (leaked), locked to thread] {"a b": "[zebra]: {"}:`: "[chan receive (leaked), locked to thread]",
		`goroutine 18 gp=0xc000002380 m=nil [IO wait] {zebra: "x, 9 minutes, y"}:`:      "[IO wait]",
		`goroutine 18 [select, 2 minutes labels:{"k": "zebra, 9 minutes"}]:`:            "[select, 2 minutes]",
		`goroutine 18 [chan receive labels:{"user": "a]: [zebra]", "x": "y"}]:`:         "[chan receive]",
		`goroutine 18 [zebra labels:{"k": "select"}]:`:                                  "[waiting]",
		`goroutine 18 [GOMAXPROCS updater (idle)]:`:                                     "[GOMAXPROCS updater (idle)]",
		`goroutine 18 [GC mark termination]:`:                                           "[GC mark termination]",
	} {
		out, err := fixed(t).dump([]byte(header + frames))
		if got, _, _ := strings.Cut(string(out), "\n"); err != nil || got != "goroutine 18 "+want+":" ||
			strings.Contains(string(out), "zebra") {
			t.Errorf("%s became %q, %v; want the state %s and no label", header, out, err, want)
		}
	}
}

// A recorded dump of Go 1.27 keeps every goroutine with its state, and loses its labels.
func TestLabelsOfRecordedDump(t *testing.T) {
	for _, name := range []string{"goroutine.2.txt", "after.2.txt"} {
		data := checkout.File(t, "forms/labelled/go1.27.0."+name)
		labels := regexp.MustCompile(`(?m)\] \{(.+)\}:$`).FindAllStringSubmatch(string(data), -1)
		if len(labels) == 0 {
			t.Fatalf("%s has no labels", name)
		}
		out, err := fixed(t).dump(data)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range labels {
			if strings.Contains(string(out), l[1]) {
				t.Errorf("%s: the labels %s are in the copy", name, l[1])
			}
		}
		if before, after := goroutineStates(t, data), goroutineStates(t, out); !slices.Equal(before, after) {
			t.Errorf("%s: states\n%q became\n%q", name, before, after)
		}
	}
}

// A profile of labelled goroutines loses the labels, and is otherwise rewritten.
func TestLabelsOfProfile(t *testing.T) {
	labelled := func(data []byte) (n int) {
		p, err := profile.ParseData(data)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range p.Sample {
			n += len(s.Label)
		}
		return n
	}
	data := checkout.File(t, "forms/labelled/go1.27.0.goroutineleak.pb.gz")
	out, err := fixed(t).profile(data)
	if err != nil {
		t.Fatal(err)
	}
	if before, after := labelled(data), labelled(out); before == 0 || after != 0 {
		t.Errorf("%d labels became %d", before, after)
	}
}

// goroutineStates are the states of a dump's goroutines, in its order.
func goroutineStates(t *testing.T, dump []byte) (states []string) {
	t.Helper()
	s, err := stacks.NewTable("").Read(stacks.Source{Name: "dump"}, dump)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range s.Goroutines {
		states = append(states, g.State)
	}
	return states
}
