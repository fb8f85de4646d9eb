package diagnose_test

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/internal/checkout"
)

// seeds says whether the i-th case is one of those from which the fuzzer starts: all of them, and each eighth where go
// test only runs the seeds, because TestCases runs all cases as they are.
func seeds(i int) bool { return i%8 == 0 || flag.Lookup("test.fuzz").Value.String() != "" }

// FuzzRun: two files of any content give findings that agree with each other. No detector panics on them.
func FuzzRun(f *testing.F) {
	for i, name := range caseFolders(f) {
		if !seeds(i) {
			continue
		}
		files := checkout.Case(f, name)
		var last []byte
		for _, file := range files.Names() {
			if strings.HasSuffix(file, ".gz") {
				f.Add(last, files[file])
				last = files[file]
			}
		}
	}
	f.Add([]byte(`{"schema":1,"units":{}}`+"\n"+`{"t":"2026-11-21T13:25:12.001Z","cpu":0.42,"goroutines":57}`),
		[]byte("<html>"))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		whole(t, diagnose.Run(t.Context(), diagnose.Input{Evidence: []diagnose.Evidence{{Name: "a", Data: a},
			{Name: "b", Data: b}}}, diagnose.Options{}))
	})
}

// FuzzStructure: recorded cases with changed values, names, stacks, dumps and vitals make no detector and no reader
// panic.
func FuzzStructure(f *testing.F) {
	folders := caseFolders(f)
	for i := range folders {
		if seeds(i) {
			f.Add(uint16(i), uint64(i))
		}
	}
	f.Fuzz(func(t *testing.T, folder uint16, seed uint64) {
		in := loadCase(t, folders[int(folder)%len(folders)])
		whole(t, diagnose.Run(t.Context(), newMutator(seed).input(in), diagnose.Options{}))
	})
}

// TestStructure is FuzzStructure for as many seeds as CASEBOOK_ATTACK says: `make attack` gives 10,000.
func TestStructure(t *testing.T) { attack(t, "structure", mutator.input) }

// TestBytes does the same to the bytes of the files, inside their compression and outside it.
func TestBytes(t *testing.T) { attack(t, "bytes", mutator.bytes) }

// attack runs the detectors on changed cases, and prints what became of them.
func attack(t *testing.T, by string, change func(mutator, diagnose.Input) diagnose.Input) {
	n, err := strconv.Atoi(os.Getenv("CASEBOOK_ATTACK"))
	attacked := err == nil
	if !attacked {
		n = 50
	}
	folders := caseFolders(t)
	broken, refused, longest := 0, 0, time.Duration(0)
	for i := range n {
		folder := folders[i*7%len(folders)]
		name := folder + "/" + strconv.Itoa(i)
		if !t.Run(name, func(t *testing.T) {
			in := change(newMutator(uint64(i)), loadCase(t, folder))
			start := time.Now()
			rep := diagnose.Run(t.Context(), in, diagnose.Options{})
			longest = max(longest, time.Since(start))
			whole(t, rep)
			if len(rep.Problems) > 0 {
				refused++
			}
		}) {
			broken++
		}
	}
	if attacked {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		fmt.Printf("attack: %d cases changed by %s: %d broke a detector or a reader, of %d a file was refused, %.1f "+
			"s the longest, %d MiB of the system\n",
			n, by, broken, refused, longest.Seconds(), m.Sys>>20)
	}
}
