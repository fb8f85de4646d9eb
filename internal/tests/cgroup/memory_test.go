package cgroup_test

import (
	"os"
	"path/filepath"
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
