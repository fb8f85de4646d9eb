// Command ranking measures what it costs a server to rank the findings of all services that an engine has. In lab:
//
//	go run ./bench/ranking -services 10000
//
// The engine is a replay (app/engine/enginetest) in a process of its own, so that the CPU of this one is the server's.
// Its services are generated: each has the recorded CPU profile of one of two dozen programs of others, which are
// judged anew for each service.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gocasebook/casebook/app/engine"
	"github.com/gocasebook/casebook/app/ranking"
	"github.com/gocasebook/casebook/app/store"
	_ "github.com/gocasebook/casebook/app/store/drivers"
)

func main() {
	services := flag.Int("services", 10_000, "how many services the engine has")
	serve := flag.Bool("serve", false, "be the engine")
	flag.Parse()
	var err error
	if *serve {
		err = beEngine(*services)
	} else {
		err = measure(context.Background(), *services)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// measure ranks all services once, as a server does in an hour.
func measure(ctx context.Context, services int) error {
	e, err := startEngine(services)
	if err != nil {
		return err
	}
	defer e.stop()
	dir, err := os.MkdirTemp("", "casebook-ranking-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	st, err := store.Open(ctx, store.Config{Index: "sqlite:" + filepath.Join(dir, "index.db"),
		Blobs: filepath.Join(dir, "blobs"), Scratch: filepath.Join(dir, "scratch")})
	if err != nil {
		return err
	}
	defer st.Close()
	d, err := engine.NewDirectory(e.address, engine.Options{})
	if err != nil {
		return err
	}
	r, err := ranking.New(ranking.Config{Store: st, Sources: []ranking.Source{ranking.OfEngine(d)}})
	if err != nil {
		return err
	}
	began, before := time.Now(), usage()
	n, err := r.Round(ctx)
	if err != nil {
		return err
	}
	took, after := time.Since(began), usage()
	began = time.Now()
	list, err := st.Ranking(ctx, 10)
	if err != nil {
		return err
	}
	fmt.Printf("reading the ranking %6d ms\n", time.Since(began).Milliseconds())
	report(n, took, after.cpu-before.cpu, after.peak, list)
	return nil
}

func report(n int, took, cpu time.Duration, peak int64, list store.Ranking) {
	fmt.Printf("%d services judged (%d failed), ranking of %d findings\n", n, list.Failing, len(list.Findings))
	fmt.Printf("CPU of the server   %6.1f s, %.1f ms a service\n", cpu.Seconds(), 1000*cpu.Seconds()/float64(max(n, 1)))
	fmt.Printf("on the clock        %6.1f s, on a machine that the engine's replay shares\n", took.Seconds())
	fmt.Printf("peak memory         %6d MiB\n", peak>>20)
	for _, f := range list.Findings {
		fmt.Printf("  %8.2f cores  %-12s %s\n", f.Cores, f.Service, f.Title)
	}
}
