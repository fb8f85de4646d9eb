package blackbox

import (
	"os"
	"path/filepath"
	"testing"
)

// tree writes a recorded system.
func tree(t *testing.T, files map[string]string) system {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return system{filepath.Join(root, "proc"), filepath.Join(root, "cgroup")}
}

func TestOOMCounter(t *testing.T) {
	const v1 = "oom_kill_disable 0\nunder_oom 0\noom_kill 3\n"
	const v2 = "low 0\nhigh 9\nmax 4711\noom 8\noom_kill 3\noom_group_kill 0\n"
	for _, c := range []struct {
		name, cgroup, file, text string
		want                     bool
	}{
		{"v1", "5:devices:/\n4:memory:/a/b\n0::/\n", "memory/a/b/memory.oom_control", v1, true},
		{"v1 in a container", "4:memory:/docker/3f2a\n", "memory/memory.oom_control", v1, true},
		{"v1 before Linux 4.13", "4:memory:/\n", "memory/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\n",
			false},
		{"v2", "0::/system.slice/phones.service\n", "system.slice/phones.service/memory.events", v2, true},
		{"v2 in a container", "0::/../../pod\n", "memory.events", v2, true},
		{"both", "1:name=systemd:/\n0::/user\n", "unified/user/memory.events", v2, true},
		{"garbage", "memory\n::\n4:memory:\n", "other", v1, false},
		{"not a number", "0::/\n", "memory.events", "oom_kill many\n", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			sys := tree(t, map[string]string{"proc/self/cgroup": c.cgroup, "cgroup/" + c.file: c.text})
			got := sys.findOOMCounter()
			if !c.want {
				if got != nil {
					t.Errorf("found %+v, want nothing", got)
				}
				return
			}
			file := filepath.Join(sys.cgroups, c.file)
			if got == nil || got.Kills != 3 || got.File != file {
				t.Fatalf("found %+v, want 3 in %s", got, file)
			}
			if got.Inode == 0 {
				t.Skip("no inodes here")
			}
			wantKills(t, sys, *got, 0, true)
			if err := os.WriteFile(file, []byte("oom_kill 5\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			wantKills(t, sys, *got, 2, true)
			other := *got
			other.Inode++
			wantKills(t, sys, other, 0, false)
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
			wantKills(t, sys, *got, 0, false)
		})
	}
}

func wantKills(t *testing.T, sys system, c oomCounter, want int64, ok bool) {
	t.Helper()
	if n, known := sys.killsSince(&c); n != want || known != ok {
		t.Errorf("killsSince = %d, %v; want %d, %v", n, known, want, ok)
	}
}

// The path comes from a file, so nothing but a counter is read.
func TestCounterPaths(t *testing.T) {
	sys := system{"/proc", "/sys/fs/cgroup"}
	for path, want := range map[string]bool{
		"/sys/fs/cgroup/a/memory.events": true, "/sys/fs/cgroup/memory/memory.oom_control": true,
		"/etc/passwd": false, "/sys/fs/cgroup/../../../etc/memory.events": false, "/sys/fs/cgroup/cgroup.kill": false,
		"":                   false,
		"/dev/memory.events": false, "memory.events": false,
	} {
		if got := sys.isCounter(path); got != want {
			t.Errorf("isCounter(%q) = %v, want %v", path, got, want)
		}
	}
}

func TestBoot(t *testing.T) {
	here, there := tree(t, map[string]string{"proc/sys/kernel/random/boot_id": "aaaa-1\n"}),
		tree(t, map[string]string{"proc/sys/kernel/random/boot_id": "bbbb-2\n"})
	for _, c := range []struct {
		name, boot string
		sys        system
		want       bool
	}{
		{"same", "aaaa-1", here, false}, {"another", "aaaa-1", there, true}, {"unknown then", "", there, false},
		{"unknown now", "aaaa-1", system{}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := mustCreate(t, Config{Samples: 1})
			r.header.Boot = c.boot
			if err := r.SetTarget(phones()); err != nil {
				t.Fatal(err)
			}
			abandon(t, r)
			got, err := claim(r.Path(), c.sys)
			if err != nil || got.Rebooted != c.want {
				t.Fatalf("claim = %+v, %v; want rebooted %v", got, err, c.want)
			}
			got.Release()
		})
	}
}
