package gctune

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/gocasebook/casebook/internal/cgroup"
)

// tree writes files below a folder, as a recorded /sys/fs/cgroup.
func tree(t testing.TB, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestMemoryBounds(t *testing.T) {
	for _, c := range []struct {
		name, procCgroup string
		files            map[string]string
		want             []groupBound
	}{
		{"v2, nested: both bind", "0::/pod/app\n", map[string]string{
			"cgroup.procs": "", "pod/cgroup.procs": "", "pod/app/cgroup.procs": "",
			"pod/app/memory.max": "1000\n", "pod/app/memory.high": "max\n", "pod/app/memory.current": "400\n",
			"pod/app/memory.stat": "anon 100\nfile 250\nshmem 50\ninactive_file 150\nactive_file " +
				"50\nslab_reclaimable 7\n",
			"pod/memory.max": "1500\n", "pod/memory.high": "1200\n", "pod/memory.current": "1100\n",
			"pod/memory.stat": "inactive_file 20\n",
		}, []groupBound{{Dir: "pod/app", Limit: 1000, Usage: 400, Reclaimable: 207}, {Dir: "pod", Limit: 1200,
			Usage: 1100, Reclaimable: 20}}},
		{"v2 without a limit", "0::/app\n", map[string]string{
			"cgroup.procs": "", "app/cgroup.procs": "", "app/memory.max": "max\n", "app/memory.current": "9\n",
			"app/memory.stat": "",
		}, nil},
		{"v1", "4:memory:/app\n", map[string]string{
			"memory/cgroup.procs": "", "memory/app/cgroup.procs": "",
			"memory/memory.limit_in_bytes": "9223372036854771712\n", "memory/memory.usage_in_bytes": "5000\n",
			"memory/app/memory.limit_in_bytes": "2000\n", "memory/app/memory.usage_in_bytes": "800\n",
			"memory/app/memory.stat": "cache 300\ninactive_file 10\nactive_file 20\ntotal_inactive_file " +
				"100\ntotal_active_file 120\n",
		}, []groupBound{{Dir: "memory/app", Limit: 2000, Usage: 800, Reclaimable: 220}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := tree(t, c.files)
			m, err := openGroups(cgroup.Find(root, c.procCgroup))
			if err != nil {
				t.Fatal(err)
			}
			defer m.close()
			got, err := m.bounds(nil, true)
			if err != nil {
				t.Fatal(err)
			}
			for i := range got {
				if got[i].Dir, err = filepath.Rel(root, got[i].Dir); err != nil {
					t.Fatal(err)
				}
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("bounds are %+v, want %+v", got, c.want)
			}
		})
	}
}

// A limit that is set, changed or removed while the process runs is seen at the next refresh.
func TestMemoryLimitChanges(t *testing.T) {
	root := tree(t, map[string]string{"cgroup.procs": "", "memory.max": "max\n", "memory.current": "70\n",
		"memory.stat": "inactive_file 5\n"})
	m, err := openGroups(cgroup.Find(root, "0::/\n"))
	if err != nil {
		t.Fatal(err)
	}
	defer m.close()
	for _, c := range []struct {
		limit   string
		refresh bool
		want    uint64 // 0: no limit
	}{{"max\n", true, 0}, {"500\n", false, 0}, {"500\n", true, 500}, {"300\n", false, 500}, {"300\n", true, 300},
		{"max\n", true, 0}} {
		if err := os.WriteFile(filepath.Join(root, "memory.max"), []byte(c.limit), 0o600); err != nil {
			t.Fatal(err)
		}
		bounds, err := m.bounds(nil, c.refresh)
		if err != nil {
			t.Fatal(err)
		}
		var got uint64
		if len(bounds) == 1 {
			got = bounds[0].Limit
		}
		if got != c.want {
			t.Errorf("with %q and refresh=%v the limit is %d, want %d", c.limit, c.refresh, got, c.want)
		}
	}
}

func TestMemoryNotFound(t *testing.T) {
	if m, err := openGroups(cgroup.Find(t.TempDir(), "0::/\n")); err == nil {
		m.close()
		t.Error("an empty tree has a memory account, want an error")
	}
}

// A group that is removed is an error, not zero bytes.
func TestMemoryUnreadable(t *testing.T) {
	root := tree(t, map[string]string{"cgroup.procs": "", "memory.max": "100\n", "memory.current": "gone\n",
		"memory.stat": ""})
	m, err := openGroups(cgroup.Find(root, "0::/\n"))
	if err != nil {
		t.Fatal(err)
	}
	defer m.close()
	if b, err := m.bounds(nil, true); err == nil {
		t.Errorf("bounds are %+v, want an error", b)
	}
}

func FuzzReclaimable(f *testing.F) {
	f.Add([]byte("inactive_file 1\nactive_file 2\n"))
	f.Add([]byte("inactive_file x\ntotal_active_file 5"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if got, again := reclaimable(data), reclaimable(append([]byte("other 99\n"), data...)); got != again {
			t.Errorf("another line before changes %d into %d", got, again)
		}
	})
}

func BenchmarkGroupBounds(b *testing.B) {
	data, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		b.Skip("no /proc here")
	}
	m, err := openGroups(cgroup.Find("/sys/fs/cgroup", string(data)))
	if err != nil {
		b.Skip(err)
	}
	defer m.close()
	var bounds []groupBound
	for _, refresh := range []bool{false, true} {
		b.Run("refresh="+map[bool]string{false: "no", true: "yes"}[refresh], func(b *testing.B) {
			for _, l := range m.levels { // as if each had a limit
				l.bound.Limit = 1
			}
			b.ReportAllocs()
			for b.Loop() {
				if bounds, err = m.bounds(bounds[:0], refresh); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
