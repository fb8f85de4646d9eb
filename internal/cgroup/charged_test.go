package cgroup

import "testing"

func TestCharged(t *testing.T) {
	for _, c := range []struct {
		name, procCgroup string
		files            map[string]string
		want             Charged
		ok               bool
	}{
		{"v2", "0::/app\n", map[string]string{"app/memory.max": "max\n", "app/memory.current": "900\n",
			"app/memory.stat": "anon 500\nfile 300\nkernel 90\nshmem 100\n"},
			Charged{Usage: 900, Anonymous: 500, PageCache: 200, Shared: 100, Kernel: 90}, true},
		{"v1 with groups below", "4:memory:/app\n", map[string]string{"memory/app/memory.limit_in_bytes": "9\n",
			"memory/app/memory.usage_in_bytes": "800\n",
			"memory/app/memory.stat": "cache 1\nrss 2\nshmem 0\ntotal_cache 400\ntotal_rss 350\n" +
				"total_shmem 50\n"}, Charged{Usage: 800, Anonymous: 350, PageCache: 350, Shared: 50}, true},
		{"v2's root", "0::/\n", map[string]string{"memory.stat": "anon 5\n"}, Charged{}, false},
		{"none", "", nil, Charged{}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := Find(tree(t, c.files), c.procCgroup).Charged()
			if got != c.want || ok != c.ok {
				t.Errorf("%+v, %v; want %+v, %v", got, ok, c.want, c.ok)
			}
		})
	}
}
