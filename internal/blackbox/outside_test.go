package blackbox

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// lives are a minute of samples of a process with a memory limit of 1 GB, of which it uses a given share at the end.
func lives(share float64) []vitals.Sample {
	var samples []vitals.Sample
	for i := range 60 {
		s := vitals.NewSample(time.Unix(int64(1e9+i), 0))
		s.Set(vitals.RSS, share*1e9)
		s.Set(vitals.MemoryLimit, 1e9)
		s.Set(vitals.MemoryShare, share)
		s.Set(vitals.Goroutines, 40)
		samples = append(samples, s)
	}
	return samples
}

func TestEndsSeenFromOutside(t *testing.T) {
	known := func(e Ending) Ending { e.Known, e.OOMKills = true, 0; return e }
	for _, c := range []struct {
		name  string
		e     Ending
		share float64
		want  Verdict
		text  string
	}{
		// Crashes.
		{"the OOM killer, and the supervisor starts it again", Ending{OOMKills: 1, Replaced: true, Away: time.Second},
			0.7, Crash, "OOM killer struck 1 time"},
		{"a nil map in a handler's goroutine", known(Ending{Code: 2, Replaced: true, Away: time.Second}), 0.3, Crash,
			"exit status 2, as after a panic"},
		{"a panic while a new build is rolled out", known(Ending{Code: 2, Replaced: true, NewBuild: true}), 0.3, Crash,
			"exit status 2"},
		{"a fault in C code", known(Ending{Signal: syscall.SIGSEGV}), 0.3, Crash, "signal segmentation fault"},
		{"SIGKILL by hand, the same build comes back",
			known(Ending{Signal: syscall.SIGKILL, Replaced: true, Away: time.Second}), 0.3, Crash, "signal killed"},
		{"log.Fatal for a lost database, nobody restarts it", known(Ending{Code: 1, Away: 11 * time.Second}), 0.3,
			Crash, "exit status 1"},
		{"an older kernel, memory at its limit", Ending{OOMKills: -1}, 0.99, Crash, "memory was at 99 %"},
		{"an older kernel, it stays away", Ending{OOMKills: -1, Away: 61 * time.Second}, 0.3, Crash,
			"nothing took its place"},
		{"an older kernel, a crash loop", Ending{OOMKills: -1, Replaced: true, Earlier: 2}, 0.3, Crash,
			"3. end within ten minutes"},

		// Ends that somebody intended.
		{"SIGTERM, a new build", known(Ending{Signal: syscall.SIGTERM, Replaced: true, NewBuild: true}), 0.3, Planned,
			""},
		{"systemctl restart, a graceful shutdown", known(Ending{Replaced: true, Away: 2 * time.Second}), 0.3, Planned,
			""},
		{"systemctl stop", known(Ending{Away: time.Hour}), 0.3, Planned, ""},
		{"Ctrl-C", known(Ending{Signal: syscall.SIGINT}), 0.3, Planned, ""},
		{"a shutdown that logs http.ErrServerClosed as fatal, a new build",
			known(Ending{Code: 1, Replaced: true, NewBuild: true}), 0.3, Planned, ""},
		{"docker stop of what ignores SIGTERM, a new build",
			known(Ending{Signal: syscall.SIGKILL, Replaced: true, NewBuild: true}), 0.3, Planned, ""},
		{"a full cache's deployment", known(Ending{Replaced: true, NewBuild: true}), 0.97, Planned, ""},
		{"an older kernel, a restart of the same build", Ending{OOMKills: -1, Replaced: true, Away: 3 * time.Second},
			0.3, Planned, ""},
		{"an older kernel, a hand-over without a gap", Ending{OOMKills: -1, Replaced: true, NewBuild: true}, 0.3,
			Planned, ""},

		// Too early to tell.
		{"SIGKILL a second ago", known(Ending{Signal: syscall.SIGKILL, Away: time.Second}), 0.3, Wait, ""},
		{"an older kernel, half a minute ago", Ending{OOMKills: -1, Away: 30 * time.Second}, 0.3, Wait, ""},
	} {
		got, v := Outside(casefile.Target{Name: "shop"}, lives(c.share), c.e)
		if v != c.want || !strings.Contains(got.Text, c.text) {
			t.Errorf("%s: verdict %d, want %d; %q, want %q in it", c.name, v, c.want, got.Text, c.text)
		}
		if got.Rule != Killed || got.Time.IsZero() {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
	if _, v := Outside(casefile.Target{}, nil, Ending{}); v != Planned {
		t.Error("an end before the first sample is a case")
	}
}
