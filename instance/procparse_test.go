package instance

import "testing"

func TestParseStat(t *testing.T) {
	line := "4242 (a) b (c) S 1 1 1 0 -1 4194560 1 0 0 0 321 123 0 0 20 0 9 0 5555 1000000 777 18446744073709551615\n"
	got, err := parseStat([]byte(line))
	if want := (procStat{user: 321, system: 123, threads: 9, start: 5555, rss: 777}); err != nil || got != want {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	for _, bad := range []string{"", "1 (x", "1 (x) S 1 2", "1 (x) S 1 1 1 0 -1 4194560 1 0 0 0 321 123 0 0 20 0 9 0 " +
		"5555 1000000 "} {
		if _, err := parseStat([]byte(bad)); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}

func TestParseThrottling(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       throttling
	}{
		{"v1", "nr_periods 10\nnr_throttled 4\nthrottled_time 5\n", throttling{10, 4, 5e-9}},
		{
			"v2 of Linux 6.18",
			"usage_usec 5\nuser_usec 3\nsystem_usec 2\nnice_usec 0\ncore_sched.force_idle_usec 0\nnr_periods " +
				"200\nnr_throttled 50\nthrottled_usec 7\nnr_bursts 0\nburst_usec 0\n", throttling{200, 50, 7e-6},
		},
		{"v2 without a quota", "usage_usec 5\nuser_usec 3\nsystem_usec 2\n", throttling{}},
		{"no newline at the end", "nr_periods 7\nnr_throttled 3", throttling{7, 3, 0}},
		{"no numbers", "nr_periods\nnr_throttled x\n", throttling{}},
		{"empty", "", throttling{}},
	} {
		if got := parseThrottling([]byte(c.text)); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestIO(t *testing.T) {
	const text = "rchar: 7558\nwchar: 12\nsyscr: 18\nsyscw: 3\nread_bytes: 4096\nwrite_bytes: 8192\n"
	if got, err := parseIO([]byte(text)); err != nil || got != (ioCalls{18, 3, 7558, 12, 8192, true}) {
		t.Errorf("parseIO gives %+v and %v", got, err)
	}
	for _, text := range []string{"", "rchar: 7558\nwchar: 12\n", "read_bytes: 4096\nwrite_bytes: 0\n"} {
		if got, err := parseIO([]byte(text)); err == nil {
			t.Errorf("parseIO of %q gives %+v, want an error: not all four are there", text, got)
		}
	}
}

func TestParsePressure(t *testing.T) {
	const full = "full avg10=0.00 avg60=0.00 avg300=0.00 total=0\n"
	for _, c := range []struct {
		text string
		want float64
		ok   bool
	}{
		{"some avg10=3.25 avg60=3.03 avg300=10.47 total=1677875722\n" + full, 0.0325, true},
		{"some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n" + full, 0, true},
		{"some avg10=100.00 avg60=90.00 avg300=80.00 total=9\n", 1, true}, // cpu before Linux 5.13: no full line
		{full, 0, false},
		{"some avg60=3.03\n", 0, false},
		{"some avg10=\n", 0, false},
		{"some avg10=NaN avg60=0.00\n", 0, false},
		{"some avg10=1e9 avg60=0.00\n", 0, false},
		{"some avg10=-1 avg60=0.00\n", 0, false},
		{"", 0, false},
	} {
		got, err := parsePressure([]byte(c.text))
		if got != c.want || (err == nil) != c.ok {
			t.Errorf("%q is %g, %v; want %g, ok %v", c.text, got, err, c.want, c.ok)
		}
	}
}

func FuzzParseStat(f *testing.F) {
	f.Add([]byte("4242 (a) S 1 1 1 0 -1 4194560 1 0 0 0 321 123 0 0 20 0 9 0 5555 1000000 777 1\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if st, err := parseStat(data); err != nil && st != (procStat{}) {
			t.Errorf("%+v with the error %v; want nothing", st, err)
		}
	})
}

func FuzzParseThrottling(f *testing.F) {
	f.Add([]byte("usage_usec 5\nnr_periods 200\nnr_throttled 50\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if got := parseThrottling(data); got.periods < 0 || got.throttled < 0 {
			t.Errorf("negative counts: %+v", got)
		}
	})
}

func FuzzParsePressure(f *testing.F) {
	f.Add([]byte("some avg10=3.25 avg60=3.03 avg300=10.47 total=1677875722\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if got, err := parsePressure(data); !(got >= 0 && got <= 1) || err != nil && got != 0 {
			t.Errorf("%g, %v; want a share", got, err)
		}
	})
}
