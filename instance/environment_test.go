package instance

import (
	"encoding/json"
	"math"
	"net/url"
	"path/filepath"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

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
