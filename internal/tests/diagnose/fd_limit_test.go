package diagnose_test

import (
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/vitals"
)

// TestFDLimit: how many descriptors count, and what is done about those that show in goroutines.
func TestFDLimit(t *testing.T) {
	const limit = 1024.0
	at := func(open func(i int) float64, goroutines float64) diagnose.Evidence {
		return history(t, noon.Add(20*time.Second), map[vitals.ID]func(int) float64{vitals.OpenFiles: open,
			vitals.OpenFilesShare: func(i int) float64 { return open(i) / limit },
			vitals.Goroutines:     constant(goroutines)})
	}
	grows := func(i int) float64 { return 500 + 10*float64(i) }
	burst := func(i int) float64 {
		if i >= 37 {
			return 1000
		}
		return 60
	}
	readers := crowd{900, "IO wait", poll + " net.(*conn).Read main.follow:31 " + conn, "net/http.(*Server).Serve:9"}
	idle := crowd{880, "IO wait", poll + " net.(*conn).Read net/http.(*connReader).Read " + conn,
		"net/http.(*Server).Serve:9"}
	few := crowd{5, "IO wait", poll + " " + conn, ""}
	unlimited := flatHistory(t, map[vitals.ID]float64{vitals.OpenFiles: 900})
	for _, tt := range []struct {
		name      string
		in        diagnose.Input
		low, high int
		remedy    string // the first
	}{
		{"clients that stay", with(apart(0, dumpOf(readers)), at(constant(915), 910)), 76, 90,
			"Raise the limit to 4096"},
		{"clients that never leave", with(apart(0, dumpOf(idle)), at(grows, 880)), 65, 74, "End connections"},
		{"files", with(apart(0, dumpOf(few)), at(grows, 12)), 65, 74, "Close what is opened"},
		{"files, of a process without a profile", diagnose.Input{Evidence: []diagnose.Evidence{at(constant(600), 12)}}, 25,
			49,
			"Close what is opened"},
		{"at the limit", with(apart(0, dumpOf(few)), at(constant(1024), 12)), 100, 100, "Close what is opened"},
		{"a burst", with(apart(0, dumpOf(readers)), at(burst, 1000)), 0, 0, ""},
		{"less than half", with(apart(0, dumpOf(readers)), at(constant(400), 900)), 0, 0, ""},
		{"no limit is known", with(apart(0, dumpOf(readers)), unlimited), 0, 0, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, got := scoreOf(t, tt.in, "fd-limit")
			if got < tt.low || got > tt.high {
				t.Fatalf("scores %d, want %d to %d (%s)", got, tt.low, tt.high, f.Summary)
			}
			if tt.remedy != "" && !strings.HasPrefix(f.Remedies[0].Title, tt.remedy) {
				t.Errorf("first %q, want %q (%s)", f.Remedies[0].Title, tt.remedy, f.Summary)
			}
		})
	}
}
