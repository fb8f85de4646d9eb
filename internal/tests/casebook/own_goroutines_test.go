package casebook_test

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/reporter"
	"github.com/gocasebook/casebook/vitals"
)

// modeCount has a child that is a service of few goroutines count them while it takes a case.
const modeCount = "count"

// countGoroutines prints how many goroutines the service has beside the watch, and the least and most that samples say.
func countGoroutines() int {
	const parked = 10
	for range parked {
		go func() { select {} }()
	}
	mine := float64(runtime.NumGoroutine() + 1) // Run's
	least, most, samples := mine, mine, make(chan struct{}, 1000)
	w, err := casebook.New(casebook.Config{
		Dir: os.Getenv(childDir), Interval: 100 * time.Millisecond, ProfileFor: time.Second,
		Rules:   when("goroutines", 2*parked, casefile.Goroutine),
		Sources: []vitals.Source{casebook.Gauge("jobs", vitals.Count, func() float64 { return 0 })},
		Reporters: []reporter.Reporter{{Name: "none", Send: func(context.Context,
			reporter.Report) error {
			return nil
		}}},
		OnEvent: func(e casebook.Event) {
			switch e.Kind {
			case casebook.Sampled:
				n, _ := e.Sample.Get(vitals.Goroutines)
				least, most = min(least, n), max(most, n)
				samples <- struct{}{}
			case casebook.Tripped:
				fmt.Println("tripped: " + e.Trigger.Text)
			}
		},
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	ended := make(chan error)
	go func() { ended <- w.Run(ctx) }()
	await := func(n int) {
		for range n {
			<-samples
		}
	}
	fmt.Println("ready")
	await(5)
	if _, err := w.Capture(ctx, "a test", casefile.CPU, casefile.Heap, casefile.Goroutine, casefile.Trace,
		casefile.Mutex); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	await(5)
	all := runtime.NumGoroutine()
	stop()
	<-ended
	fmt.Println(mine, least, most, all)
	return 0
}

// A service that watches itself has as many goroutines as without, in the eyes of its rules: also while a case is taken
// and diagnosed, which takes a hundred of them for moments.
func TestGoroutinesAreTheHosts(t *testing.T) {
	t.Parallel()
	_, lines := startChild(t, modeCount, t.TempDir())
	var last string
	for lines.Scan() {
		if last = lines.Text(); strings.HasPrefix(last, "tripped") {
			t.Errorf("the rule on goroutines judged the watch: %s", last)
		}
	}
	var mine, least, most float64
	var all int
	if _, err := fmt.Sscan(last, &mine, &least, &most, &all); err != nil {
		t.Fatalf("the child said %q: %v", last, err)
	}
	// On a busy machine goroutines may be stopped between the last thing they do and their end; the hundred are not.
	if least != mine || most > mine+30 {
		t.Errorf("samples say %g to %g goroutines, want the %g of the service", least, most, mine)
	}
	if all < int(mine)+8 {
		t.Errorf("%d goroutines, %g of the service: the watch has none to leave out", all, mine)
	}
}
