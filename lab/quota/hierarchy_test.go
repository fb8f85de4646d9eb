package quota

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestHierarchies: the quota goes where the CPU controller is. The trees are made as the kernel shows them; files of a
// new group, which the kernel would make, are those that are written.
func TestHierarchies(t *testing.T) {
	v1 := map[string]string{"cpu.cfs_quota_us": "150000", "cpu.cfs_period_us": "100000", "cpu.shares": "262144"}
	v2 := map[string]string{"cpu.max": "150000 100000", "cpu.weight": "10000"}
	for _, tt := range []struct {
		name   string
		tree   map[string]string
		parent string // of the group; "" for an error
		want   map[string]string
	}{
		{"v1", map[string]string{"cpu/cpu.cfs_quota_us": "-1", "cpu/cpu.stat": ""}, "cpu", v1},
		{"v1, and v2 beside it without controllers", map[string]string{"cpu/cpu.cfs_quota_us": "-1",
			"unified/cgroup.controllers": "", "unified/cpu.stat": "usage_usec 1"}, "cpu", v1},
		{"v2", map[string]string{"cgroup.controllers": "cpuset cpu io memory pids",
			"cgroup.subtree_control": "cpu memory"}, ".", v2},
		{"v2 whose groups do not have the controller yet", map[string]string{"cgroup.controllers": "cpu memory",
			"cgroup.subtree_control": "memory"}, ".", v2},
		{"v1 for memory, v2 for the CPU", map[string]string{"memory/memory.limit_in_bytes": "1",
			"unified/cgroup.controllers": "cpu", "unified/cgroup.subtree_control": "cpu"}, "unified", v2},
		{"v2 without the controller", map[string]string{"cgroup.controllers": "memory pids"}, "", nil},
		{"none", nil, "", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			for file, text := range tt.tree {
				write(t, filepath.Join(root, file), text)
			}
			g, err := newGroup(root, "test", 1.5)
			if tt.parent == "" {
				if err == nil || !strings.Contains(err.Error(), "no CPU controller") {
					t.Fatalf("%v, want that there is no CPU controller", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := filepath.Dir(g.dir); got != filepath.Join(root, tt.parent) {
				t.Errorf("the group is in %s, want %s", got, tt.parent)
			}
			if got := filesOf(t, g.dir); !maps.Equal(got, tt.want) {
				t.Errorf("its files are %v, want %v", got, tt.want)
			}
			control := words(filepath.Join(root, tt.parent), "cgroup.subtree_control")
			if tt.want["cpu.max"] != "" && !slices.Contains(control, "cpu") && !slices.Contains(control, "+cpu") {
				t.Errorf("groups get %v, want the CPU controller", control)
			}
		})
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func filesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(text)
	}
	return files
}
