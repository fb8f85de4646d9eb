package evidence

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/archive"
	"github.com/gocasebook/casebook/vitals"
)

// wide is a profile of n stacks of which the first are by far the heaviest.
func wide(n int) *profile.Profile {
	r := rand.New(rand.NewPCG(1, 2))
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "objects", Unit: "count"}, {Type: "space", Unit: "bytes"}},
		PeriodType: &profile.ValueType{Type: "space", Unit: "bytes"}, Period: 1,
		Mapping: []*profile.Mapping{{ID: 1, File: "/home/somebody/bin/service"}},
	}
	for i := range n {
		f := &profile.Function{ID: uint64(i + 1), Name: fmt.Sprintf("main.f%x", r.Uint64()), Filename: "main.go"}
		l := &profile.Location{ID: f.ID, Mapping: p.Mapping[0], Line: []profile.Line{{Function: f, Line: 1}}}
		p.Function, p.Location = append(p.Function, f), append(p.Location, l)
		value := []int64{1, 10}
		if i < 100 {
			value = []int64{1_000_000, 1}
		}
		p.Sample = append(p.Sample, &profile.Sample{Location: []*profile.Location{l}, Value: value})
	}
	return p
}

// TestPrune: it keeps the heaviest by any value, and as much as fits.
func TestPrune(t *testing.T) {
	const limit = 12_000
	p := wide(500)
	text, err := encode(p)
	if err != nil {
		t.Fatal(err)
	}
	if out, dropped, err := prune(p, len(text)+len(text)/10); err != nil || dropped != 0 {
		t.Errorf("a profile that fits: %d stacks dropped, %d bytes of %d, %v", dropped, len(out), len(text), err)
	}
	if _, _, err := prune(wide(2000), limit); err == nil || !strings.Contains(err.Error(), "record for less time") {
		t.Errorf("2,000 stacks of equal weight cannot fit into %d bytes: %v", limit, err)
	}
	light := wide(2000)
	for _, s := range light.Sample[100:] {
		s.Value[1] = 0
	}
	out, dropped, err := prune(light, limit)
	if err != nil || len(out) > limit || dropped == 0 {
		t.Fatalf("%d bytes, %d dropped, %v; want at most %d", len(out), dropped, err, limit)
	}
	q, err := profile.ParseData(out)
	if err != nil {
		t.Fatal(err)
	}
	if got := totals(q.Sample); got[1] != 100 || float64(got[0]) < (1-maxPruned)*(100e6+1900) ||
		len(q.Sample)+dropped != 2000 {
		t.Errorf("kept %v of [100001900 100] in %d stacks, %d dropped", got, len(q.Sample), dropped)
	}
}

func TestClean(t *testing.T) {
	text, err := encode(wide(10))
	if err != nil {
		t.Fatal(err)
	}
	dump := []byte(strings.Repeat("goroutine 1 [running]:\n", MaxFile/50))
	m := Manifest{Evidence: []File{{File: "heap.pb.gz", Data: text}, {File: "goroutine-dump.txt", Data: dump}}}
	if err := m.Clean(); err != nil {
		t.Fatal(err)
	}
	p, err := profile.ParseData(m.Evidence[0].Data)
	if err != nil || p.Mapping[0].File != "service" || m.Evidence[0].Note != "" {
		t.Errorf("the binary is %q, the note %q, %v; want its name alone and no note", p.Mapping[0].File,
			m.Evidence[0].Note, err)
	}
	if f := m.Evidence[1]; f.File != "goroutine-dump.txt.gz" || !bytes.HasPrefix(f.Data, []byte{0x1f, 0x8b}) {
		t.Errorf("a long dump is kept as %s, beginning with %x; want it compressed", f.File, f.Data[:2])
	}
}

// TestCleanMetrics: from expvar's answer the runtime's sums are kept, and no path of this machine.
func TestCleanMetrics(t *testing.T) {
	m := Manifest{Evidence: []File{{File: "metrics.json", Kind: casefile.Metrics,
		Data: []byte(
			`{"cmdline": ["/home/ann/fault"], "memstats": {"HeapInuse": 7, "BySize": [{"Size": 8}], "PauseNs": [1, 2]}}`)}}}
	if err := m.Clean(); err != nil {
		t.Fatal(err)
	}
	if got, want := string(m.Evidence[0].Data), "{\n \"memstats\": {\n  \"HeapInuse\": 7\n }\n}\n"; got != want {
		t.Errorf("kept %q, want %q", got, want)
	}
}

func TestWrite(t *testing.T) {
	set := archive.Set(t.TempDir())
	write := func(name string, size int) error {
		m := Manifest{Program: "it", Evidence: []File{{File: name, Kind: casefile.Heap, Data: make([]byte, size)}}}
		return m.Write(set, "alloc_fmt/faulty")
	}
	for _, name := range []string{"old.pb.gz", "new.pb.gz"} {
		if err := write(name, 10); err != nil {
			t.Fatal(err)
		}
	}
	files, err := set.Case("alloc_fmt/faulty")
	if err != nil {
		t.Fatal(err)
	}
	m, err := Read(files)
	if err != nil || len(files) != 2 || m.Program != "it" || len(m.Evidence[0].Data) != 10 {
		t.Errorf("%v, %+v (%v), want manifest.json and new.pb.gz", files.Names(), m, err)
	}
	delete(files, "new.pb.gz")
	if _, err := Read(files); err == nil {
		t.Error("a case without a file of its manifest was read")
	}
	if err := write("large.pb.gz", MaxFile+1); err == nil {
		t.Error("a file above the bound was written")
	}
}

func TestLater(t *testing.T) {
	for file, want := range map[string]string{"heap.pb.gz": "heap-later.pb.gz",
		"vitals-before.jsonl": "vitals-later.jsonl", "goroutine-dump.txt": "goroutine-dump-later.txt"} {
		if got := laterName(file); got != want {
			t.Errorf("%s becomes %s, want %s", file, got, want)
		}
	}
	at := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	var b bytes.Buffer
	var samples []vitals.Sample
	for i := range 20 {
		samples = append(samples, vitals.NewSample(at.Add(time.Duration(i)*time.Second/2)))
	}
	if err := vitals.WriteJSONL(&b, samples, nil, map[string]string{"throttled": "no quota"}); err != nil {
		t.Fatal(err)
	}
	data, err := samplesAfter(b.Bytes(), at.Add(6*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	h, left, err := vitals.ReadJSONL(bytes.NewReader(data))
	if err != nil || len(left) != 3 || h.Absent["throttled"] != "no quota" {
		t.Errorf("%d samples, absent %v (%v); want 3 and the reason kept", len(left), h.Absent, err)
	}
}

// TestAlterCPU: only CPU profiles are altered, and an alteration that fails is reported with the file's name.
func TestAlterCPU(t *testing.T) {
	text, err := encode(wide(10))
	if err != nil {
		t.Fatal(err)
	}
	m := Manifest{Evidence: []File{{File: "cpu.pb.gz", Kind: casefile.CPU, Data: text},
		{File: "heap.pb.gz", Kind: casefile.Heap, Data: text}}}
	strip := func(p *profile.Profile) error {
		for _, l := range p.Location {
			l.Line = nil
		}
		return nil
	}
	if err := m.AlterCPU(strip); err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{0, 1} {
		p, err := profile.ParseData(m.Evidence[i].Data)
		if err != nil || len(p.Location[0].Line) != want {
			t.Errorf("%s: %d lines at an address, %v; want %d", m.Evidence[i].File, len(p.Location[0].Line), err, want)
		}
	}
	broken := func(*profile.Profile) error { return errors.New("no such library") }
	if err := m.AlterCPU(broken); err == nil || !strings.Contains(err.Error(), "cpu.pb.gz") {
		t.Errorf("error %v, want one with the file's name", err)
	}
}
