package heapdump

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/diagnose/refs"
)

// planted is who holds the memory in each case of testdata/holders: kind of root, and its name.
var planted = map[string]struct {
	kind refs.RootKind
	name string
}{
	"map":            {refs.Global, "main.cache"},
	"slice":          {refs.Global, "main.events"},
	"struct":         {refs.Global, "main.app"},
	"closure":        {refs.Goroutine, "main.startClosure.func1"},
	"channel":        {refs.Goroutine, "main.fillChannel"}, // produce is inlined
	"channel-global": {refs.Global, "main.backlog"},
	"timer":          {refs.Timer, "timers (runtime.p)"},
	"finalizer":      {refs.Finalizer, "main.closeFile"},
	"pool":           {refs.Global, "main.pool"},
	"context":        {refs.Goroutine, "main.await"},
	"linked":         {refs.Global, "main.history"},
	"stack":          {refs.Goroutine, "main.work"},
	"lru":            {refs.Global, "main.lookups"},
	"syncmap":        {refs.Global, "main.sessions"},
	"shards":         {refs.Global, "main.shards"},
	"workers":        {refs.Goroutine, "main.consume"},
	"taken":          {refs.Goroutine, "main.load"},
	"registry":       {refs.Global, "main.plugins"},
	"handler":        {refs.Global, "net/http.defaultServeMux"},
	"defer":          {refs.Goroutine, "main.session"},
}

// buildHolders builds testdata/holders and lists its cases.
func buildHolders(t testing.TB) (binary string, cases []string) {
	t.Helper()
	binary = filepath.Join(t.TempDir(), "holders")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary, "./testdata/holders").
		CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.CommandContext(t.Context(), binary, "-list").Output()
	if err != nil {
		t.Fatal(err)
	}
	return binary, strings.Fields(string(out))
}

// dumpOf runs a case and reads its dump.
func dumpOf(t testing.TB, binary, name string, o Options) *refs.Summary {
	t.Helper()
	file := filepath.Join(t.TempDir(), "heap.dump")
	if out, err := exec.CommandContext(t.Context(), binary, "-case", name, "-orders", "2000", "-o", file).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s, err := Read(t.Context(), name, f, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestPlanted dumps real processes. The holder that was planted has to be the first.
func TestPlanted(t *testing.T) {
	binary, cases := buildHolders(t)
	if len(cases) != len(planted) {
		t.Errorf("the program has %d cases, the test knows %d", len(cases), len(planted))
	}
	t.Run("other binary", func(t *testing.T) {
		other := bytes.NewReader(recorded(t)["go1.25.dump"])
		_, err := Read(t.Context(), "other", other, Options{Binary: binary})
		if err == nil || !strings.Contains(err.Error(), "is not the program of this dump") {
			t.Errorf("got %v", err)
		}
	})
	for _, name := range cases {
		t.Run(name, func(t *testing.T) {
			s := dumpOf(t, binary, name, Options{Binary: binary})
			if len(s.Holders) == 0 || len(s.Warnings) > 0 {
				t.Fatalf("holders %v, warnings %q", s.Holders, s.Warnings)
			}
			h, want := s.Holders[0], planted[name]
			if h.Root.Kind != want.kind || h.Root.Name != want.name {
				t.Errorf("first is %+v, want %+v; all: %+v", h, want, s.Roots)
			}
			if h.Bytes < 512<<10 {
				t.Errorf("it holds %d bytes, want the orders: 1 MiB", h.Bytes)
			}
			for _, h := range s.Holders {
				t.Logf("%d %d %+v %+v %+v %+v", h.Bytes, h.Objects, h.Root, h.Parts, h.Also, h.Allocated)
			}
		})
	}
}

// TestPlantedElsewhere reads dumps of a program that another Go has built: CASEBOOK_HOLDERS is its path.
func TestPlantedElsewhere(t *testing.T) {
	binary := os.Getenv("CASEBOOK_HOLDERS")
	if binary == "" {
		t.Skip("CASEBOOK_HOLDERS is not set")
	}
	for name, want := range planted {
		for _, o := range []Options{{Binary: binary}, {}} {
			s := dumpOf(t, binary, name, o)
			r := s.Holders[0].Root
			if r.Kind != want.kind || o.Binary != "" && r.Name != want.name || s.Holders[0].Bytes < 512<<10 {
				t.Errorf("%s, binary %q: %+v %+v", name, o.Binary, s.Holders[0], s.Warnings)
			}
		}
	}
}
