package diagnose_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/internal/checkout"
)

// TestKnownFaultRecordings: programs whose release has the fault, recorded while they meet it (the release that repairs
// it is wanted), with the repaired release under the same load, and with the faulty one under an ordinary load. Those
// in real/ are by others; testdata/known/programs.txt has the rest.
func TestKnownFaultRecordings(t *testing.T) {
	cases, err := checkout.Evidence(t).Cases("known/*")
	if err != nil || len(cases) < 25 {
		t.Fatalf("%d folders, want 25 or more (%v)", len(cases), err)
	}
	want := map[string]string{
		"real/jwt-5.2.1": "v5.2.2", "real/pond-2.3.2": "v2.3.3", "real/promhttp-1.11.0": "v1.11.1",
		"known/mail-1.25.1": "1.25.10", "known/pem-1.25.1": "1.25.2", "known/html-0.32.0": "v0.33.0",
		"known/yaml-2.2.7": "v2.2.8", "known/jose-4.0.4": "v4.0.5", "known/otelhttp-0.43.0": "v0.44.0",
		"known/otelgrpc-0.45.0": "v0.46.0", "known/sdk-1.35.0": "v1.36.0", "known/otel-1.29.0": "v1.30.0",
		"known/redis-9.17.2": "v9.17.3",
	}
	names := append([]string{"real/jwt-5.2.1", "real/jwt-5.2.2", "real/pond-2.3.2", "real/pond-2.3.4",
		"real/promhttp-1.11.0", "real/promhttp-1.11.1"}, cases...)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			i := slices.IndexFunc(judged(t, name).Findings,
				func(f casefile.Finding) bool { return f.Kind == "known-fault" })
			if want[name] == "" && i >= 0 || want[name] != "" && i != 0 {
				t.Fatalf("known-fault is finding %d (-1: none), want it first: %v", i, want[name] != "")
			}
			if i == 0 {
				if title := judged(t, name).Findings[0].Remedies[0].Title; !strings.Contains(title,
					" "+want[name]+" ") {
					t.Errorf("the remedy is %q, want %s", title, want[name])
				}
			}
		})
	}
}

// A scene is evidence of one fault, or of its nearest neighbour.
type scene struct {
	fault                known.Fault
	module, version      string
	function, below, via string // via: of the user's, between the two
	file                 string // of the function
	goVersion            string
}

// sceneOf is a fault as its entry has it, shown by one of the functions that show it.
func sceneOf(k known.Fault, a known.Affected, in, of string) scene {
	s := scene{fault: k, module: a.Module, version: lastWith(a), function: in, below: of}
	if strings.HasSuffix(of, ".") {
		s.below += "(*float64Inst).Record"
	}
	s.goVersion = s.version
	if a.Module != known.GoItself {
		s.function, s.goVersion = a.Module+in, "go1.26.1"
	}
	return s
}

// lastWith is a release with the fault, as late as its number tells.
func lastWith(a known.Affected) string {
	var major, minor, patch int
	prefix := strings.TrimRight(a.Fixed, "0123456789.")
	fmt.Sscanf(a.Fixed, prefix+"%d.%d.%d", &major, &minor, &patch)
	if patch == 0 {
		minor, patch = minor-1, 99
	} else {
		patch--
	}
	return fmt.Sprintf("%s%d.%d.%d", prefix, major, minor, patch)
}

// stack is the scene's stack, the leaf first. A heap profile has no frames of the runtime at the leaf.
func (s scene) stack(heap bool) string {
	file := s.file
	if file == "" {
		file = "/root/go/pkg/mod/" + s.module + "@" + s.version + "/x.go"
		if s.module == known.GoItself {
			file = "/usr/local/go/src/" + strings.Split(s.function, ".")[0] + "/x.go"
		}
	}
	frames := []string{s.function + "|" + file, "main.handle|/src/main.go", "main.main|/src/main.go"}
	if s.via != "" {
		frames = append([]string{s.via + "|/src/main.go"}, frames...)
	}
	if s.below != "" && !(heap && strings.HasPrefix(s.below, "runtime.")) {
		of := "/root/go/pkg/mod/example.com/other@v1.0.0/x.go"
		if !strings.Contains(strings.Split(s.below, "/")[0], ".") || !strings.Contains(s.below, "/") {
			of = "/usr/local/go/src/" + strings.Split(s.below, ".")[0] + "/x.go"
		}
		frames = append([]string{s.below + "|" + of}, frames...)
	}
	return strings.Join(frames, " ")
}

const restOf = "main.rest|/src/main.go main.main|/src/main.go"

// evidence is what shows the fault, by the kind of its evidence.
func (s scene) evidence(t *testing.T) []diagnose.Evidence {
	t.Helper()
	begin := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	heap := func(name string, at time.Duration, below int64) diagnose.Evidence {
		return diagnose.Evidence{Name: name, Kind: casefile.Heap, Taken: begin.Add(at), Data: framesProfile(t, heapTypes(),
			map[string]int64{s.stack(true): below, restOf: 30 << 20})}
	}
	switch s.fault.Seen {
	case known.CPUAndGarbage:
		return []diagnose.Evidence{{Name: "cpu.pb.gz", Kind: casefile.CPU, Taken: begin, Seconds: 10,
			Data: framesProfile(t, cpuTypes(), map[string]int64{s.stack(false): 600, restOf: 400})}}
	case known.HeldBelow:
		return []diagnose.Evidence{heap("heap.pb.gz", 0, 60<<20)}
	case known.GrowthBelow:
		return []diagnose.Evidence{heap("heap.pb.gz", 0, 20<<20), heap("heap-after.pb.gz", 2*time.Minute, 80<<20)}
	}
	own := map[string]int64{s.stack(true): 600 << 10, restOf: 30 << 20,
		"main.handle|/src/main.go main.main|/src/main.go": 60 << 20}
	return []diagnose.Evidence{{Name: "heap.pb.gz", Kind: casefile.Heap, Taken: begin,
		Data: framesProfile(t, heapTypes(), own)}}
}

func (s scene) found(t *testing.T) (out []casefile.Finding) {
	t.Helper()
	in := diagnose.Input{Build: casefile.Build{Module: "example.com/app", GoVersion: s.goVersion}, Evidence: s.evidence(t)}
	for _, f := range diagnose.Run(t.Context(), in, diagnose.Options{}).Findings {
		if f.Kind == "known-fault" {
			out = append(out, f)
		}
	}
	return out
}

// TestKnownFaults: each entry speaks of the last release that has the fault, at each of its functions; and is silent
// about its nearest neighbours.
func TestKnownFaults(t *testing.T) {
	for _, k := range known.Faults() {
		for _, a := range k.Releases {
			for _, in := range k.In {
				for _, of := range append(k.Of, "")[:max(len(k.Of), 1)] {
					t.Run(a.Module+" "+a.Fixed+in+" "+of, func(t *testing.T) {
						speaksAlone(t, sceneOf(k, a, in, of), a)
					})
				}
			}
		}
	}
}

func speaksAlone(t *testing.T, s scene, a known.Affected) {
	t.Helper()
	own := s.below == s.function // the function shows the fault by its own work
	if own {
		s.below = ""
	}
	speaks(t, s, a)
	for name, n := range neighbours(s, a) {
		if got := n.found(t); len(got) > 0 {
			t.Errorf("%s: %s", name, got[0].Title)
		}
	}
	if own {
		if got := withBelow(s, "gopkg.in/yaml.v2.yaml_parser_scan").found(t); len(got) > 0 {
			t.Errorf("another function below it: %s", got[0].Title)
		}
	}
}

func speaks(t *testing.T, s scene, a known.Affected) {
	t.Helper()
	got := s.found(t)
	if len(got) != 1 || got[0].Score < 50 || len(got[0].Remedies) != 1 {
		t.Fatalf("%d findings %+v; want one of 50 or more with one remedy", len(got), got)
	}
	f := got[0]
	if fixed := strings.TrimPrefix(a.Fixed, "go"); !strings.Contains(f.Remedies[0].Title, " "+fixed+" ") {
		t.Errorf("the remedy is %q, want %s", f.Remedies[0].Title, fixed)
	}
	if len(f.Where) != 2 || f.Where[0].Function != "main.handle" || f.Where[1].Function != s.function {
		t.Errorf("at %+v, want main.handle and %s", f.Where, s.function)
	}
	if f.Impact.Gain.High <= 0 || f.Impact.Gain.Low > f.Impact.Gain.High {
		t.Errorf("the gain is %+v", f.Impact.Gain)
	}
}

// neighbours are what looks nearly like a fault, and is none, or cannot be told from none.
func neighbours(s scene, a known.Affected) map[string]scene {
	out := make(map[string]scene)
	add := func(name string, change func(*scene)) {
		n := s
		change(&n)
		out[name] = n
	}
	set := func(version string) func(*scene) {
		return func(n *scene) {
			n.version = version
			if n.module == known.GoItself {
				n.goVersion = version
			}
		}
	}
	add("the release that repairs it", set(a.Fixed))
	add("a function whose name begins alike", func(n *scene) { n.function += "Lax" })
	if s.module == known.GoItself {
		add("a patched Go", set(s.version+"-acme"))
		add("a Go that is not known", set(""))
	} else {
		add("a commit between releases", set(s.version+"-0.20250321132515-0951d184286d"))
		add("a vendored module", func(n *scene) { n.file = "/src/vendor/" + s.module + "/x.go" })
		add("a fork", func(n *scene) { n.file = "/root/go/pkg/mod/github.com/acme/fork@" + s.version + "/x.go" })
	}
	if s.below != "" {
		add("another function below it", func(n *scene) { n.below += "Lax" })
		if strings.Contains(s.below, "float64Inst") { // all of a package
			out["another function below it"] = withBelow(s, "go.opentelemetry.io/otel/sdk/metrics.Record")
		}
		if !strings.HasPrefix(s.below, "runtime.") {
			add("the user's function, called back", func(n *scene) { n.via = "main.back" })
		}
	}
	return out
}

func withBelow(s scene, name string) scene {
	s.below = name
	return s
}

func cpuTypes() []*profile.ValueType {
	return []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}}
}

func heapTypes() []*profile.ValueType {
	return []*profile.ValueType{{Type: "alloc_objects", Unit: "count"}, {Type: "alloc_space", Unit: "bytes"},
		{Type: "inuse_objects", Unit: "count"}, {Type: "inuse_space", Unit: "bytes"}}
}

// framesProfile is a profile of stacks, whose frames are "function|file", the leaf first: ticks of 10 ms of CPU, or
// live bytes in objects of 1 KiB.
func framesProfile(t *testing.T, types []*profile.ValueType, of map[string]int64) []byte {
	t.Helper()
	p := &profile.Profile{SampleType: types, PeriodType: types[1], Period: 1e7}
	if len(types) > 2 {
		p.PeriodType, p.Period = &profile.ValueType{Type: "space", Unit: "bytes"}, stacks.DefaultRate
	}
	for stack, n := range of {
		s := &profile.Sample{Value: []int64{n, n * 1e7}}
		if len(types) > 2 {
			s.Value = []int64{n >> 10, n, n >> 10, n}
		}
		for frame := range strings.FieldsSeq(stack) {
			name, file, _ := strings.Cut(frame, "|")
			fn := &profile.Function{ID: uint64(len(p.Function) + 1), Name: name, Filename: file}
			l := &profile.Location{ID: fn.ID, Line: []profile.Line{{Function: fn, Line: 7}}}
			p.Function, p.Location, s.Location = append(p.Function, fn), append(p.Location, l), append(s.Location, l)
		}
		p.Sample = append(p.Sample, s)
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
