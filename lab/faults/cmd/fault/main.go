// Command fault runs one variant of a fault and its load, prints the URL of its net/http/pprof, and ends when stdin is
// closed: it cannot outlive who started it.
//
//	go run ./lab/faults/cmd/fault -kind alloc-fmt -variant faulty
//	go run ./lab/faults/cmd/fault -list
//
// The service runs in a process of its own, a child of the one that sends the load.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"text/tabwriter"

	"github.com/gocasebook/casebook/lab/faults"
	"github.com/gocasebook/casebook/lab/faults/registry"
	"github.com/gocasebook/casebook/lab/quota"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "fault:", err)
		os.Exit(1)
	}
}

func run() error {
	kind := flag.String("kind", "", "`kind` of finding: see -list")
	variant := flag.String("variant", faults.Faulty, "faulty, limit or repaired")
	list := flag.Bool("list", false, "list the faults")
	serve := flag.Bool("serve", false, "serve only, print the addresses as JSON, send no load")
	flag.Parse()
	if *list {
		return printList()
	}
	f, err := registry.Find(*kind)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() { // ends with the process
		io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	if *serve {
		return faults.Serve(ctx, &f, *variant, func(at faults.Addresses) { json.NewEncoder(os.Stdout).Encode(at) })
	}
	return drive(ctx, &f, *variant)
}

func printList() error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	for _, f := range registry.All() {
		fmt.Fprintf(w, "%s\t%s\n", f.ID(), f.Text)
	}
	return w.Flush()
}

// drive serves in a child process and sends the load from this one.
func drive(ctx context.Context, f *faults.Fault, variant string) (err error) {
	made, err := f.Variant(variant)
	if err != nil {
		return err
	}
	calls := append(faults.ShopLoad(), made().Load...)
	at, stop, err := start(f, variant, made().Cores)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	fmt.Println(at.Pprof)
	return faults.Drive(ctx, at.Service, calls)
}

// start runs this program again, serving, under a quota of some cores if they are not 0. stop ends it.
func start(f *faults.Fault, variant string, cores float64) (at faults.Addresses, stop func() error, err error) {
	self, err := os.Executable()
	if err != nil {
		return at, nil, fmt.Errorf("finding this program: %w", err)
	}
	args := []string{self, "-serve", "-kind", f.ID(), "-variant", variant}
	var group quota.Group
	if cores > 0 {
		if group, err = quota.New(f.ID()+"-"+variant, cores); err != nil {
			return at, nil, err
		}
		args = append([]string{"/bin/sh", "-c", group.Enter() + `exec "$0" "$@"`}, args...)
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), f.Env...)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return at, nil, fmt.Errorf("starting the service: %w", err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return at, nil, fmt.Errorf("starting the service: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return at, nil, fmt.Errorf("starting the service: %w", err)
	}
	stop = func() error {
		stdin.Close()
		defer group.Remove()
		return cmd.Wait()
	}
	if err := json.NewDecoder(stdout).Decode(&at); err != nil {
		return at, nil, errors.Join(fmt.Errorf("the service gave no addresses: %w", err), stop())
	}
	return at, stop, nil
}
