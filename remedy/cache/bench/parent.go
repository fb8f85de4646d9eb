package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"time"
)

// child measures one cache and writes the row as JSON.
func child(ctx context.Context, p plan, out io.Writer) error {
	m, err := makerOf(p.child)
	if err != nil {
		return err
	}
	var r row
	switch p.part {
	case "memory":
		r, err = measureMemory(m, p)
	case "speed":
		r, err = measureSpeed(m, p)
	case "service":
		r, err = measureService(ctx, m, p)
	case "hits":
		r, err = measureHits(m)
	default:
		err = fmt.Errorf("no part %s for a child", p.part)
	}
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(r)
}

// parent measures all caches, each in a child.
func parent(ctx context.Context, p plan, out io.Writer) error {
	if p.part == "policies" {
		policiesPart(out)
		return nil
	}
	for _, part := range []struct {
		name  string
		print func(io.Writer, plan, []row)
	}{{"memory", printMemory}, {"speed", printSpeed}, {"service", printService}, {"hits", printHits}} {
		if p.part != "all" && p.part != part.name {
			continue
		}
		q := p
		q.part = part.name
		began := time.Now()
		rows, err := children(ctx, q)
		if err != nil {
			return fmt.Errorf("part %s: %w", part.name, err)
		}
		part.print(out, p, rows)
		fmt.Fprintf(out, "the part %s took %v\n", part.name, time.Since(began).Round(time.Second))
	}
	return nil
}

// children runs children for each cache, in turns. The medians of those that took part in several rounds count.
func children(ctx context.Context, p plan) ([]row, error) {
	var names []string
	all := make(map[string][]row)
	for round := range p.rounds {
		var part []string
		for _, m := range makers() {
			if wanted(m, p) && (round == 0 || repeated(m, p.part)) {
				part = append(part, m.name)
			}
		}
		if round == 0 {
			names = part
		}
		rows, err := measureEach(ctx, p, part)
		if err != nil {
			return nil, err
		}
		for i, name := range part {
			all[name] = append(all[name], rows[i])
		}
	}
	rows := make([]row, len(names))
	for i, name := range names {
		rows[i] = medians(all[name])
	}
	return rows, nil
}

// measureEach runs a child for each name: one after another, except for hit ratios, which do not depend on what else
// the machine does; as many of these run at once as there are cores. The first failure ends the rest.
func measureEach(ctx context.Context, p plan, names []string) ([]row, error) {
	atOnce := 1
	if p.part == "hits" {
		atOnce = runtime.NumCPU()
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	rows := make([]row, len(names))
	free := make(chan struct{}, atOnce)
	var wg sync.WaitGroup
	for i, name := range names {
		free <- struct{}{}
		if ctx.Err() != nil {
			break
		}
		wg.Go(func() {
			defer func() { <-free }()
			r, err := measureInChild(ctx, p, name)
			if err != nil {
				stop(err)
			}
			rows[i] = r
		})
	}
	wg.Wait()
	return rows, context.Cause(ctx)
}

// repeated is true for what is so close that two starts of one cache differ by more: a collection of a quarter of a
// millisecond, Get beside the fastest, and the two requests of 20,000 that are above p99.99.
func repeated(m maker, part string) bool {
	switch part {
	case "memory":
		return m.name == ours || m.name == noCache
	case "speed":
		return m.name == ours || slices.Contains(rivals(), m.name)
	case "service":
		return m.name == ours || m.name == noCache || slices.Contains(rivals(), m.name)
	}
	return false
}

func wanted(m maker, p plan) bool {
	if m.name == noCache && (p.part == "hits" || p.part == "speed") {
		return false
	}
	if p.only == "" || m.name == ours || m.name == noCache {
		return true
	}
	return slices.ContainsFunc(strings.Split(p.only, ","),
		func(name string) bool { return strings.Contains(m.name, name) })
}

func measureInChild(ctx context.Context, p plan, name string) (r row, err error) {
	self, err := os.Executable()
	if err != nil {
		return r, fmt.Errorf("finding the program: %w", err)
	}
	cmd := exec.CommandContext(ctx, self, "-child", name, "-part", p.part, "-entries", fmt.Sprint(p.entries), "-ops",
		fmt.Sprint(p.ops),
		"-ttl", p.ttl.String(), "-rate", fmt.Sprint(p.rate), "-serve", p.serve.String())
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return r, fmt.Errorf("measuring %s: %w: %s", name, err, errs.String())
	}
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		return r, errors.Join(fmt.Errorf("reading the figures of %s", name), err)
	}
	return r, nil
}

// medians is the median row, figure by figure.
func medians(rows []row) row {
	r := rows[0]
	for _, figures := range []func(*row) []float64{func(r *row) []float64 { return r.Get },
		func(r *row) []float64 { return r.Mixed }} {
		for i := range figures(&r) {
			figures(&r)[i] = median(rows, func(r *row) float64 { return figures(r)[i] })
		}
	}
	for i := range r.Latency {
		r.Latency[i] = median(rows, func(r *row) time.Duration { return r.Latency[i] })
	}
	r.GCWall = median(rows, func(r *row) time.Duration { return r.GCWall })
	r.GCCPU = median(rows, func(r *row) time.Duration { return r.GCCPU })
	return r
}

// median is the middle one of a figure, the upper of two.
func median[T cmp.Ordered](rows []row, figure func(*row) T) T {
	var x []T
	for i := range rows {
		x = append(x, figure(&rows[i]))
	}
	slices.Sort(x)
	return x[len(x)/2]
}

// table prints rows under a title. The last column is the name.
func table(out io.Writer, title, header string, rows []row, cells func(row) string) {
	fmt.Fprintf(out, "\n%s\n", title)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, header+"\t  cache\t")
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t  %s\t\n", cells(r), r.Name)
	}
	_ = w.Flush() // errors of out are for its owner
}

func find(rows []row, name string) row {
	for _, r := range rows {
		if r.Name == name {
			return r
		}
	}
	return row{Name: name}
}

func printMemory(out io.Writer, p plan, rows []row) {
	table(out, fmt.Sprintf("Memory: %d entries set, keys and values of 11 to 12 bytes, TTL %v", p.entries, p.ttl),
		"entries held\tbytes/entry\theap objects\tfull GC, CPU\tfull GC, wall\tkeeps TTLs", rows, func(r row) string {
			return fmt.Sprintf("%d\t%.1f\t%d\t%v\t%v\t%v", r.Entries, r.Bytes, r.Objects, r.GCCPU, r.GCWall, r.TTL)
		})
	us, none := find(rows, ours), find(rows, noCache)
	least := row{Name: "no peer"}
	for _, r := range rows {
		if r.TTL && r.Name != ours && r.Name != noCache && (least.Bytes == 0 || r.Bytes < least.Bytes) {
			least = r
		}
	}
	fmt.Fprintf(out, "must hold: GC CPU × %.1f of the process without a cache (want 2 at most); bytes/entry %.1f, "+
		"the least peer with TTLs %.1f (%s)\n",
		float64(us.GCCPU)/float64(max(none.GCCPU, time.Microsecond)), us.Bytes, least.Bytes, least.Name)
}

func printSpeed(out io.Writer, p plan, rows []row) {
	table(out,
		fmt.Sprintf("Speed: ns of CPU a call, zipf 1.0 over %d keys; ours and its rivals: medians of %d processes",
			p.entries, p.rounds),
		"Get, 1 goroutine\t2\t4\t8\t90/10, 1\t2\t4\t8\tallocs/Get\thits", rows, func(r row) string {
			var s strings.Builder
			for _, ns := range slices.Concat(r.Get, r.Mixed) {
				fmt.Fprintf(&s, "%.0f\t", ns)
			}
			return fmt.Sprintf("%s%.2f\t%.1f %%", s.String(), r.Allocs, 100*r.Hits)
		})
	us := find(rows, ours)
	for _, r := range rows {
		if !slices.Contains(rivals(), r.Name) {
			continue
		}
		var ratios []string
		for i := range r.Get {
			ratios = append(ratios, fmt.Sprintf("%.2f", us.Get[i]/r.Get[i]))
		}
		fmt.Fprintf(out, "must hold: Get × %s of %s at 1, 2, 4, 8 goroutines (want below 1)\n",
			strings.Join(ratios, ", "), r.Name)
	}
}

func printService(out io.Writer, p plan, rows []row) {
	table(out,
		fmt.Sprintf("Service: %d requests/s for %v, each of 20 Gets and 2 Sets, a full GC every 2 s; ours, none and "+
			"the rivals: medians of %d processes",
			p.rate, p.serve, p.rounds),
		"p50\tp99\tp99.9\tp99.99\tworst\tCPU a request", rows, func(r row) string {
			var s strings.Builder
			for _, d := range r.Latency {
				fmt.Fprintf(&s, "%v\t", d.Round(10*time.Microsecond))
			}
			return s.String() + fmt.Sprint(r.CPU.Round(time.Microsecond))
		})
	const p9999 = 3 // of row.Latency
	best := row{}
	for _, r := range rows {
		if r.Name != ours && r.Name != noCache && (best.Name == "" || r.Latency[p9999] < best.Latency[p9999]) {
			best = r
		}
	}
	if best.Name != "" {
		fmt.Fprintf(out,
			"must hold: p99.99 × %.2f of the best peer's, %s (want 1 at most; without a cache it is × %.2f)\n",
			find(rows, ours).Latency[p9999].Seconds()/best.Latency[p9999].Seconds(), best.Name,
			find(rows, noCache).Latency[p9999].Seconds()/best.Latency[p9999].Seconds())
	}
}

func printHits(out io.Writer, _ plan, rows []row) {
	var names []string
	for _, t := range traces() {
		names = append(names, t().name)
	}
	table(out,
		fmt.Sprintf("Hit ratio, %%, %d requests, room for %d entries (in parentheses: held at the end, where that "+
			"is more)",
			traceLength, traceRoom),
		strings.Join(names, "\t"), rows, func(r row) string {
			var cells []string
			for i, h := range r.Ratios {
				cell := fmt.Sprintf("%.1f", 100*h)
				if r.Held[i] > traceRoom*101/100 {
					cell += fmt.Sprintf(" (%d)", r.Held[i])
				}
				cells = append(cells, cell)
			}
			return strings.Join(cells, "\t")
		})
	us := find(rows, ours)
	for i, name := range names {
		best := row{}
		for _, r := range rows {
			if r.Name != ours && r.Held[i] <= traceRoom*101/100 && (best.Name == "" || r.Ratios[i] > best.Ratios[i]) {
				best = r
			}
		}
		if best.Name != "" {
			fmt.Fprintf(out, "must hold: %s: %+.1f points to the best peer within its room, %s (want -1 at least)\n",
				name, 100*(us.Ratios[i]-best.Ratios[i]), best.Name)
		}
	}
}
