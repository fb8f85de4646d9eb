// Command shelf fills a folder with thousands of small cases and prints what commands take there: time and the peak of
// memory.
//
// The problem: a folder of cases is meant for a few hundred, and meets thousands where somebody keeps them all. The
// approach is to measure the binary that people run, beside an older one if that is given. The limits: the cases are
// small and alike, the files are in the page cache, and the peak of memory (ru_maxrss) is at least that of this
// program, about 20 MB.
package main

import (
	"context"
	"flag"
	"fmt"
	"net"
	"net/http"
	_ "net/http/pprof" // this program is the watch's target
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

func main() {
	casebooks := flag.String("casebook", "bin/casebook",
		"the `binaries` to measure, separated by commas; each gets a folder of its own")
	n := flag.Int("n", 10_000, "cases")
	dir := flag.String("dir", "", "`folder` for the cases, which is removed at the end; empty: a temporary one")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := bench(ctx, strings.Split(*casebooks, ","), *n, *dir); err != nil {
		fmt.Fprintln(os.Stderr, "bench-shelf:", err)
		stop()
		os.Exit(1)
	}
}

func bench(ctx context.Context, casebooks []string, n int, parent string) error {
	target, err := listen()
	if err != nil {
		return err
	}
	for _, casebook := range casebooks {
		dir, err := os.MkdirTemp(parent, "bench-shelf-*")
		if err != nil {
			return err
		}
		err = measure(ctx, casebook, dir, target, n)
		_ = os.RemoveAll(dir) // cases of ours
		if err != nil {
			return err
		}
	}
	return nil
}

// listen serves net/http/pprof for the watch whose start is measured.
func listen() (url string, err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	server := &http.Server{ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = server.Serve(l) }() // until this program ends
	return "http://" + l.Addr().String(), nil
}

func measure(ctx context.Context, casebook, dir, target string, n int) error {
	fmt.Printf("%s, %d cases\n", casebook, n)
	cases := filepath.Join(dir, "cases")
	if err := fill(cases, n); err != nil {
		return err
	}
	time.Sleep(3 * time.Second) // what is younger than two seconds is in no index
	c := command{ctx, casebook, cases}
	keep := []string{"--keep-age", "-1s", "--keep-bytes", "-1", "--keep-cases"}
	for _, m := range []struct {
		what string
		args []string
	}{
		{"ls, for the first time", []string{"case", "ls"}},
		{"ls", []string{"case", "ls"}},
		{"ls --json", []string{"case", "ls", "--json"}},
		{"show of the newest", []string{"case", "show"}},
		{"prune --dry-run", append([]string{"case", "prune", "--dry-run"}, append(keep, fmt.Sprint(n/2))...)},
	} {
		if err := c.run(m.what, m.args...); err != nil {
			return err
		}
	}
	if err := c.watch(target, append(keep, "-1")); err != nil {
		return err
	}
	if err := c.run(fmt.Sprintf("prune of %d", n-n/2),
		append([]string{"case", "prune"}, append(keep, fmt.Sprint(n/2))...)...); err != nil {
		return err
	}
	return c.run("ls of what is left", "case", "ls")
}
