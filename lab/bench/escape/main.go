// Command escape says how much of what servers allocate `casebook escape` explains, and how long that takes. In lab:
//
//	go run ./bench/escape                  # with the profiles of servers that were recorded
//	go run ./bench/escape nats-healthy     # of one of them
//	go run ./bench/escape -cases DIR       # of cases that `lab run … --dir DIR` kept
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
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/internal/archive"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/lab/foreign"
)

// A subject is a service with recorded profiles: a release of lab/foreign, or a package of lab.
type subject struct {
	evidence string
	program  string // in lab/foreign/services.json
	pkg      string // in lab
}

// subjects are healthy releases, and services that were written for the hold-outs of the detectors.
func subjects() []subject {
	return []subject{
		{"foreign/nats-healthy", "nats", ""}, {"foreign/coredns-healthy", "coredns", ""},
		{"foreign/etcd-healthy", "etcd", ""}, {"foreign/caddy-healthy", "caddy", ""},
		{"holders/titles", "", "./holdout/titles"}, {"holders/storefront", "", "./holdout/storefront"},
		{"processors/vault-loads-2", "", "./holdout/vault"}, {"holdout2/cellar", "", "./holdout2/cellar"},
		{"holdout2/signer", "", "./holdout2/signer"}, {"settings/reportd-gogc-400", "", "./holdout/reportd"},
	}
}

func main() {
	dir := flag.String("dir", filepath.Join(os.TempDir(), "casebook-bench-escape"), "`folder` of the modules")
	cases := flag.String("cases", "", "`folder` of cases of the lab's services, instead of the recorded profiles")
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
	known := false
	for _, s := range subjects() {
		if len(names) > 0 && !slices.Contains(names, filepath.Base(s.evidence)) {
			continue
		}
		known = true
		recorded, err := archive.Temp(s.evidence)
		if err != nil {
			return err
		}
		defer os.RemoveAll(recorded)
		r := assess.EscapeRequest{Dir: ".", Packages: []string{s.pkg},
			Evidence: assess.DiagnoseRequest{What: []string{filepath.Join(recorded, s.evidence)}}}
		if s.program != "" {
			p := all.Programs[s.program]
			r.Dir, r.Packages = filepath.Join(dir, s.program), []string{p.Module + "/..."}
			if err := prepare(ctx, r.Dir, p); err != nil {
				return err
			}
		}
		if err := explain(ctx, filepath.Base(s.evidence), r); err != nil {
			return err
		}
	}
	if !known {
		return fmt.Errorf("there is no evidence %s", strings.Join(names, " "))
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
