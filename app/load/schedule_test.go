package load_test

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/load"
)

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// rateAt counts a pace's arrivals from one second to another.
func arrivals(p load.Pace, from, to float64) int {
	n := 0
	for i := uint64(0); ; i++ {
		at, ok := p(i)
		if !ok || at.Seconds() >= to {
			return n
		}
		if at.Seconds() >= from {
			n++
		}
	}
}

// TestSchedules compares arrivals in pieces of the schedule with the area under the rate: evenly spaced, give or take
// one; at random moments, give or take 4.5 standard deviations of a Poisson distribution.
func TestSchedules(t *testing.T) {
	for _, c := range []struct {
		text   string
		ends   time.Duration
		pieces []piece
	}{
		{"constant 500", 0, []piece{{0, 1, 500}, {1, 10, 4500}}},
		{"constant 30/m 10s", 10 * time.Second, []piece{{0, 10, 5}, {10, 99, 0}}},
		{"ramp 100..300 10s", 10 * time.Second, []piece{{0, 5, 750}, {5, 10, 1250}, {10, 99, 0}}},
		{"ramp 0..1000 10s", 10 * time.Second, []piece{{0, 1, 50}, {9, 10, 950}}},
		{"ramp 1000..0 10s", 10 * time.Second, []piece{{0, 1, 950}, {9, 10, 50}}},
		{"ramp 100..100 10s", 10 * time.Second, []piece{{0, 1, 100}, {9, 10, 100}}},
		{"step 100..300 by 100 every 2s", 6 * time.Second, []piece{{0, 2, 200}, {2, 4, 400}, {4, 6, 600}, {6, 99, 0}}},
		{"step 300..100 by 150 every 2s", 4 * time.Second, []piece{{0, 2, 600}, {2, 4, 300}}},
		// A quarter of a sine has 2/π of its height.
		{"sine 100..300 every 40s", 0, []piece{{0, 10, 2000 + 1000*2/math.Pi}, {20, 40, 4000 - 2000*2/math.Pi},
			{400, 440, 8000}}},
		{"sine 0..200 every 4s 8s", 8 * time.Second, []piece{{0, 4, 400}, {2, 4, 200 - 200*2/math.Pi}, {8, 99, 0}}},
		{"constant 100 2s then ramp 100..300 10s then constant 0 5s then constant 50", 0,
			[]piece{{0, 2, 200}, {2, 7, 750}, {12, 17, 0}, {17, 19, 100}, {19, 21, 100}}},
	} {
		for _, kind := range []load.Arrivals{load.EvenArrivals, load.RandomArrivals} {
			checkSchedule(t, kind, c.text, c.ends, c.pieces)
		}
	}
}

// A piece is how many arrivals are wanted from one second to another.
type piece struct {
	from, to float64
	want     float64
}

// spaced is a schedule's text with a kind of arrivals for each of its pieces.
func spaced(kind load.Arrivals, text string) string {
	pieces := strings.Split(text, " then ")
	for i, p := range pieces {
		pieces[i] = string(kind) + " " + p
		if kind == load.EvenArrivals {
			pieces[i] = string(kind) + " " + strings.TrimPrefix(p, "constant ")
		}
	}
	return strings.Join(pieces, " then ")
}

func checkSchedule(t *testing.T, kind load.Arrivals, text string, ends time.Duration, pieces []piece) {
	text = spaced(kind, text)
	t.Run(text, func(t *testing.T) {
		s, err := load.ParseSchedule(text)
		if err != nil {
			t.Fatal(err)
		}
		if s.Ends != ends || s.Text != text || s.Arrivals != string(kind) {
			t.Errorf("%q of %s arrivals ends at %v, want %q at %v", s.Text, s.Arrivals, s.Ends, text, ends)
		}
		for _, p := range pieces {
			within := 1.001
			if kind == load.RandomArrivals {
				within = 4.5 * math.Sqrt(p.want)
			}
			if got := arrivals(s.Pace, p.from, p.to); math.Abs(float64(got)-p.want) > within {
				t.Errorf("%d arrivals from %v s to %v s, want %.1f", got, p.from, p.to, p.want)
			}
		}
		last := time.Duration(-1)
		for i := range uint64(3000) {
			at, ok := s.Pace(i)
			if ok && at < last {
				t.Fatalf("arrival %d at %v, before the one before it, %v", i, at, last)
			}
			last = max(last, at)
		}
	})
}

// TestSeeded: a schedule has the same moments for the same seed and others for another seed. Its evenly spaced pieces
// draw none.
func TestSeeded(t *testing.T) {
	s, err := load.ParseSchedule("ramp 50..100 4s then constant 50 2s then sine 10..90 every 2s 4s")
	if err != nil {
		t.Fatal(err)
	}
	if s.Arrivals != "poisson and constant" {
		t.Errorf("arrivals %q, want both kinds", s.Arrivals)
	}
	one, same, other := all(s.Seeded(7).Pace), all(s.Seeded(7).Pace), all(s.Seeded(8).Pace)
	if !slices.Equal(one, same) || slices.Equal(one, other) {
		t.Errorf("seed 7 twice gives the same: %v; seed 8 too: %v", slices.Equal(one, same), slices.Equal(one, other))
	}
	for _, at := range [][]time.Duration{one, other} {
		var gaps []time.Duration
		for i := 1; i < len(at); i++ {
			if at[i-1] >= 4*time.Second && at[i] < 6*time.Second {
				gaps = append(gaps, (at[i] - at[i-1]).Round(time.Microsecond))
			}
		}
		if len(gaps) != 99 || slices.Min(gaps) != 20*time.Millisecond || slices.Max(gaps) != 20*time.Millisecond {
			t.Errorf("%d gaps of %v to %v in the even piece, want 99 of 20 ms", len(gaps), slices.Min(gaps),
				slices.Max(gaps))
		}
	}
}

func all(p load.Pace) []time.Duration {
	var out []time.Duration
	for i := uint64(0); ; i++ {
		at, ok := p(i)
		if !ok {
			return out
		}
		out = append(out, at)
	}
}

func TestScheduleRefused(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", `unknown shape ""`},
		{"rmp 100..200 60s", "want one of"},
		{"constant", `"" is not a rate`},
		{"constant -5", `"-5" is not a rate`},
		{"constant 5/d", `"5/d" is not a rate`},
		{"constant 1e9", "from 0 to 1000000"},
		{"constant NaN", "is not a rate"},
		{"constant 0", "no arrivals"},
		{"constant 0 10s", "no arrivals"},
		{"constant 5 then constant 6", "never ends"},
		{"constant poisson 5", `"poisson" is not a rate`},
		{"poisson", `"" is not a rate`},
		{"poisson replay f", `"replay" is not a rate`},
		{"constant 5 1s then", "nothing comes after"},
		{"ramp 100..200", `"" is not a time`},
		{"ramp 100 60s", "not a range of rates"},
		{"ramp 1..x 60s", `"x" is not a rate`},
		{"ramp 1..2 60", `"60" is not a time`},
		{"ramp 1..2 60s 70s", `unexpected "70s"; want: ramp RATE..RATE FOR`},
		{"step 1..9 every 5s", `there is "every", want "by"`},
		{"step 1..9 by 0 every 5s", "steps"},
		{"step 1..900000 by 1 every 5s", "at most 10000"},
		{"sine 9..1 every 5s", "the lower first"},
		{"constant 5 100h then constant 5 100h", "takes 200 h"},
		{"replay", "needs the file"},
		{"replay nowhere.log", "nowhere.log"},
		{"replay f x0", "not a speed"},
		{"replay " + write(t, "log", "0\n10000000\n") + " x0.001", "x17"},
		{"replay " + write(t, "log", "0\n8000000000\n") + " x0.001", "still above 168h0m0s: cut the file"},
	} {
		t.Run(c.text, func(t *testing.T) {
			_, err := load.ParseSchedule(c.text)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("err = %v, want one with %q", err, c.want)
			}
		})
	}
}

func TestReplay(t *testing.T) {
	ms := time.Millisecond
	for _, c := range []struct {
		name, text string
		speed      string
		want       []time.Duration
	}{
		{"seconds", "# comment\n0.5\n\n0.75 GET /\n1.5,x\n", "", []time.Duration{0, 250 * ms, 1000 * ms}},
		{"durations", "5ms\n10ms\n1s\n", "", []time.Duration{0, 5 * ms, 995 * ms}},
		{"times", "2026-11-21T19:32:11.5Z\n2026-11-21T20:32:11.75+01:00\n", "", []time.Duration{0, 250 * ms}},
		{"Unix milliseconds", "1763753531000\n1763753531020\n", "", []time.Duration{0, 20 * ms}},
		{"Unix nanoseconds", "1763753531000000001\n1763753531020000003\n", "", []time.Duration{0, 20*ms + 2}},
		{"not in order", "3.5\n1\n2\n", "", []time.Duration{0, 1000 * ms, 2500 * ms}},
		{"access log", `127.0.0.1 - - [21/Nov/2026:19:32:12 +0000] "GET /b HTTP/1.1" 200 5 "-" "a [b] c"
127.0.0.1 - ann [21/Nov/2026:19:32:11 +0000] "GET /a HTTP/1.1" 200 5
127.0.0.1 - - [21/Nov/2026:20:32:12 +0100] "GET /c HTTP/1.1" 200 5
`, "", []time.Duration{0, 1000 * ms, 1500 * ms}},
		{"twice as fast", "0\n1.5\n", "x2", []time.Duration{0, 750 * ms}},
		{"one", "7\n", "", []time.Duration{0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := load.ParseSchedule("replay " + write(t, "a file.txt", c.text) + " " + c.speed)
			if err != nil {
				t.Fatal(err)
			}
			var got []time.Duration
			for i := uint64(0); ; i++ {
				at, ok := s.Pace(i)
				if !ok {
					break
				}
				got = append(got, at)
			}
			if !slices.Equal(got, c.want) || s.Ends != got[len(got)-1]+1 {
				t.Errorf("arrivals %v, end %v; want %v", got, s.Ends, c.want)
			}
		})
	}
}

func TestArrivalsRefused(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty", "\n# nothing\n", "no arrivals"},
		{"words", "0.5\nsoon\n", "line 2"},
		{"binary", "\x00\x01", "does not begin with a time"},
		{"a line without end", strings.Repeat("x", 2<<20), "a line longer than"},
		{"infinite", "Inf\n", "does not begin with a time"},
		{"another calendar", "0001-01-01T00:00:00Z\n", "the year 1"},
		{"almost 293 years", "0\n" + strings.Repeat("9223372036s\n", 9), "292 years"},
		{"mixed", "-9e10\n1763753531000000001\n-99999999999\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := load.ReadArrivals(strings.NewReader(c.text))
			if c.want == "" {
				if err == nil && slices.Min(got) < 0 {
					t.Errorf("arrivals %v, want none before the first", got)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("err = %v, want one with %q", err, c.want)
			}
		})
	}
}

func FuzzParseSchedule(f *testing.F) {
	for _, s := range []string{"constant 500", "ramp 100..300 10s then constant 5", "step 1..9 by 2 every 5s",
		"sine 0..200 every 4s 8s", "constant 1/h 1ms", "poisson 50 3s then constant ramp 1..9 2s"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.HasPrefix(strings.TrimSpace(text), "replay") {
			t.Skip() // would read files
		}
		s, err := load.ParseSchedule(text)
		if err != nil {
			return
		}
		last := time.Duration(0)
		for _, i := range []uint64{0, 1, 2, 100, 1 << 20, 1 << 40} {
			at, ok := s.Pace(i)
			if ok && (at < last || s.Ends > 0 && at > s.Ends) {
				t.Errorf("%q: arrival %d at %v, after one at %v; the end is %v", text, i, at, last, s.Ends)
			}
			if ok {
				last = at
			}
		}
		again, err := load.ParseSchedule(s.Text)
		if err != nil || again.Ends != s.Ends {
			t.Errorf("%q reads as %q, and that not again: %v", text, s.Text, err)
		}
	})
}

func FuzzReadArrivals(f *testing.F) {
	for _, s := range []string{"0.5\n1\n", "5ms\n", "2026-11-21T19:32:11.5Z x\n",
		`::1 - - [21/Nov/2026:19:32:11 +0000] "GET / HTTP/1.1" 200 5`, "1763753531000\n-5\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := load.ReadArrivals(strings.NewReader(text))
		if err != nil {
			return
		}
		if len(got) == 0 || got[0] != 0 || !slices.IsSorted(got) {
			t.Errorf("arrivals %v, want them from 0, in order", got)
		}
	})
}
