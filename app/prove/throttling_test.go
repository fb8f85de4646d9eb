package prove

import (
	"os"
	"path/filepath"
	"testing"
)

// TestThrottling counts the periods of the times under load only, from trees as the kernel shows them.
func TestThrottling(t *testing.T) {
	for _, tt := range []struct {
		name, proc, quotaFile, quota string // of the group that sets the quota
		dir                          string
		// what cpu.stat of that group says at the beginning and end of two loads: periods, throttled
		stats []string
		want  float64
		known bool
	}{
		{"v2", "0::/pod/app\n", "cpu.max", "100000 100000\n", "pod/app", []string{
			"usage_usec 812345\nuser_usec 700000\nsystem_usec 112345\nnr_periods 100\nnr_throttled 90\n" +
				"throttled_usec 4100000\nnr_bursts 0\nburst_usec 0\n",
			"usage_usec 1812345\nnr_periods 110\nnr_throttled 94\n",
			"usage_usec 1812345\nnr_periods 200\nnr_throttled 180\n",
			"usage_usec 2812345\nnr_periods 210\nnr_throttled 184\n"}, 0.4, true},
		{"v2, the pod's quota", "0::/pod/app\n", "cpu.max", "50000 100000\n", "pod", []string{
			"nr_periods 0\nnr_throttled 0\n", "nr_periods 4\nnr_throttled 1\n", "nr_periods 4\nnr_throttled 1\n",
			"nr_periods 8\nnr_throttled 2\n"}, 0.25, true},
		{"v1", "2:cpu:/app\n0::/\n", "cpu.cfs_quota_us", "100000\n", "cpu/app", []string{
			"nr_periods 5\nnr_throttled 5\nthrottled_time 9\n", "nr_periods 10\nnr_throttled 5\n",
			"nr_periods 10\nnr_throttled 5\n", "nr_periods 15\nnr_throttled 10\n"}, 0.5, true},
		{"v2 without a quota", "0::/pod/app\n", "cpu.max", "max 100000\n", "pod/app", []string{"", "", "", ""}, 0,
			false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			for _, dir := range []string{"", "pod", "pod/app", "cpu", "cpu/app"} {
				put(t, filepath.Join(root, dir, "cgroup.procs"), "")
			}
			put(t, filepath.Join(root, tt.dir, tt.quotaFile), tt.quota)
			put(t, filepath.Join(root, tt.dir, "cpu.cfs_period_us"), "100000\n")
			if tt.quotaFile == "cpu.max" && tt.dir != "pod/app" {
				put(t, filepath.Join(root, "pod/app/cpu.max"), "max 100000\n")
			}
			throttling := throttlingBelow(root, tt.proc)
			for i, stat := range tt.stats {
				put(t, filepath.Join(root, tt.dir, "cpu.stat"), stat)
				if i%2 == 0 {
					throttling.Begin()
				} else {
					throttling.End()
				}
			}
			r := Round{}
			throttling.Add(r)
			if got, known := r[Throttled]; known != tt.known || got != tt.want || throttling.Quota() != tt.known {
				t.Errorf("%g of the periods were throttled (known: %v), want %g (%v)", got, known, tt.want, tt.known)
			}
		})
	}
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
