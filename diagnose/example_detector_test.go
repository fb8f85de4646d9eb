package diagnose_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// leaseWait is a detector for the users of a library, example.com/lease, whose clients lease connections from a pool.
// Ten goroutines that wait for a lease are worth knowing. A hundred mean that leases are not returned, or that the pool
// is much too small.
func leaseWait() diagnose.Detector {
	return diagnose.Detector{
		ID: "LEASE001", Kind: "lease-wait", Title: "Goroutines wait for a lease",
		Text: "Counts the goroutines in (*Client).Acquire of example.com/lease, by the line of the user's code that " +
			"calls it.",
		Needs: []diagnose.Need{{Kinds: []string{casefile.Goroutine}, Reason: "no goroutine profile or dump",
			Capture: "curl -fo goroutine.pb.gz 'http://HOST/debug/pprof/goroutine'"}},
		IsQueue: true, // it shows that somebody waits
		// The general finding, that goroutines pile up at the line, becomes part of this one: it has the same number.
		Absorbs: []diagnose.Relation{{Kind: "goroutine-surge", If: diagnose.SameFunction, Quiet: true}},
		Run:     findLeaseWait,
	}
}

func findLeaseWait(_ context.Context, r *diagnose.Reading) diagnose.Answer {
	set := r.Goroutines()
	count := stacks.ByValue(set.Value(set.Kind, "count"))
	acquires := func(f *stacks.Func) bool { return strings.HasPrefix(f.Name, "example.com/lease.(*Client).Acquire") }
	waiting := func(s *stacks.Sample) int64 {
		if !r.Table.Has(s.Stack, acquires) {
			return 0
		}
		return count(s)
	}
	lines := stacks.SumBy(set, waiting, r.UserLine) // the most goroutines first
	if len(lines) == 0 {
		return diagnose.Answer{}
	}
	all, n := float64(set.Total(count)), float64(lines[0].Value)
	return diagnose.Answer{Findings: []casefile.Finding{{
		Score:       diagnose.Scale{Worth: 10, Hurts: 100}.Score(n),
		Confidence:  0.95, // a goroutine profile has every goroutine
		Summary:     fmt.Sprintf("%.0f goroutines wait for a lease at %s.", n, r.Place(lines[0].Key)),
		Explanation: "A lease that is not released is held until its client is closed.",
		Where:       []casefile.Frame{r.Frame(lines[0].Key, n/all, "waits for a lease (share of goroutines)")},
		Impact:      casefile.Impact{Resource: "goroutines", Share: n / all, Text: fmt.Sprintf("%.0f goroutines", n)},
		Remedies: []casefile.Remedy{{Kind: casefile.Change, Title: "Release on every path",
			Text: "defer l.Release() directly after Acquire.", Price: "none"}},
		Evidence: diagnose.Basis(set),
	}}}
}

// A custom detector, beside the built-in ones.
func ExampleOptions() {
	in := diagnose.Input{
		Build: casefile.Build{Module: "example.com/shop"},
		Evidence: []diagnose.Evidence{{Name: "goroutine.txt", Data: []byte(`goroutine profile: total 4005
4000 @ 0x1 0x2 0x3
#	0x1	example.com/lease.(*Client).Acquire+0x1	/go/pkg/mod/example.com/lease@v1.2.0/client.go:88
#	0x2	example.com/shop/orders.(*Store).Load+0x2	/src/shop/orders/store.go:41
#	0x3	net/http.(*conn).serve+0x3	/go/src/net/http/server.go:2027

5 @ 0x4
#	0x4	example.com/shop/orders.(*Store).sweep+0x1	/src/shop/orders/sweep.go:12

`)}},
	}
	report := diagnose.Run(context.Background(), in, diagnose.Options{
		Detectors: append(diagnose.Detectors(), leaseWait()),
	})
	for _, f := range report.Findings {
		fmt.Printf("%s %d: %s\n", f.Kind, f.Score, f.Summary)
		for _, w := range f.Where {
			fmt.Printf("  %s:%d, %s\n", w.Function, w.Line, w.Role)
		}
		for _, r := range f.Remedies {
			fmt.Printf("  %s: %s\n", r.Title, r.Text)
		}
	}
	// Output:
	// lease-wait 99: 4000 goroutines wait for a lease at orders.(*Store).Load (store.go:41).
	//   example.com/shop/orders.(*Store).Load:41, waits for a lease (share of goroutines)
	//   Release on every path: defer l.Release() directly after Acquire.
}
