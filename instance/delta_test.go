package instance

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"path/filepath"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/profiletest"
	"github.com/google/pprof/profile"
)

type records = []profiletest.Stack

var record = profiletest.Record

func parse(t testing.TB, data []byte) *profile.Profile {
	t.Helper()
	p, err := parseProfile(data)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestGrowth(t *testing.T) {
	waits := []string{"contentions", "delay"}
	heap := []string{"alloc_objects", "alloc_space", "inuse_objects", "inuse_space"}
	a, b, c := []uint64{1, 2, 3}, []uint64{1, 2, 4}, []uint64{3, 2, 1}
	for _, tt := range []struct {
		name          string
		types         []string
		before, after records
		prefix        string
		want          records
	}{
		{"one grew, one did not", waits, records{record(a, 0, 5, 50), record(b, 0, 1, 10)},
			records{record(a, 0, 7, 90), record(b, 0, 1, 10)}, "", records{record(a, 0, 2, 40)}},
		{"a new one", waits, records{record(a, 0, 5, 50)}, records{record(a, 0, 5, 50), record(c, 0, 1, 9)},
			"", records{record(c, 0, 1, 9)}},
		{"nothing", waits, records{record(a, 0, 5, 50)}, records{record(a, 0, 5, 50)}, "", nil},
		{"one stack in two records", waits, records{record(a, 0, 5, 50), record(a, 0, 1, 1)},
			records{record(a, 0, 2, 2), record(a, 0, 5, 60)}, "", records{record(a, 0, 1, 11)}},
		{"the rate was changed, and one shrank", waits, records{record(a, 0, 5, 50)},
			records{record(a, 0, 4, 60)}, "", records{record(a, 0, 0, 10)}},
		{"sizes apart, in-use values dropped", heap, records{record(a, 16, 10, 160, 3, 48),
			record(a, 32, 1, 32, 1, 32)},
			records{record(a, 16, 12, 192, 9, 144), record(a, 32, 1, 32, 9, 288)}, "alloc_",
			records{record(a, 16, 2, 32)}},
		{"no baseline", waits, nil, records{record(a, 0, 5, 50)}, "", records{record(a, 0, 5, 50)}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			base, err := newBaseline(t.Context(), nil, profiletest.Of(t, tt.types, tt.before...))
			if err != nil {
				t.Fatal(err)
			}
			data, n, err := base.growth(t.Context(), profiletest.Of(t, tt.types, tt.after...), 3*time.Second, tt.prefix)
			if err != nil {
				t.Fatal(err)
			}
			p := parse(t, data)
			if n != len(tt.want) || len(p.Sample) != n {
				t.Fatalf("%d stacks grew, %d are in the profile, want %d", n, len(p.Sample), len(tt.want))
			}
			if p.DurationNanos != 3e9 || p.TimeNanos != time.Unix(1997, 0).UnixNano() {
				t.Errorf("it spans %d ns from %d, want 3 s that end when the second was taken", p.DurationNanos,
					p.TimeNanos)
			}
			for i, want := range tt.want {
				got := profiletest.Stack{Values: p.Sample[i].Value}
				for _, l := range p.Sample[i].Location {
					got.PCs = append(got.PCs, l.Address)
				}
				if size := p.Sample[i].NumLabel["bytes"]; len(size) == 1 {
					got.Size = size[0]
				}
				if !equal(got, want) {
					t.Errorf("stack %d is %v, want %v", i, got, want)
				}
			}
		})
	}
	base, err := newBaseline(t.Context(), nil, profiletest.Of(t, waits, record(a, 0, 1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := base.growth(t.Context(), profiletest.Of(t, heap, record(a, 0, 1, 1, 1, 1)), time.Second,
		""); err == nil {
		t.Error("profiles of two kinds were subtracted")
	}
}

func equal(a, b profiletest.Stack) bool {
	if a.Size != b.Size || len(a.PCs) != len(b.PCs) || len(a.Values) != len(b.Values) {
		return false
	}
	for i := range a.PCs {
		if a.PCs[i] != b.PCs[i] {
			return false
		}
	}
	for i := range a.Values {
		if a.Values[i] != b.Values[i] {
			return false
		}
	}
	return true
}

// What a target sends may be made to fill our memory.
func TestParseProfileRefuses(t *testing.T) {
	deflate := func(data []byte) []byte {
		var b bytes.Buffer
		zw, _ := gzip.NewWriterLevel(&b, gzip.NoCompression) // of hundreds of megabytes
		_, _ = zw.Write(data)                                // to memory
		_ = zw.Close()
		return b.Bytes()
	}
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"zeros without end", deflate(make([]byte, maxInflated+10)), "larger than 64 MiB"},
		{"one sample of 60 million addresses", deflate(oneSample(60_000_000)), "larger stacks than Go records"},
		{"60 million addresses in samples", deflate(bytes.Repeat(oneSample(60_000), 1000)),
			"larger stacks than Go records"},
		{"empty samples", deflate(bytes.Repeat([]byte{0x12, 0}, maxMessages+1)), "more than 2097152 records"},
		{"no gzip", []byte("hello"), "inflating"},
		{"cut", deflate([]byte("hello"))[:12], "inflating"},
		{"no profile", deflate([]byte("hello")), "parsing"},
		{"empty", nil, "inflating"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := parseProfile(c.data); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error is %v, want %q in it", err, c.want)
			}
		})
	}
}

func FuzzGrowth(f *testing.F) {
	inflate := func(data []byte) []byte {
		var b bytes.Buffer
		if err := parse(f, data).WriteUncompressed(&b); err != nil {
			f.Fatal(err)
		}
		return b.Bytes()
	}
	types := []string{"contentions", "delay"}
	f.Add(inflate(profiletest.Of(f, types, record([]uint64{1, 2}, 8, 1, 2))),
		inflate(profiletest.Of(f, types, record([]uint64{1, 2}, 8, 3, 2))))
	f.Fuzz(func(t *testing.T, before, after []byte) {
		deflate := func(data []byte) []byte {
			var b bytes.Buffer
			zw := gzip.NewWriter(&b)
			_, _ = zw.Write(data) // to memory
			_ = zw.Close()
			return b.Bytes()
		}
		base, err := newBaseline(t.Context(), nil, deflate(before))
		if err != nil {
			return
		}
		data, n, err := base.growth(t.Context(), deflate(after), time.Second, "")
		if err != nil {
			return
		}
		if p := parse(t, data); len(p.Sample) != n {
			t.Errorf("%d stacks, said to be %d", len(p.Sample), n)
		}
	})
}

// BenchmarkDelta is the cost of the difference of two profiles to a service that watches itself, with maxDeltaRecords
// stacks that share no frames.
func BenchmarkDelta(b *testing.B) {
	for _, n := range []int{1000, maxDeltaRecords} {
		data := profiletest.CPU(b, n, 25)
		b.Run(fmt.Sprintf("records=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				base, err := newBaseline(b.Context(), nil, data)
				if err != nil {
					b.Fatal(err)
				}
				if _, _, err := base.growth(b.Context(), data, time.Second, ""); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// oneSample is a profile record: a sample with n addresses and the value 1.
func oneSample(n int) []byte {
	ids := append(binary.AppendUvarint([]byte{1<<3 | 2}, uint64(n)), bytes.Repeat([]byte{1}, n)...)
	return append(binary.AppendUvarint([]byte{2<<3 | 2}, uint64(len(ids))), ids...)
}

func mustParse(t *testing.T, text string) *url.URL {
	t.Helper()
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestReadSystem(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		want  system
	}{
		{"a pod, cgroup v2", map[string]string{
			"proc/42/cgroup": "0::/kubepods.slice/pod1/cri-containerd-abc.scope\n", "sys/fs/cgroup/cgroup.procs": "",
			"sys/fs/cgroup/memory.max":  "max\n",
			"proc/sys/kernel/osrelease": "6.1.0-18-amd64\n", "proc/meminfo": "MemTotal:       1000 kB\nMemFree: 1 kB\n",
			"proc/cpuinfo": "processor\t: 0\nmodel name\t: Fast CPU @ 3 GHz\nmodel name\t: other\n",
			"sys/kernel/mm/transparent_hugepage/enabled":   "always [madvise] never\n",
			"proc/42/root/run/secrets/kubernetes.io/token": "s3cret",
		}, system{Kernel: "6.1.0-18-amd64", CPUModel: "Fast CPU @ 3 GHz", MemoryBytes: 1_024_000, HugePages: "madvise",
			Cgroup:    "v2",
			Container: []string{"kubernetes", "cgroup kubepods", "cgroup containerd"}}},
		{"docker, cgroup v1", map[string]string{
			"proc/42/cgroup": "4:memory:/docker/abc\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": "1\n",
			"proc/42/root/.dockerenv": "",
		}, system{Cgroup: "v1", Container: []string{"docker", "cgroup docker"}}},
		{"nothing can be read", nil, system{}},
		{"nonsense", map[string]string{"proc/meminfo": "MemTotal: x kB\n", "proc/cpuinfo": ":::\n"}, system{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := readSystem(tree(t, c.files), "42")
			hints := got.Container
			got.Container = nil
			want := c.want
			want.Container = nil
			if !slices.Equal(hints, c.want.Container) || got.Kernel != want.Kernel || got.CPUModel != want.CPUModel ||
				got.MemoryBytes != want.MemoryBytes || got.HugePages != want.HugePages || got.Cgroup != want.Cgroup {
				t.Errorf("%+v %v, want %+v", got, hints, c.want)
			}
		})
	}
}

func TestKeptSettings(t *testing.T) {
	var e environment
	e.setBuild(&debug.BuildInfo{GoVersion: "go1.26", Path: "example.com/shop", Settings: []debug.BuildSetting{
		{Key: "-ldflags", Value: "-X main.password=s3cret"}, {Key: "-gcflags", Value: "s3cret"},
		{Key: "CGO_LDFLAGS", Value: "s3cret"},
		{Key: "-race", Value: "true"}, {Key: "vcs.revision", Value: "abc"},
		{Key: "-pgo", Value: "/home/ann/default.pgo"},
	}})
	if len(e.Settings) != 3 || e.Settings["-race"] != "true" || e.Settings["vcs.revision"] != "abc" ||
		e.Settings["-pgo"] != "default.pgo" {
		t.Errorf("the settings kept are %v", e.Settings)
	}
	e.setVariables([]string{"GOGC=50", "PASSWORD=s3cret", "GODEBUG=", "GOFLAGS=-ldflags=s3cret", "nonsense", ""})
	if len(e.Environment) != 2 || e.Environment["GOGC"] != "50" {
		t.Errorf("the variables kept are %v", e.Environment)
	}
}

func TestRlimits(t *testing.T) {
	dir := tree(t,
		map[string]string{"limits": "Limit                     Soft Limit           Hard Limit           Units     \n" +
			"Max open files            1000                 unlimited            files     \n" +
			"Max nice priority         0                    0                    \nMax cut\n"})
	var e environment
	e.setRlimits(filepath.Join(dir, "limits"))
	if len(e.Rlimits) != 2 || !slices.Equal(e.Rlimits["Max open files"], []string{"1000", "unlimited", "files"}) ||
		!slices.Equal(e.Rlimits["Max nice priority"], []string{"0", "0"}) {
		t.Errorf("limits are %v", e.Rlimits)
	}
	e.setRlimits(filepath.Join(dir, "none"))
	if e.Absent["rlimits"] == "" {
		t.Error("no limits, and no reason why")
	}
}

func TestEffective(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(1 << 40))
	var e environment
	e.setEffective()
	if e.Effective.GOGC != "off" || e.Effective.GOMEMLIMIT != "1099511627776" || e.Effective.GOMAXPROCS < 1 {
		t.Errorf("the runtime is set to %+v, want GOGC off and 1 TiB", e.Effective)
	}
	debug.SetGCPercent(150)
	debug.SetMemoryLimit(math.MaxInt64)
	e.setEffective()
	if e.Effective.GOGC != "150" || e.Effective.GOMEMLIMIT != "off" {
		t.Errorf("the runtime is set to %+v, want GOGC 150 and no limit", e.Effective)
	}
}

// Every metric of this Go version is there, even those that JSON has no number for.
func TestAllMetrics(t *testing.T) {
	p := capture(t, casefile.Metrics, 0)
	var values map[string]any
	if err := json.Unmarshal(p.Data, &values); err != nil {
		t.Fatal(err)
	}
	for _, d := range metrics.All() {
		v, ok := values[d.Name]
		if !ok || v == nil {
			t.Errorf("%s is %v (present: %v)", d.Name, v, ok)
		}
		if h, isMap := v.(map[string]any); isMap != (d.Kind == metrics.KindFloat64Histogram) || isMap &&
			h["buckets"] == nil {
			t.Errorf("%s, of kind %d, is %v", d.Name, d.Kind, v)
		}
	}
	h := &metrics.Float64Histogram{Counts: []uint64{1, 0, 2}, Buckets: []float64{math.Inf(-1), 0, 1, math.Inf(1)}}
	data, err := json.Marshal(filled(h))
	if want := `[[null,0,1],[1,null,2]]`; err != nil || string(data) != want {
		t.Errorf("the buckets are %s (%v), want %s", data, err, want)
	}
	if finite(math.NaN()) != nil || finite(math.Inf(-1)) != nil || finite(2) != 2.0 {
		t.Error("a number that JSON does not know must be null, and no other")
	}
}
