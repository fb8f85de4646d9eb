package number_test

import (
	"math"
	"testing"
	"time"

	"github.com/gocasebook/casebook/internal/number"
)

func TestFigures(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name string
		text func(float64) string
		v    float64
		want string
	}{
		{"Digits", number.Digits, 0, "0"},
		{"Digits", number.Digits, math.Copysign(0, -1), "0"},
		{"Digits", number.Digits, 7, "7"},
		{"Digits", number.Digits, 1.5, "1.5"},
		{"Digits", number.Digits, 9.994, "9.99"},
		{"Digits", number.Digits, 9.996, "10"},
		{"Digits", number.Digits, 31.24, "31.2"},
		{"Digits", number.Digits, 99.94, "99.9"},
		{"Digits", number.Digits, 99.96, "100"},
		{"Digits", number.Digits, 1234.4, "1,234"},
		{"Digits", number.Digits, 1234567, "1,234,567"},
		{"Digits", number.Digits, 0.00421, "0.00421"},
		{"Digits", number.Digits, 0.0000421, "0.000042"},
		{"Digits", number.Digits, 1e-9, "<0.000001"},
		{"Digits", number.Digits, 1e15, "1e+15"},
		{"Digits", number.Digits, 1.234e300, "1.23e+300"},
		{"Digits", number.Digits, -3.456, "−3.46"},
		{"Digits", number.Digits, nan, "–"},
		{"Digits", number.Digits, inf, "∞"},
		{"Digits", number.Digits, -inf, "−∞"},
		{"Count", number.Count, 0, "0"},
		{"Count", number.Count, 9999, "9,999"},
		{"Count", number.Count, 9999.6, "10 k"},
		{"Count", number.Count, 12_345, "12.3 k"},
		{"Count", number.Count, 999_600, "1 M"},
		{"Count", number.Count, 35e6, "35 M"},
		{"Count", number.Count, 2.5e9, "2.5 G"},
		{"Count", number.Count, 2.5e12, "2.5 T"},
		{"Count", number.Count, -1204, "−1,204"},
		{"Count", number.Count, 0.25, "0.25"},
		{"Count", number.Count, nan, "–"},
		{"Count", number.Count, inf, "∞ T"},
		{"Rate", number.Rate, 1204, "1,204/s"},
		{"Rate", number.Rate, nan, "–"},
		{"Bytes", number.Bytes, 0, "0 B"},
		{"Bytes", number.Bytes, 1, "1 B"},
		{"Bytes", number.Bytes, 1023, "1,023 B"},
		{"Bytes", number.Bytes, 1024, "1 KiB"},
		{"Bytes", number.Bytes, 1023.9 * 1024, "1 MiB"},
		{"Bytes", number.Bytes, 1.34 * (1 << 30), "1.34 GiB"},
		{"Bytes", number.Bytes, 5 << 50, "5,120 TiB"},
		{"Bytes", number.Bytes, -512 << 20, "−512 MiB"},
		{"Bytes", number.Bytes, nan, "–"},
		{"Seconds", number.Seconds, 0, "0 s"},
		{"Seconds", number.Seconds, 3e-10, "0.3 ns"},
		{"Seconds", number.Seconds, 450e-9, "450 ns"},
		{"Seconds", number.Seconds, 38.2e-6, "38.2 µs"},
		{"Seconds", number.Seconds, 0.0021, "2.1 ms"},
		{"Seconds", number.Seconds, 0.9996, "1 s"},
		{"Seconds", number.Seconds, 90, "90 s"},
		{"Seconds", number.Seconds, 599, "599 s"},
		{"Seconds", number.Seconds, 750, "12.5 min"},
		{"Seconds", number.Seconds, 9000, "2.5 h"},
		{"Seconds", number.Seconds, 3 * 86400, "3 days"},
		{"Seconds", number.Seconds, 1e9, "11,574 days"},
		{"Seconds", number.Seconds, -1.5, "−1.5 s"},
		{"Share", number.Share, 0, "0 %"},
		{"Share", number.Share, 0.29, "29 %"}, // 28.999999999999996
		{"Share", number.Share, 0.31237, "31.2 %"},
		{"Share", number.Share, 0.99999, "100 %"},
		{"Share", number.Share, 0.0852, "8.5 %"},
		{"Share", number.Share, 0.0042123, "0.42 %"},
		{"Share", number.Share, 0.9964, "99.6 %"},
		{"Share", number.Share, 0.00001, "0.001 %"},
		{"Share", number.Share, 12.5, "1,250 %"},
		{"Share", number.Share, -0.5, "−50 %"},
		{"Share", number.Share, nan, "–"},
		{"Points", number.Points, 0.3, "30 pp"},
		{"Cores", number.Cores, 1, "1 core"},
		{"Cores", number.Cores, 0.9999, "1 core"},
		{"Cores", number.Cores, 1.413, "1.41 cores"},
		{"Cores", number.Cores, nan, "–"},
		{"P", number.P, 0.0321, "p = 0.032"},
		{"P", number.P, 0.000999, "p < 0.001"},
		{"P", number.P, nan, "p –"},
		{"Percent", number.Percent, 0.0312, "3.1 %"},
		{"Percent", number.Percent, 0.0004, "0 %"},
		{"Percent", number.Percent, 0.924, "92.4 %"},
	} {
		if got := c.text(c.v); got != c.want {
			t.Errorf("%s(%v) = %q, want %q", c.name, c.v, got, c.want)
		}
	}
}

func TestChange(t *testing.T) {
	for _, c := range []struct {
		before, after float64
		want          string
	}{
		{5, 5, "0 %"},
		{0, 0, "0 %"},
		{0, 3, "from 0"},
		{1, 1.0312, "+3.1 %"},
		{1, 1.0001, "0 %"},
		{1, 0.076, "−92.4 %"},
		{1, 0, "−100 %"},
		{1, 2, "×2"},
		{1, 3.123, "×3.12"},
		{250, 1, "÷250"},
		{1, math.NaN(), "–"},
		{1, math.Inf(1), "×∞"},
	} {
		if got := number.Change(c.before, c.after); got != c.want {
			t.Errorf("Change(%v, %v) = %q, want %q", c.before, c.after, got, c.want)
		}
	}
}

func TestSigned(t *testing.T) {
	for v, want := range map[float64]string{0: "0 B", 1 << 20: "+1 MiB", -1 << 20: "−1 MiB"} {
		if got := number.Signed(number.Bytes, v); got != want {
			t.Errorf("Signed(Bytes, %v) = %q, want %q", v, got, want)
		}
	}
	if got := number.Signed(number.Share, math.NaN()); got != number.Absent {
		t.Errorf("Signed of nothing is %q", got)
	}
}

func TestRange(t *testing.T) {
	for _, c := range [][3]string{
		{"20 %", "26 %", "20–26 %"},
		{"20 %", "20 %", "20 %"},
		{"900 KiB", "1 MiB", "900 KiB–1 MiB"},
		{"3", "4", "3–4"},
	} {
		if got := number.Range(c[0], c[1]); got != c[2] {
			t.Errorf("Range(%q, %q) = %q, want %q", c[0], c[1], got, c[2])
		}
	}
}

func TestEstimate(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		want      string
	}{{0.2031, 0.2614, "20–26 %"}, {0.0421, 0.06, "4.2–6 %"}, {0.2, 0.201, "20 %"}, {0, 0.3, "0–30 %"}} {
		if got := number.Estimate(c.low, c.high); got != c.want {
			t.Errorf("Estimate(%v, %v) = %q, want %q", c.low, c.high, got, c.want)
		}
	}
}

func TestThings(t *testing.T) {
	if got := number.Things(1, "sample"); got != "1 sample" {
		t.Error(got)
	}
	if got := number.Things(1204.0, "sample"); got != "1,204 samples" {
		t.Error(got)
	}
	if got := number.Things(uint64(0), "sample"); got != "0 samples" {
		t.Error(got)
	}
}

func TestSetting(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0s", time.Minute: "1m", time.Hour: "1h", 90 * time.Second: "1m30s", 90 * time.Minute: "1h30m",
		100 * time.Millisecond: "100ms", 10 * time.Hour: "10h", 10 * time.Minute: "10m",
	} {
		if got := number.Setting(d); got != want {
			t.Errorf("Setting(%v) = %q, want %q", int64(d), got, want)
		}
	}
}

func TestSettingBytes(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", -1: "-1B", 1: "1B", 1 << 30: "1GiB", 500e6: "500MB", 1536 << 10: "1536KiB", 1 << 41: "2TiB",
	} {
		if got := number.SettingBytes(n); got != want {
			t.Errorf("SettingBytes(%d) = %q, want %q", n, got, want)
		}
	}
}
