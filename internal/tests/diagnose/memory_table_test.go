package diagnose_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/internal/checkout"
	"github.com/gocasebook/casebook/vitals"
)

// rowsSum adds up a table, and reports whether a row is not known.
func rowsSum(m *casefile.MemoryTable) (sum int64, unknown string) {
	for _, r := range m.Rows {
		if r.Bytes == nil {
			unknown += r.Kind + " "
			continue
		}
		sum += *r.Bytes
	}
	return sum, strings.TrimSpace(unknown)
}

func memoryOf(t *testing.T, evidence ...diagnose.Evidence) *casefile.MemoryTable {
	t.Helper()
	rep := diagnose.Run(t.Context(), diagnose.Input{Evidence: evidence},
		diagnose.Options{Detectors: []diagnose.Detector{}})
	for _, p := range rep.Problems {
		t.Errorf("%s: %s", p.File, p.Reason)
	}
	if rep.Picture == nil {
		return nil
	}
	return rep.Picture.Memory
}

// vitalsOf are one sample as evidence.
func vitalsOf(t *testing.T, at time.Time, values map[vitals.ID]float64) diagnose.Evidence {
	t.Helper()
	s := vitals.NewSample(at)
	for id, v := range values {
		s.Set(id, v)
	}
	var b strings.Builder
	if err := vitals.WriteJSONL(&b, []vitals.Sample{s}, nil, nil); err != nil {
		t.Fatal(err)
	}
	return diagnose.Evidence{Name: "vitals.jsonl", Kind: casefile.Vitals, Taken: at, Data: []byte(b.String())}
}

var readAt = time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)

const fromInside = `{"metrics":{"/gc/heap/live:bytes":60,"/memory/classes/heap/objects:bytes":100,
"/memory/classes/heap/unused:bytes":20,"/memory/classes/heap/free:bytes":10,"/memory/classes/heap/released:bytes":500,
"/memory/classes/heap/stacks:bytes":5,"/memory/classes/metadata/other:bytes":7,"/memory/classes/other:bytes":3},
"memory":{"rss":1,"mapped":{"rss":300,"heap":120,"program":50,"files":30,"shared":2,"anonymous":98,"arenas":640}}}`

// What each kind of evidence tells, down to the vitals alone; what it does not is not known, and the rows add up.
func TestMemoryTable(t *testing.T) {
	const mib = 1 << 20
	runtime := func(text string) diagnose.Evidence {
		return diagnose.Evidence{Name: "runtime.json", Kind: casefile.Runtime, Taken: readAt, Data: []byte(text)}
	}
	seen := vitalsOf(t, readAt.Add(-3*time.Second), map[vitals.ID]float64{vitals.RSS: 90 * mib, vitals.GoMemory: 70 * mib,
		vitals.HeapAlloc: 50 * mib, vitals.Stacks: 4 * mib, vitals.HeapLive: 30 * mib})
	for _, c := range []struct {
		name          string
		evidence      []diagnose.Evidence
		rows, unknown string
	}{
		{"from inside, with mappings", []diagnose.Evidence{runtime(fromInside)},
			"live 60 garbage 40 holes 20 free 10 stacks " +
				"5 runtime 10 untouched -15 program 50 files 30 shared 2 anonymous 88", ""},
		{"status alone", []diagnose.Evidence{seen, runtime(`{"memory":{"rss":94371840,"anonymous":73400330,"file":20971500,
			"shared":10}}`)}, "live 31457280 garbage 20971520 stacks 4194304 held 16777216 files 20971500 shared 10 " +
			"anonymous 10", ""},
		{"Go counts more than is resident", []diagnose.Evidence{seen,
			runtime(`{"memory":{"rss":52428800,"anonymous":52428800}}`)},
			"live 31457280 garbage 20971520 stacks 4194304 held 16777216 files 0 shared 0 untouched -20971520", "anonymous"},
		{"vitals alone", []diagnose.Evidence{seen},
			"live 31457280 garbage 20971520 stacks 4194304 held 16777216 rest 20971520",
			"program files anonymous"},
		{"no RSS, no collection", []diagnose.Evidence{vitalsOf(t, readAt, map[vitals.ID]float64{vitals.GoMemory: 70 * mib,
			vitals.HeapAlloc: 50 * mib})}, "objects 52428800 held 20971520", "live"},
		{"what is impossible is left out", []diagnose.Evidence{seen, runtime(`{"rlimits":{},"memory":{"rss":-5}}`)},
			"live 31457280 garbage 20971520 stacks 4194304 held 16777216 rest 20971520", "program files anonymous"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := memoryOf(t, c.evidence...)
			if m == nil {
				t.Fatal("no table")
			}
			sum, unknown := rowsSum(m)
			var rows []string
			for _, r := range m.Rows {
				if r.Bytes != nil {
					rows = append(rows, fmt.Sprintf("%s %d", r.Kind, *r.Bytes))
				}
			}
			if got := strings.Join(rows, " "); got != c.rows || unknown != c.unknown || sum != m.Total {
				t.Errorf("rows %s; not known: %s; sum %d of %d\nwant %s; %s", got, unknown, sum, m.Total, c.rows, c.unknown)
			}
		})
	}
	m := memoryOf(t, seen, runtime(`{"memory":{"rss":20971520,"anonymous":20971520}}`))
	if of := int64(70 * mib); m.Of() != of || !strings.HasPrefix(m.Text, "20 MiB resident of 70 MiB: 42.9 % ") {
		t.Errorf("of a heap that is larger than what is resident: shares are of %d, want %d; %s", m.Of(), of, m.Text)
	}
	if m := memoryOf(t, vitalsOf(t, readAt, map[vitals.ID]float64{vitals.RSS: 90 * mib})); m != nil {
		t.Errorf("a table of a process of which only RSS is known: %+v", m)
	}
}

// A row that is not known says why: nobody asked the kernel, or it did not answer.
func TestMemoryTableUnknown(t *testing.T) {
	seen := vitalsOf(t, readAt, map[vitals.ID]float64{vitals.RSS: 90 << 20, vitals.GoMemory: 70 << 20})
	for _, c := range []struct{ name, runtime, want string }{
		{"not captured", "", "evidence of the kind runtime"},
		{"not allowed", `{"rlimits":{},"absent":{"memory":"open /proc/7/status: permission denied"}}`, "permission denied"},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := []diagnose.Evidence{seen}
			if c.runtime != "" {
				in = append(in, diagnose.Evidence{Name: "runtime.json", Kind: casefile.Runtime, Taken: readAt,
					Data: []byte(c.runtime)})
			}
			rows := memoryOf(t, in...).Rows
			i := slices.IndexFunc(rows, func(r casefile.MemoryRow) bool { return r.Kind == "files" })
			if i < 0 || rows[i].Bytes != nil || !strings.Contains(rows[i].Text, c.want) {
				t.Errorf("rows %+v; want that of files not known, because of %q", rows, c.want)
			}
		})
	}
}

// A row that was read at another time than the total says when.
func TestMemoryTableTimes(t *testing.T) {
	seen := vitalsOf(t, readAt.Add(-3*time.Second), map[vitals.ID]float64{vitals.GoMemory: 70 << 20,
		vitals.HeapAlloc: 50 << 20})
	m := memoryOf(t, seen, diagnose.Evidence{Name: "runtime.json", Kind: casefile.Runtime, Taken: readAt,
		Data: []byte(`{"memory":{"rss":94371840,"anonymous":94371840}}`)})
	for _, r := range m.Rows {
		if late := r.Kind == "objects" || r.Kind == "held"; r.Bytes != nil && late != (r.Taken != nil) {
			t.Errorf("%s was read at %v, the total at %v", r.Kind, r.Taken, m.Taken)
		}
	}
}

// Whatever the sizes, the rows add up.
func TestMemoryTableAddsUp(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	some := func() int64 { return random.Int64N(1 << uint(random.IntN(40))) }
	for range 300 {
		text := fmt.Sprintf(`{"memstats":{"HeapAlloc":%d,"HeapInuse":%d,"HeapIdle":%d,"HeapReleased":%d,"StackInuse":%d,
			"GCSys":%d,"OtherSys":%d},"memory":{"rss":%d,"anonymous":%d,"file":%d,"mapped":{"rss":%d,"heap":%d,
			"anonymous":%d,"c_heap":%d,"arenas":%d}}}`, some(), 1<<40+some(), 1<<40+some(), some(), some(), some(), some(),
			1+some(), some(), some(), 1+some(), some(), some(), some(), some())
		m := memoryOf(t, diagnose.Evidence{Name: "runtime.json", Kind: casefile.Runtime, Taken: readAt, Data: []byte(text)})
		if m == nil {
			t.Fatalf("no table of %s", text)
		}
		if sum, _ := rowsSum(m); sum != m.Total {
			t.Fatalf("the rows add up to %d, the total is %d: %s", sum, m.Total, text)
		}
	}
}

// MemStats at the end of heap?debug=1 tell what Go holds.
func TestMemoryTableOfText(t *testing.T) {
	data := `heap profile: 1: 1048576 [1: 1048576] @ heap/1048576
1: 1048576 [1: 1048576] @ 0x47a1f5
#	0x47a1f4	main.work+0x24	/src/main.go:22

# runtime.MemStats
# HeapAlloc = 1048576
# HeapIdle = 4096
# HeapInuse = 2097152
# HeapReleased = 1024
# Stack = 65536 / 73728
# MSpan = 300 / 400
# MCache = 100 / 200
# BuckHashSys = 10
# GCSys = 20
# OtherSys = 30
`
	m := memoryOf(t, diagnose.Evidence{Name: "heap.txt", Data: []byte(data)})
	if m == nil || m.What != "held by Go" || m.Total != 2097152+4096-1024+73728+400+200+60 {
		t.Errorf("%+v, want what Go holds", m)
	}
}

// In every recorded case that tells, the rows add up.
func TestMemoryTableOfRecordings(t *testing.T) {
	names := caseFolders(t)
	tables := 0
	for i := 0; i < len(names); i += 1 + len(names)/25 {
		for file, data := range checkout.Case(t, names[i]) {
			if !strings.HasPrefix(file, "vitals") || !strings.HasPrefix(string(data), `{"schema"`) {
				continue // that may be a part of one
			}
			m := memoryOf(t, diagnose.Evidence{Name: file, Kind: casefile.Vitals, Data: data})
			if m == nil {
				continue
			}
			tables++
			if sum, _ := rowsSum(m); sum != m.Total || m.Total <= 0 {
				t.Errorf("%s/%s: the rows add up to %d, the total is %d", names[i], file, sum, m.Total)
			}
		}
	}
	if tables < 10 {
		t.Errorf("of the recordings %d have a table, want 10 or more", tables)
	}
}
