package cgroup_test

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
		want             []cgroup.MemoryBound
	}{
		{"v2, nested: both bind", "0::/pod/app\n", map[string]string{
			"cgroup.procs": "", "pod/cgroup.procs": "", "pod/app/cgroup.procs": "",
			"pod/app/memory.max": "1000\n", "pod/app/memory.high": "max\n", "pod/app/memory.current": "400\n",
			"pod/app/memory.stat": "anon 100\nfile 250\nshmem 50\ninactive_file 150\nactive_file " +
				"50\nslab_reclaimable 7\n",
			"pod/memory.max": "1500\n", "pod/memory.high": "1200\n", "pod/memory.current": "1100\n",
			"pod/memory.stat": "inactive_file 20\n",
		}, []cgroup.MemoryBound{{Dir: "pod/app", Limit: 1000, Usage: 400, Reclaimable: 207}, {Dir: "pod", Limit: 1200,
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
		}, []cgroup.MemoryBound{{Dir: "memory/app", Limit: 2000, Usage: 800, Reclaimable: 220}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := tree(t, c.files)
			m, err := cgroup.Find(root, c.procCgroup).OpenMemory()
			if err != nil {
				t.Fatal(err)
			}
			defer m.Close()
			got, err := m.Bounds(nil, true)
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
	m, err := cgroup.Find(root, "0::/\n").OpenMemory()
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	for _, c := range []struct {
		limit   string
		refresh bool
		want    uint64 // 0: no limit
	}{{"max\n", true, 0}, {"500\n", false, 0}, {"500\n", true, 500}, {"300\n", false, 500}, {"300\n", true, 300},
		{"max\n", true, 0}} {
		if err := os.WriteFile(filepath.Join(root, "memory.max"), []byte(c.limit), 0o600); err != nil {
			t.Fatal(err)
		}
		bounds, err := m.Bounds(nil, c.refresh)
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
	if m, err := cgroup.Find(t.TempDir(), "0::/\n").OpenMemory(); err == nil {
		m.Close()
		t.Error("an empty tree has a memory account, want an error")
	}
}

// A group that is removed is an error, not zero bytes.
func TestMemoryUnreadable(t *testing.T) {
	root := tree(t, map[string]string{"cgroup.procs": "", "memory.max": "100\n", "memory.current": "gone\n",
		"memory.stat": ""})
	m, err := cgroup.Find(root, "0::/\n").OpenMemory()
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if b, err := m.Bounds(nil, true); err == nil {
		t.Errorf("bounds are %+v, want an error", b)
	}
}

func TestCharged(t *testing.T) {
	for _, c := range []struct {
		name, procCgroup string
		files            map[string]string
		want             cgroup.Charged
		ok               bool
	}{
		{"v2", "0::/app\n", map[string]string{"app/memory.max": "max\n", "app/memory.current": "900\n",
			"app/memory.stat": "anon 500\nfile 300\nkernel 90\nshmem 100\n"},
			cgroup.Charged{Usage: 900, Anonymous: 500, PageCache: 200, Shared: 100, Kernel: 90}, true},
		{"v1 with groups below", "4:memory:/app\n", map[string]string{"memory/app/memory.limit_in_bytes": "9\n",
			"memory/app/memory.usage_in_bytes": "800\n",
			"memory/app/memory.stat": "cache 1\nrss 2\nshmem 0\ntotal_cache 400\ntotal_rss 350\n" +
				"total_shmem 50\n"}, cgroup.Charged{Usage: 800, Anonymous: 350, PageCache: 350, Shared: 50}, true},
		{"v2's root", "0::/\n", map[string]string{"memory.stat": "anon 5\n"}, cgroup.Charged{}, false},
		{"none", "", nil, cgroup.Charged{}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := cgroup.Find(tree(t, c.files), c.procCgroup).Charged()
			if got != c.want || ok != c.ok {
				t.Errorf("%+v, %v; want %+v, %v", got, ok, c.want, c.ok)
			}
		})
	}
}
