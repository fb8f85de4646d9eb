package number

import (
	"testing"
	"time"
)

func TestSetting(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0s", time.Minute: "1m", time.Hour: "1h", 90 * time.Second: "1m30s", 90 * time.Minute: "1h30m",
		100 * time.Millisecond: "100ms", 10 * time.Hour: "10h", 10 * time.Minute: "10m",
	} {
		if got := Setting(d); got != want {
			t.Errorf("Setting(%v) = %q, want %q", int64(d), got, want)
		}
	}
}

func TestSettingBytes(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", -1: "-1B", 1: "1B", 1 << 30: "1GiB", 500e6: "500MB", 1536 << 10: "1536KiB", 1 << 41: "2TiB",
	} {
		if got := SettingBytes(n); got != want {
			t.Errorf("SettingBytes(%d) = %q, want %q", n, got, want)
		}
	}
}
