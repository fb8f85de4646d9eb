package diagnose_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

// A valuedStack is a stack, the leaf first, with its values.
type valuedStack struct {
	frames []string
	values []int64
}

// profileOfStacks is a profile of such stacks; what is below example.com/dep is a dependency.
func profileOfStacks(t *testing.T, types []string, period int64, all ...valuedStack) []byte {
	t.Helper()
	p := &profile.Profile{DurationNanos: 10e9, Period: period}
	for _, of := range types {
		typ, unit, _ := strings.Cut(of, "/")
		p.SampleType = append(p.SampleType, &profile.ValueType{Type: typ, Unit: unit})
	}
	p.PeriodType = p.SampleType[len(p.SampleType)-1]
	at := make(map[string]*profile.Location)
	for _, of := range all {
		s := &profile.Sample{Value: of.values}
		for _, name := range of.frames {
			l := at[name]
			if l == nil {
				f := &profile.Function{ID: uint64(len(at) + 1), Name: name, Filename: "/src/" + name + ".go"}
				if strings.HasPrefix(name, "example.com/dep") {
					f.Filename = "/go/pkg/mod/example.com/dep@v1.2.0/dep.go"
				}
				l = &profile.Location{ID: f.ID, Line: []profile.Line{{Function: f, Line: 7}}}
				p.Function, p.Location, at[name] = append(p.Function, f), append(p.Location, l), l
			}
			s.Location = append(s.Location, l)
		}
		p.Sample = append(p.Sample, s)
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// firstOfKind is the first finding of a kind in a profile.
func firstOfKind(t *testing.T, data []byte, kind string) casefile.Finding {
	t.Helper()
	rep := diagnose.Run(context.Background(), diagnose.Input{Evidence: []diagnose.Evidence{{Name: "p.pb.gz", Data: data}}},
		diagnose.Options{})
	for _, f := range rep.Findings {
		if f.Kind == kind {
			return f
		}
	}
	return casefile.Finding{Where: []casefile.Frame{{}}}
}

// TestRepeat: where a process does nothing but one call, the function that repeats is named beside the hottest one; one
// that serves, or a main function, is not.
func TestRepeat(t *testing.T) {
	ms := func(n int64) []int64 { return []int64{n, n * 10_000_000} }
	below := func(n int64, frames ...string) valuedStack {
		return valuedStack{append(frames, "main.(*server).exec", "main.(*server).handle", "main.serve.func1"), ms(n)}
	}
	loop := []valuedStack{
		below(320, "main.(*ring).pop", "main.(*log).trim"),
		below(250, "sync.(*RWMutex).Unlock", "main.(*ring).pop", "main.(*log).trim"),
		below(300, "main.(*ring).size", "main.(*log).trim"),
		below(30, "main.(*log).trim"),
	}
	network := valuedStack{[]string{"syscall.Syscall", "syscall.write", "internal/poll.(*FD).Write", "net.(*netFD).Write",
		"net.(*conn).Write", "main.(*server).handle", "main.serve.func1"}, ms(5)}
	batch := []valuedStack{{[]string{"main.step", "main.main", "runtime.main"}, ms(500)},
		{[]string{"main.draw", "main.main", "runtime.main"}, ms(400)}}
	few := []valuedStack{below(240, "main.(*ring).pop", "main.(*log).trim"),
		below(230, "main.(*ring).size", "main.(*log).trim")}
	for name, tt := range map[string]struct {
		stacks           []valuedStack
		hottest, repeats string
	}{
		"a loop that does not end": {loop, "main.(*ring).pop", "main.(*log).trim"},
		"a server":                 {append(loop[:len(loop):len(loop)], network), "main.(*ring).pop", ""},
		"a batch in main":          {batch, "main.step", ""},
		"few samples":              {few, "main.(*ring).pop", ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := firstOfKind(t, profileOfStacks(t, []string{"samples/count", "cpu/nanoseconds"}, 10_000_000, tt.stacks...),
				"cpu-hot-function")
			repeats := slices.IndexFunc(f.Where, func(w casefile.Frame) bool { return w.Role == "repeats it" })
			if f.Where[0].Function != tt.hottest || tt.repeats == "" && repeats >= 0 {
				t.Errorf("%s at %v, want %s", f.Title, f.Where, tt.hottest)
			}
			if tt.repeats != "" && (repeats != 1 || f.Where[1].Function != tt.repeats) {
				t.Errorf("%s at %v, want %s as the second place", f.Title, f.Where, tt.repeats)
			}
		})
	}
}

// TestGiantInside: a giant that a dependency makes below its API is its own, and one that is made in what the program
// calls is the program's to divide.
func TestGiantInside(t *testing.T) {
	heap := func(maker string) []byte {
		stack := valuedStack{[]string{maker, "example.com/dep.(*Host).Start", "main.open", "main.main", "runtime.main"}, nil}
		var all []valuedStack
		for size := int64(400 << 20); size >= 1<<20; size /= 2 {
			s := stack
			s.values = []int64{1, size, 0, 0}
			if len(all) == 0 {
				s.values = []int64{1, size, 1, size}
			}
			all = append(all, s)
		}
		return profileOfStacks(t, []string{"alloc_objects/count", "alloc_space/bytes", "inuse_objects/count", "inuse_space/bytes"},
			512<<10, all...)
	}
	for maker, inside := range map[string]bool{"example.com/dep/log.(*index).append": true,
		"example.com/dep.(*Host).grow": false} {
		f := firstOfKind(t, heap(maker), "mem-giant")
		if f.Where[0].Function != "main.open" || strings.Contains(f.Title, ", in log.(*index).append") != inside ||
			strings.Contains(f.Remedies[0].Title, "dependency") != inside {
			t.Errorf("%s: %q at %s, %q; want the program's line, and the dependency's: %v", maker, f.Title,
				f.Where[0].Function, f.Remedies[0].Title, inside)
		}
	}
}
