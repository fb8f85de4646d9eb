// Command evidence lists, takes out, writes and compares recorded cases, evidence/cases/<group>/<case>.tar.zst. In
// evidence/, or anywhere in the checkout where go finds it:
//
//	go run ./cmd/evidence list 'modules/*'                  # names, files and bytes
//	go run ./cmd/evidence extract 'modules/grpc*' /tmp/x    # as folders: casebook diagnose /tmp/x/modules/grpc
//	go run ./cmd/evidence add modules/grpc FOLDER           # a case that is new; FOLDER may be a tar.gz or tar.zst
//	go run ./cmd/evidence replace modules/grpc FOLDER       # one that is there; the same files change nothing
//	go run ./cmd/evidence remove modules/grpc
//	go run ./cmd/evidence diff modules/grpc FOLDER          # two cases; each a name, an archive or a folder
//
// The recorders of the lab write their cases by themselves. A diff ends with code 1 where the two differ. A case that
// somebody committed as tar.gz becomes a tar.zst by replace CASE evidence/cases/CASE.tar.gz. Without Go, a case is
// unpacked by
//
//	zstd -d evidence/dictionary.zst -o /tmp/dictionary
//	zstd -dc -D /tmp/dictionary evidence/cases/modules/grpc.tar.zst | tar -x
//
// The zstd command packs some 8 % tighter than this one, and takes ten times as long; what it packs is read as well:
//
//	zstd --ultra -20 -D /tmp/dictionary CASE.tar -o evidence/cases/modules/grpc.tar.zst
//
// Serve is for package internal/archive, which asks this program to pack and unpack.
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
	{"serve", "", nil},
}

func run(args []string, out, problems io.Writer) int {
	for _, c := range commands {
		if len(args) == 0 || args[0] != c.name || len(args)-1 != len(strings.Fields(c.args)) {
			continue
		}
		err := c.in(args[1:], out)
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

// in runs a command in the set of the checkout.
func (c command) in(args []string, out io.Writer) error {
	set, err := archive.Find()
	if err != nil {
		return err
	}
	p, err := newPacker()
	if err != nil {
		return err
	}
	archive.Use(p)
	if c.run == nil {
		return archive.Serve(p, os.Stdin, out)
	}
	return c.run(set, args, out)
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
	if !replace && strings.HasSuffix(s.Path(name), ".tar.gz") {
		return fmt.Errorf("%s is there as a tar.gz, which cases were before: evidence replace %s %s packs it anew", name,
			name, s.Path(name))
	}
	if s.Has(name) != replace {
		return fmt.Errorf("%s is there: %v; add is for a new case, replace for one that is there", name, !replace)
	}
	files, err := open(s, args[1])
	if err != nil {
		return err
	}
	changed, err := s.Put(name, files)
	if err == nil && !changed {
		fmt.Fprintln(out, name, "has these files already")
	}
	return err
}
