package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/internal/archive"
)

// diff prints which files of two cases differ, and of profiles in what.
func diff(s archive.Set, args []string, out io.Writer) error {
	a, err := open(s, args[0])
	if err != nil {
		return err
	}
	b, err := open(s, args[1])
	if err != nil {
		return err
	}
	differ := false
	for _, name := range union(a, b) {
		said := differs(name, a, b)
		if said != "" {
			differ = true
			fmt.Fprintf(out, "%s: %s\n", name, said)
		}
	}
	if differ {
		return errDiffer
	}
	return nil
}

// open reads a case by its name, or a folder, or an archive that is in no set.
func open(s archive.Set, name string) (archive.Files, error) {
	if s.Has(name) {
		return s.Case(name)
	}
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s is neither a case nor a file: %w", name, err)
	case info.IsDir():
		files, err := archive.ReadFolder(name)
		return files.Plain(), err
	}
	return archive.ReadArchive(name)
}

func union(a, b archive.Files) []string {
	names := a.Names()
	for _, name := range b.Names() {
		if _, ok := a[name]; !ok {
			names = append(names, name)
		}
	}
	return names
}

// differs says in what a file differs; "" where it is the same.
func differs(name string, a, b archive.Files) string {
	before, inA := a[name]
	after, inB := b[name]
	switch {
	case !inB:
		return fmt.Sprintf("only in the first, %d bytes", len(before))
	case !inA:
		return fmt.Sprintf("only in the second, %d bytes", len(after))
	case bytes.Equal(before, after):
		return ""
	}
	p, errA := profile.ParseData(before)
	q, errB := profile.ParseData(after)
	if errA == nil && errB == nil && strings.HasSuffix(name, ".pb.gz") {
		return profiles(p, q)
	}
	return fmt.Sprintf("%d lines of %d bytes, then %d lines of %d bytes", bytes.Count(before, []byte("\n")), len(before),
		bytes.Count(after, []byte("\n")), len(after))
}

// shown is how many functions a summary has of those whose own value changed most.
const shown = 3

// profiles says what two profiles are the totals of, and which functions make the difference.
func profiles(p, q *profile.Profile) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d stacks, then %d", len(p.Sample), len(q.Sample))
	for i, kind := range p.SampleType {
		if i >= len(q.SampleType) || q.SampleType[i].Type != kind.Type {
			fmt.Fprintf(&b, "; no %s in the second", kind.Type)
			continue
		}
		before, after := own(p, i), own(q, i)
		fmt.Fprintf(&b, "\n    %s in %s: %d, then %d", kind.Type, kind.Unit, total(before), total(after))
		for _, c := range changes(before, after) {
			fmt.Fprintf(&b, "\n        %+d %s", c.by, c.function)
		}
	}
	return b.String()
}

// own is the value of each function where it is the innermost.
func own(p *profile.Profile, value int) map[string]int64 {
	sums := make(map[string]int64)
	for _, s := range p.Sample {
		function := "?"
		if len(s.Location) > 0 && len(s.Location[0].Line) > 0 {
			function = s.Location[0].Line[0].Function.Name
		}
		sums[function] += s.Value[value]
	}
	return sums
}

func total(sums map[string]int64) (all int64) {
	for _, v := range sums {
		all += v
	}
	return all
}

// A change is by how much a function's own value differs.
type change struct {
	function string
	by       int64
}

// changes are the largest, the largest first.
func changes(before, after map[string]int64) (list []change) {
	for function, v := range after {
		list = append(list, change{function, v - before[function]})
	}
	for function, v := range before {
		if _, ok := after[function]; !ok {
			list = append(list, change{function, -v})
		}
	}
	list = slices.DeleteFunc(list, func(c change) bool { return c.by == 0 })
	slices.SortFunc(list, func(a, b change) int {
		return cmp.Or(cmp.Compare(abs(b.by), abs(a.by)), cmp.Compare(a.function, b.function))
	})
	return list[:min(shown, len(list))]
}

func abs(v int64) int64 { return max(v, -v) }
