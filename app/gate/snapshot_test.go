package gate

import (
	"slices"
	"testing"
)

// A snapshot has each benchmark's figures and the functions that have them, of a commit and not of the working tree, and
// leaves nothing behind.
func TestTake(t *testing.T) {
	tmp := ownTemp(t)
	r := newRepo(t, shop{work: 1, allocs: 3})
	r.write("shop.go", shop{work: 1, allocs: 9}.source()) // not committed
	s, err := Take(t.Context(), Config{Dir: r.dir, Head: "HEAD", Bench: "Encode", Benchtime: "100x", Runs: 2, Rounds: 2,
		Progress: testWriter{t}})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Benchmarks) != 1 || s.Benchmarks[0].Subject != "example.com/shop BenchmarkEncode/size=small" || s.Commit == "" {
		t.Fatalf("%+v, want one benchmark of a commit", s)
	}
	levels := s.Benchmarks[0].Figures
	for _, name := range []string{"time", "bytes", "allocs"} {
		if !slices.ContainsFunc(levels, func(l Level) bool { return l.Name == name && l.Value > 0 }) {
			t.Errorf("there is no %s in %+v", name, levels)
		}
	}
	at := slices.IndexFunc(levels, func(l Level) bool { return l.Name == "allocs" })
	if l := levels[at]; l.Value != 3 || len(l.Functions) == 0 || l.Functions[0].Function != "example.com/shop.fill" ||
		l.Functions[0].File != "example.com/shop/shop.go" || l.Functions[0].Share < .9 {
		t.Errorf("%+v, want 3 allocs, nearly all in fill", l)
	}
	r.clean(tmp)
	if _, err := Take(t.Context(), Config{Dir: r.dir, Head: "HEAD", Bench: "None", Benchtime: "1x", Runs: 1,
		Rounds: 1}); err == nil {
		t.Error("no benchmark matches, and no error says so")
	}
	r.clean(tmp)
}
