package settle

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/facts"
	"github.com/gocasebook/casebook/casefile"
)

// desks is a program in which requests wait for goroutines: each line of a test names what stands there.
const desks = `package desks

import (
	"context"
	"sync"
	"time"
)

type job struct {
	key  string
	done chan error
}

type office struct {
	jobs    chan job
	lanes   [4]chan job
	owners  []*owner
	mu      sync.Mutex
	changed *sync.Cond
	kept    int
	berths  chan struct{}
	seats   chan bool
	stands  chan bool
	tried   int
}

type owner struct{ jobs chan job }

func open(n int) *office {
	o := &office{jobs: make(chan job, 100)}
	for range n {
		go o.work()
	}
	for i := range o.lanes {
		go o.serve(o.lanes[i])
	}
	go o.round()
	return o
}

func (o *office) ask(key string) error {
	j := job{key, make(chan error, 1)}
	o.jobs <- j
	return <-j.done // asks
}

func (o *office) work() {
	for j := range o.jobs { // idle
		j.done <- call() // works
	}
}

func (o *office) deal(country string) error {
	t := job{country, make(chan error, 1)}
	o.lanes[len(country)%4] <- t
	return <-t.done // deals
}

func (o *office) serve(lane chan job) {
	for j := range lane { // free
		j.done <- call() // serves
	}
}

func (o *office) pass() error {
	answers := make(chan error, 1)
	go relay(make(chan error), answers)
	return <-answers // passes
}

func relay(from chan error, to chan<- error) {
	to <- <-from // relays
}

func (o *office) round() {
	for {
		for _, w := range o.owners {
			o.flush(w) // rounds
		}
	}
}

func (o *office) flush(w *owner) {
	j := <-w.jobs
	err := call() // flushes
	j.done <- err
}

func (o *office) keep(n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.kept < n {
		o.changed.Wait() // keeps
	}
}

func (o *office) tell() { o.changed.Signal() }

func (o *office) enter(ctx context.Context) error {
	select {
	case o.berths <- struct{}{}: // enters
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (o *office) leave() { <-o.berths }

func (o *office) unload(ctx context.Context) error {
	if err := o.enter(ctx); err != nil {
		return err
	}
	if err := call(); err != nil { // unloads
		return err
	}
	o.leave()
	return nil
}

func (o *office) sit(ctx context.Context) error {
	<-o.seats // sits
	defer o.rise()
	return call()
}

func (o *office) rise() { o.seats <- true }

func (o *office) stand() bool {
	<-o.stands // stands
	if call() != nil {
		return false
	}
	o.stands <- true
	return true
}

func call() error { return nil }

func (o *office) isKept(n int) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.kept >= n
}

func (o *office) put() { o.kept++ }

func (o *office) poll(n int) {
	for !o.isKept(n) {
		time.Sleep(time.Second) // polls
	}
}

func (o *office) retry() {
	for o.tried < 3 {
		o.try()
		time.Sleep(time.Second) // retries
	}
}

func (o *office) try() { o.tried++ }
`

// TestWhoEnds holds what is said of requests that wait for goroutines of the program, by how many of these there are and
// what they do.
func TestWhoEnds(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module desks\n\ngo 1.25\n", "desks.go": desks} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	type crowd struct {
		marks, functions, thing string // leaf first
		n                       []int64
	}
	line := func(mark string) int {
		before, _, ok := strings.Cut(desks, "// "+mark+"\n")
		if !ok {
			t.Fatalf("no line is marked %q", mark)
		}
		return 1 + strings.Count(before, "\n")
	}
	for _, test := range []struct {
		name   string
		crowds []crowd // the first one waits
		want   string  // of the remedy; "": nothing is said
	}{
		{"all busy", []crowd{{"asks", "(*office).ask", facts.ForChannel, []int64{30, 40}},
			{"works", "(*office).work", facts.ForAnswer, []int64{4, 4}}}, `Start more than 4 of work at :\d+ \(n\)`},
		{"one is idle", []crowd{{"asks", "(*office).ask", facts.ForChannel, []int64{30, 40}},
			{"works", "(*office).work", facts.ForAnswer, []int64{3, 3}},
			{"idle", "(*office).work", facts.ForChannel, []int64{1, 1}}}, ""},
		{"as many as wait", []crowd{{"asks", "(*office).ask", facts.ForChannel, []int64{4, 5}},
			{"works", "(*office).work", facts.ForAnswer, []int64{4, 4}}}, ""},
		{"their number changes", []crowd{{"asks", "(*office).ask", facts.ForChannel, []int64{30, 40}},
			{"works", "(*office).work", facts.ForAnswer, []int64{2, 4}}}, ""},
		{"they take the processor", []crowd{{"asks", "(*office).ask", facts.ForChannel, []int64{30, 40}},
			{"works", "(*office).work", facts.Running, []int64{4, 4}}}, ""},
		{"nobody is there", []crowd{{"asks", "(*office).ask", facts.ForChannel, []int64{30, 40}}}, ""},
		{"one after the other", []crowd{{"asks", "(*office).ask", facts.ForChannel, []int64{12, 30}},
			{"flushes rounds", "(*office).flush (*office).round", facts.ForAnswer, []int64{1, 1}}}, "Give each of o.owners a goroutine of its own"},
		{"some are idle", []crowd{{"deals", "(*office).deal", facts.ForChannel, []int64{20, 30}},
			{"serves", "(*office).serve", facts.ForAnswer, []int64{1, 2}},
			{"free", "(*office).serve", facts.ForChannel, []int64{3, 2}}}, `Choose among o.lanes by what differs .* not by country`},
		{"requests begin who ends it", []crowd{{"passes", "(*office).pass", facts.ForChannel, []int64{12, 30}},
			{"relays", "relay", facts.ForChannel, []int64{12, 30}}}, ""},
		{"any one is woken", []crowd{{"keeps", "(*office).keep", facts.ForCondition, []int64{12, 30}}},
			"Broadcast in place of Signal"},
		{"nobody gives back", []crowd{{"enters unloads", "(*office).enter (*office).unload", facts.ForChannel,
			[]int64{12, 30}}}, "out of unload: defer o.leave"},
		{"somebody has a place", []crowd{{"enters unloads", "(*office).enter (*office).unload", facts.ForChannel,
			[]int64{12, 30}}, {"unloads", "(*office).unload", facts.ForAnswer, []int64{4, 4}}}, ""},
		{"all give back", []crowd{{"sits", "(*office).sit", facts.ForChannel, []int64{12, 30}}}, ""},
		{"a turn is kept", []crowd{{"stands", "(*office).stand", facts.ForChannel, []int64{12, 30}}},
			"out of stand: defer func.. . o.stands <- true"},
		{"looks again", []crowd{{"polls", "(*office).poll", "", []int64{12, 30}}},
			`Wait to be told by put in place of pauses`},
		{"tries again", []crowd{{"retries", "(*office).retry", "", []int64{12, 30}}}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			sheet := new(facts.Sheet)
			for i, c := range test.crowds {
				of := facts.Crowd{Thing: c.thing, N: c.n, Request: i == 0}
				functions := strings.Fields(c.functions)
				for i, mark := range strings.Fields(c.marks) {
					of.Frames = append(of.Frames, facts.Frame{Function: "desks." + functions[i], File: "/build/desks.go",
						Line: line(mark), Owner: facts.User})
				}
				sheet.Crowds = append(sheet.Crowds, of)
			}
			at := sheet.Crowds[0].Frames[0]
			d := &casefile.Diagnosis{Findings: []casefile.Finding{{ID: "X", Kind: "requests-wait", Score: 60, Confidence: 0.7,
				Where: []casefile.Frame{{Function: at.Function, File: at.File, Line: at.Line}}}}}
			Run(t.Context(), Config{Places: placesAt(t, dir), Sheet: sheet}, d)
			said := ""
			for _, r := range d.Findings[0].Remedies {
				said += r.Title + "\n"
			}
			if test.want == "" && said != "" || !regexp.MustCompile(test.want).MatchString(said) {
				t.Errorf("it says %q, want %q", said, test.want)
			}
		})
	}
}
