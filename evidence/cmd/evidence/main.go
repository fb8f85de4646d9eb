// Command evidence lists, takes out, writes and compares recorded cases, evidence/cases/<group>/<case>.tar.gz. In
// evidence/, or anywhere in the checkout where go finds it:
//
//	go run ./cmd/evidence list 'modules/*'                  # names, files and bytes
//	go run ./cmd/evidence extract 'modules/grpc*' /tmp/x    # as folders: casebook diagnose /tmp/x/modules/grpc
//	go run ./cmd/evidence add modules/grpc FOLDER           # a case that is new
//	go run ./cmd/evidence replace modules/grpc FOLDER       # one that is there; the same files change nothing
//	go run ./cmd/evidence remove modules/grpc
//	go run ./cmd/evidence diff modules/grpc FOLDER          # two cases; each a name, an archive or a folder
//
// The recorders of the lab write their cases by themselves. A diff ends with code 1 where the two differ.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/gocasebook/casebook/internal/archive"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// errDiffer ends a diff of two cases that are not the same.
var errDiffer = errors.New("the cases differ")

// A command has a name, what it wants behind that, and what it does.
type command struct {
	name, args string
	run        func(set archive.Set, args []string, out io.Writer) error
}

var commands = []command{
	{"list", "PATTERN", list},
	{"extract", "PATTERN FOLDER", extract},
	{"add", "CASE FOLDER", func(s archive.Set, args []string, out io.Writer) error { return put(s, args, out, false) }},
	{"replace", "CASE FOLDER", func(s archive.Set, args []string, out io.Writer) error { return put(s, args, out, true) }},
	{"remove", "CASE", func(s archive.Set, args []string, _ io.Writer) error { return s.Remove(args[0]) }},
	{"diff", "CASE CASE", diff},
}

func run(args []string, out, problems io.Writer) int {
	for _, c := range commands {
		if len(args) == 0 || args[0] != c.name || len(args)-1 != len(strings.Fields(c.args)) {
			continue
		}
		set, err := archive.Find()
		if err == nil {
			err = c.run(set, args[1:], out)
		}
		if errors.Is(err, errDiffer) {
			return 1
		}
		if err != nil {
			fmt.Fprintf(problems, "evidence %s: %v\n", c.name, err)
			return 2
		}
		return 0
	}
	for _, c := range commands {
		fmt.Fprintf(problems, "evidence %s %s\n", c.name, c.args)
	}
	return 2
}

func list(s archive.Set, args []string, out io.Writer) error {
	names, err := s.Cases(args[0])
	var total int64
	for _, name := range names {
		info, err := os.Stat(s.Path(name))
		if err != nil {
			return err
		}
		files, err := s.Case(name)
		if err != nil {
			return err
		}
		total += info.Size()
		fmt.Fprintf(out, "%-44s %3d files %8d bytes\n", name, len(files), info.Size())
	}
	fmt.Fprintf(out, "%d cases, %.1f MB\n", len(names), float64(total)/1e6)
	return err
}

func extract(s archive.Set, args []string, out io.Writer) error {
	names, err := s.Extract(args[0], args[1])
	for _, name := range names {
		fmt.Fprintln(out, filepath.Join(args[1], filepath.FromSlash(name)))
	}
	return err
}

func put(s archive.Set, args []string, out io.Writer, replace bool) error {
	name := args[0]
	if s.Has(name) != replace {
		return fmt.Errorf("%s is there: %v; add is for a new case, replace for one that is there", name, !replace)
	}
	files, err := archive.ReadFolder(args[1])
	if err != nil {
		return err
	}
	changed, err := s.Put(name, files)
	if err == nil && !changed {
		fmt.Fprintln(out, name, "has these files already")
	}
	return err
}
