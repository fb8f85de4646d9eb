package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
)

// A took is how long the tests of a package took: their program, without what it took to build.
type took struct {
	pkg     string
	seconds float64
}

func (s took) String() string { return fmt.Sprintf("%7.1f s  %s", s.seconds, s.pkg) }

// slowest reads what go test -json wrote, and returns the packages, those that took longest first. One that was tested
// twice, with the race detector and without, is there twice: as many are the programs that were linked, where no result
// was kept from an earlier run. A file that cannot be read is an error beside the others' packages.
func slowest(files []string) (all []took, err error) {
	for _, name := range files {
		f, bad := os.Open(name)
		if bad != nil {
			err = errors.Join(err, bad)
			continue
		}
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<24)
		for lines.Scan() {
			var e struct {
				Action, Package, Test string
				Elapsed               float64
			}
			if json.Unmarshal(lines.Bytes(), &e) == nil && e.Test == "" && (e.Action == "pass" || e.Action == "fail") {
				all = append(all, took{strings.TrimPrefix(e.Package, root+"/"), e.Elapsed})
			}
		}
		err = errors.Join(err, lines.Err(), f.Close())
	}
	slices.SortStableFunc(all, func(a, b took) int { return cmp.Compare(b.seconds, a.seconds) })
	return all, err
}
