// Command keep puts the case of a folder into evidence/cases, as small as belongs there:
//
//	go run ./unseen/keep unseen-waits/ring "what ran" /tmp/cases/ring
//
// With -without it leaves out files that the case can do without.
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/lab/faults/evidence"
)

func main() {
	without := flag.String("without", "", "files to leave out, with commas between them")
	vitals := flag.Int("vitals", maxVitals, "bytes of vitals to keep")
	flag.Parse()
	if flag.NArg() != 3 {
		fmt.Fprintln(os.Stderr, "usage: keep [-without FILES] [-vitals BYTES] CASE PROGRAM FOLDER")
		os.Exit(2)
	}
	if err := keep(flag.Arg(0), flag.Arg(1), flag.Arg(2), strings.Split(*without, ","), *vitals); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// maxVitals bounds the vitals of a case in bytes: two minutes, of which watches keep three.
const maxVitals = 90_000

// keep leaves out what may be missing, the least needed first, until the rest is small enough.
func keep(name, program, from string, without []string, vitals int) error {
	folder, err := casefile.Open(from)
	if err != nil {
		return err
	}
	m, err := evidence.FromCase(folder)
	if err != nil {
		return err
	}
	m.Program, m.Triggers = program, append([]casefile.Trigger{folder.Case.Trigger}, folder.Case.Also...)
	m.CutVitals(vitals)
	m.Evidence = slices.DeleteFunc(m.Evidence, func(f evidence.File) bool { return slices.Contains(without, f.File) })
	if err := m.Clean(); err != nil {
		return err
	}
	for _, spare := range []string{"", "threadcreate.pb.gz", "heap-before.pb.gz", "heap.pb.gz", "metrics.json",
		"goroutine-dump.txt.gz"} {
		m.Evidence = slices.DeleteFunc(m.Evidence, func(f evidence.File) bool { return f.File == spare })
		if err = m.Keep(name); err == nil {
			return nil
		}
	}
	return err
}
