// Command keep puts the case of a folder into evidence/cases, as small as belongs there:
//
//	go run ./unseen/keep unseen-waits/ring "what ran" /tmp/cases/ring
package main

import (
	"fmt"
	"os"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/lab/faults/evidence"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: keep CASE PROGRAM FOLDER")
		os.Exit(2)
	}
	if err := keep(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// maxVitals bounds the vitals of a case in bytes: two minutes, of which watches keep three.
const maxVitals = 90_000

// keep leaves out what may be missing, the least needed first, until the rest is small enough.
func keep(name, program, from string) error {
	folder, err := casefile.Open(from)
	if err != nil {
		return err
	}
	m, err := evidence.FromCase(folder)
	if err != nil {
		return err
	}
	m.Program, m.Triggers = program, append([]casefile.Trigger{folder.Case.Trigger}, folder.Case.Also...)
	m.CutVitals(maxVitals)
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
