package known_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/diagnose/known"
)

// TestAdvices holds that each row can be read, and that no two say the same of the same functions.
func TestAdvices(t *testing.T) {
	all, err := known.Advices()
	if err != nil || len(all) == 0 {
		t.Fatalf("%d rows, %v", len(all), err)
	}
	at := map[string]string{}
	for _, a := range all {
		key := a.Modules[0].Path + " " + string(a.About) + " " + a.Subject + " " + strings.Join(a.At, " ") + " " +
			strings.Join(a.Below, " ") + " " + strings.Join(a.Stays, " ")
		if first := at[key]; first != "" {
			t.Errorf("%s is the same row as %s", a.Line, first)
		}
		at[key] = a.Line
		for _, do := range a.Do {
			if title, _ := known.Titled(do); len(title) > 120 {
				t.Errorf("%s: the remedy's title has %d bytes: %q", a.Line, len(title), title)
			}
		}
	}
}

// TestAdviceOf holds how functions find their rows: closures, instances and escaped paths are of the function.
func TestAdviceOf(t *testing.T) {
	const write = "github.com/segmentio/kafka-go.(*Writer).WriteMessages"
	for name, want := range map[string]bool{
		write: true, write + ".func1": true, write + "Later": false,
		"example.com/kafka-go.(*Writer).WriteMessages": false,
		"main.main": false,
	} {
		got := slices.ContainsFunc(known.AdviceOf(name).At, func(a *known.Advice) bool {
			return a.Subject == "Writer.BatchTimeout 1s" && a.Show(known.Waiting)
		})
		if got != want {
			t.Errorf("%s: found %v, want %v", name, got, want)
		}
	}
}

// TestTitled: what a title says is not said again.
func TestTitled(t *testing.T) {
	long := "Keep one client for the process and hand it to all who ask, made at start with the settings that it needs; " +
		"then Close it"
	for do, want := range map[string][2]string{
		"Close it: defer pool.Close().": {"Close it", "defer pool.Close()."},
		"Close the pool.":               {"Close the pool", ""},
		long:                            {"Keep one client for the process", long},
	} {
		if title, how := known.Titled(do); title != want[0] || how != want[1] {
			t.Errorf("%q: %q, %q", do, title, how)
		}
	}
}

const goodRow = `module example.com/a.v2 v2.1.0
also example.com/b v1.0.0

# The pool.
end Close
at .(*Pool).Get /inner.New*
stays .(*Pool).run
says the pool stays
why It has a goroutine.
do Close it: defer pool.Close().
source pool.go
holds v2.0.0 v2.3.0
`

// TestParseAdvices holds what is a row and what is none, each with where and why.
func TestParseAdvices(t *testing.T) {
	rows, wrong := known.ParseAdvices("x.txt", goodRow)
	if len(rows) != 1 || len(wrong) != 0 {
		t.Fatalf("%d rows, %q", len(rows), wrong)
	}
	a := rows[0]
	if len(a.Modules) != 2 || a.Line != "x.txt:5" || !a.Show(known.Holding) || !a.Show(known.Staying) ||
		a.Show(known.OnCPU) || a.Modules[0].Named(a.At[1]) != "example.com/a.v2/inner.New*" {
		t.Errorf("read as %+v", a)
	}
	for version, want := range map[string]bool{"v2.0.0": true, "v2.2.9": true, "v2.3.0": false, "v1.9.0": false, "": true,
		"v2.4.0-rc.1": true} {
		if a.HoldsFor(version) != want {
			t.Errorf("%q: holds %v", version, !want)
		}
	}
	for change, why := range map[string]string{
		"says the pool stays":    "no \"says\"",
		"source pool.go":         "no \"source\"",
		"why It has a goroutine": "no \"why\"",
		"end Close":              "begins with",
	} {
		rows, wrong := known.ParseAdvices("x.txt", strings.Replace(goodRow, change, "# "+change, 1))
		if len(rows) != 0 || len(wrong) == 0 || !strings.Contains(strings.Join(wrong, "\n"), why) {
			t.Errorf("without %q: %d rows, %q, want %q", change, len(rows), wrong, why)
		}
	}
	_, wrong = known.ParseAdvices("x.txt", goodRow[strings.Index(goodRow, "# The pool"):])
	if len(wrong) != 1 || !strings.Contains(wrong[0], "before any module") {
		t.Errorf("without a module: %q", wrong)
	}
	for _, line := range []string{"says once more", "colour blue", "seen everywhere", "do"} {
		if _, wrong := known.ParseAdvices("x.txt", goodRow+line+"\n"); len(wrong) == 0 {
			t.Errorf("%q is accepted", line)
		}
	}
}

// TestFaultHolds holds that a fault is one of the releases that have it alone.
func TestFaultHolds(t *testing.T) {
	a := known.Advice{About: known.AboutFault, Subject: "v1.2.0 v1.4.1"}
	for version, want := range map[string]bool{"v1.1.9": false, "v1.2.0": true, "v1.4.0": true, "v1.4.1": false, "": false} {
		if a.HoldsFor(version) != want {
			t.Errorf("%q: holds %v", version, !want)
		}
	}
	a.Subject = "go1.25.2"
	if !a.HoldsFor("go1.24.9") || a.HoldsFor("go1.25.2") {
		t.Error("Go's releases")
	}
}
