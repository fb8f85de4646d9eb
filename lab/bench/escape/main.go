// Command escape says how much of what servers allocate `casebook escape` explains, and how long that takes. In lab:
//
//	go run ./bench/escape                          # released servers, with the heap profiles in diagnose/testdata/foreign
//	go run ./bench/escape nats-healthy             # one of them
//	go run ./bench/escape -cases DIR               # cases that `lab run … --dir DIR` kept: the lab's own services
//
// The releases come from the module proxy, into modules of their own in -dir. Each is explained twice: the first time
// fills Go's build cache, the second is measured.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/lab/foreign"
)

// evidence is where the recorded profiles are, seen from lab.
const evidence = "../diagnose/testdata/foreign"

// recorded are the healthy ones, which is where programs allocate for their work.
func recorded() map[string]string { // by the name of the program
	return map[string]string{"nats-healthy": "nats", "coredns-healthy": "coredns", "etcd-healthy": "etcd",
		"caddy-healthy": "caddy"}
}

func main() {
	dir := flag.String("dir", filepath.Join(os.TempDir(), "casebook-bench-escape"), "`folder` of the modules")
	cases := flag.String("cases", "", "`folder` of cases of the lab's services, instead of released servers")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *dir, *cases, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, dir, cases string, names []string) error {
	fmt.Println("| evidence | allocated | explained | compiler | line | runtime | or | wall | CPU |")
	fmt.Println("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
	if cases != "" {
		return ofCases(ctx, cases)
	}
	all, err := foreign.Read()
	if err != nil {
		return err
	}
	by := recorded()
	if len(names) == 0 {
		for name := range by {
			names = append(names, name)
		}
		slices.Sort(names)
	}
	for _, name := range names {
		p, ok := all.Programs[by[name]]
		if !ok {
			return fmt.Errorf("%s: there is no such evidence of a program in lab/foreign/services.json", name)
		}
		module := filepath.Join(dir, by[name])
		if err := prepare(ctx, module, p); err != nil {
			return err
		}
		if err := explain(ctx, name, assess.EscapeRequest{Dir: module, Packages: []string{p.Module + "/..."},
			Evidence: assess.DiagnoseRequest{What: []string{filepath.Join(evidence, name)}}}); err != nil {
			return err
		}
	}
	return nil
}

// prepare makes a module that requires a release.
func prepare(ctx context.Context, dir string, p foreign.Program) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(dir, "go.sum")); err == nil {
		return nil // of an earlier run
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module foreign\n\ngo 1.26.0\n"), 0o600); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "go", "get", p.Package+"@"+p.Version)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("getting %s: %w\n%s", p.Package, err, out)
	}
	return nil
}

// ofCases explains the cases of the lab's services.
func ofCases(ctx context.Context, dir string) error {
	found, err := filepath.Glob(filepath.Join(dir, "*", "*", "case.json"))
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return fmt.Errorf("%s has no cases; lab run phones/gcache --dir %s keeps some", dir, dir)
	}
	for _, f := range found {
		c := filepath.Dir(f)
		err := explain(ctx, filepath.Base(filepath.Dir(c)), assess.EscapeRequest{Dir: ".",
			Evidence: assess.DiagnoseRequest{What: []string{c}}})
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", c, err)
		}
	}
	return nil
}

func explain(ctx context.Context, name string, r assess.EscapeRequest) error {
	if _, err := assess.Escape(ctx, r); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	began, cpu := time.Now(), used()
	res, err := assess.Escape(ctx, r)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for _, err := range res.Failed {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
	}
	x := res.Explained
	row := fmt.Sprintf("| %s | %s |", name, number.Bytes(res.Bytes))
	for _, share := range []float64{x.Share, x.Compiler, x.Syntax, x.Runtime, x.Ambiguous} {
		row += " " + number.Share(share) + " |"
	}
	fmt.Println(row, number.Seconds(time.Since(began).Seconds()), "|", number.Seconds(used()-cpu), "|")
	for _, left := range res.Gaps {
		fmt.Fprintf(os.Stderr, "%s: left out: %s: %s\n", name, left.What, left.Why)
	}
	return nil
}

// used is the CPU that this process and those that it waited for have taken.
func used() (seconds float64) {
	for _, who := range []int{unix.RUSAGE_SELF, unix.RUSAGE_CHILDREN} {
		var u unix.Rusage
		if unix.Getrusage(who, &u) == nil {
			seconds += float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
		}
	}
	return seconds
}
