// Command serve measures `casebook serve`: how long its pages and lists take with ten thousand cases, and whether it
// keeps up with fifty cases of 1 MB a second without losing one. In lab:
//
//	go run ./bench/serve -part pages                    # 10,000 cases, SQLite, then PostgreSQL and S3
//	go run ./bench/serve -part ingest -for 30s          # the whole promise is 5m
//	go run ./bench/serve -part folder                   # a folder of cases, without a store
//	go run ./bench/serve -fill http://127.0.0.1:7070    # only send the cases to a server that runs
//
// The problem: a promise of speed is about a store of a size that no test has. The approach: the cases are the
// diagnosed evidence of the proving ground (evidence/cases), each sent often, with other services, versions, labels,
// times and functions; the server is the binary that people run, in a process of its own, over the real databases. Their
// evidence repeats, so that ten thousand cases take minutes to make: what a list reads is in the rows, which differ.
//
// The limits: client, server and databases share the machine, and evidence that was just written is in the page cache.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"
)

// A bench is what the flags say.
type bench struct {
	casebook, gateway           string
	dir                         string
	cases, requests, rate, size int
	ingest, every               time.Duration
}

func main() {
	var b bench
	flag.StringVar(&b.casebook, "casebook", "../bin/casebook", "the `binary` to measure")
	flag.StringVar(&b.gateway, "gateway", "../app/store/testdata/gateway", "`module` of the S3 server")
	flag.StringVar(&b.dir, "dir", "", "`folder` for the stores of SQLite; empty: a temporary one")
	flag.IntVar(&b.cases, "n", 10_000, "cases in the store while pages are measured")
	flag.DurationVar(&b.every, "every", 7*time.Minute, "how far apart the cases were opened")
	flag.IntVar(&b.requests, "requests", 200, "requests of each kind")
	flag.IntVar(&b.rate, "rate", 50, "cases a second that are sent")
	flag.IntVar(&b.size, "size", 1<<20, "`bytes` of evidence of each of these")
	flag.DurationVar(&b.ingest, "for", 5*time.Minute, "how long they are sent")
	part := flag.String("part", "folder,pages,ingest", "what to measure")
	stores := flag.String("store", "sqlite,postgres", "over what: SQLite and a folder, PostgreSQL and S3")
	fill := flag.String("fill", "", "send cases to the server at this `URL`, and measure nothing")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := b.run(ctx, strings.Split(*part, ","), strings.Split(*stores, ","), *fill)
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench-serve:", err)
		stop()
		os.Exit(1)
	}
}

func (b *bench) run(ctx context.Context, parts, stores []string, fill string) error {
	if fill != "" {
		return b.fill(ctx, strings.TrimSuffix(fill, "/"))
	}
	if i := slices.Index(parts, "folder"); i >= 0 {
		load, _ := os.ReadFile("/proc/loadavg")
		fmt.Printf("a folder, load before %.14s\n", load)
		if err := b.folder(ctx); err != nil {
			return fmt.Errorf("folder: %w", err)
		}
		parts = slices.Delete(parts, i, i+1)
	}
	for _, kind := range stores {
		for _, part := range parts {
			if err := b.measure(ctx, part, kind); err != nil {
				return fmt.Errorf("%s on %s: %w", part, kind, err)
			}
		}
	}
	return nil
}

// measure does a part with a server over an empty store.
func (b *bench) measure(ctx context.Context, part, kind string) error {
	st, err := b.newStore(ctx, kind)
	if err != nil {
		return err
	}
	defer st.remove()
	load, _ := os.ReadFile("/proc/loadavg")
	fmt.Printf("%s, %s, load before %.14s\n", part, kind, load)
	s, err := startServer(b.casebook, st.flags)
	if err != nil {
		return err
	}
	defer s.stop()
	switch part {
	case "pages":
		if err := b.fill(ctx, s.url); err != nil {
			return err
		}
		return b.pages(ctx, s)
	case "ingest":
		return b.takeIn(ctx, s)
	}
	return fmt.Errorf("there is no part %q; parts are folder, pages and ingest", part)
}
