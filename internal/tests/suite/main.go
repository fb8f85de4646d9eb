// Command suite runs the tests of the repository: `make test` is what everybody runs, in minutes, `make test-rest` what
// that leaves out, and `make test-all` both, as CI does.
//
// The tests of 130 packages with the race detector are 130 programs to link, and most of their compiling is of other
// people's modules, a second time. So this command looks where the detector can find something: a package whose code or
// tests start goroutines. `make test` has it there where the tests link little beside Go's own library; `make
// test-rest` has it for the others whose code starts some, without the tests that compute, and runs the long tests
// (those that testing.Short skips), the lab and the nested modules. Together they run most tests of the command line
// twice, with the detector and without; `make test-all` does not.
//
// A test that fails is run once more, with nothing beside it, because a few packages at a time share the machine, and
// some measure. Such a test is named at the end: a defect to mend. More than five, a data race or a panic fail at once.
// The run ends with the packages that took longest, and with what tests left in the system's temporary folder, which is
// a folder of the run. It does not begin where a disk has too little room.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gocasebook/casebook/internal/built"
)

func main() {
	rest := flag.Bool("rest", false, "run what the short tests leave out")
	all := flag.Bool("all", false, "run both, and nothing twice")
	list := flag.Bool("list", false, "print what would run, and run nothing")
	nested := flag.String("nested", "", "the nested `modules` to test with -rest and -all")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	modules := []string{".", "./holmes", "./remedy", "./internal/tests", "./app"}
	plan := short
	if *rest || *all {
		modules = append(modules, "./lab")
		more := long
		if *all {
			more = everything
		}
		plan = func(packages []pkg) []group { return more(packages, strings.Fields(*nested)) }
	}
	err := run(ctx, modules, plan, *list)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "suite:", err)
		os.Exit(1)
	}
}

// run runs what plan makes of the packages of modules.
func run(ctx context.Context, modules []string, plan func([]pkg) []group, list bool) error {
	packages, err := load(ctx, "", modules...)
	if err != nil {
		return err
	}
	groups := plan(packages)
	if list {
		for _, g := range groups {
			fmt.Printf("%s: %s\n", g, strings.Join(g.packages, " "))
		}
		return nil
	}
	if err := needRoom(ctx); err != nil {
		return err
	}
	logs, err := os.MkdirTemp("", "casebook-suite-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(logs)
	temporary, err := newScratch()
	if err != nil {
		return err
	}
	programs := filepath.Join(logs, "programs")
	if err := errors.Join(os.Mkdir(programs, 0o700), os.Setenv(built.Folder, programs)); err != nil {
		_, _ = temporary.end() // empty
		return err
	}
	start := time.Now()
	cpu, err := runAll(ctx, groups, logs)
	files, _ := filepath.Glob(filepath.Join(logs, "*.json"))
	slow, bad := slowest(files)
	fmt.Printf("== %s in all, %.0f s of CPU, %d programs of tests; the packages that took longest, beside others:\n",
		time.Since(start).Round(time.Second), cpu.Seconds(), len(slow))
	for _, s := range slow[:min(10, len(slow))] {
		fmt.Println(s)
	}
	left, kept := temporary.end()
	if len(left) > 0 {
		fmt.Printf("== left in the temporary folder, by a test or a program that it ran: %s\n", strings.Join(left, " "))
	}
	return errors.Join(err, bad, kept)
}

// runAll runs the groups, some at a time: while one links, the others wait for their servers.
func runAll(ctx context.Context, groups []group, logs string) (cpu time.Duration, err error) {
	var wg sync.WaitGroup
	errs, times := make([]error, len(groups)), make([]time.Duration, len(groups))
	slots := make(chan struct{}, groupsAtOnce)
	for i, g := range groups {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			fmt.Printf("== %s: %d packages\n", g, len(g.packages))
			var err error
			if times[i], err = g.run(ctx, filepath.Join(logs, fmt.Sprintf("%d.json", i))); err != nil {
				errs[i] = fmt.Errorf("%s: %w", g, err)
			}
			fmt.Printf("== %s: %.0f s of CPU\n", g, times[i].Seconds())
		})
	}
	wg.Wait()
	for _, t := range times {
		cpu += t
	}
	return cpu, errors.Join(errs...)
}
