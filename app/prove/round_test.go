package prove_test

import (
	"context"
	"maps"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/app/prove"
)

// TestWindowRound makes rounds from real windows: of a server that answers, and of one that only fails.
func TestWindowRound(t *testing.T) {
	for _, c := range []struct {
		name   string
		status int
		want   []string
	}{
		{"answers", 200, []string{prove.P50, prove.P90, prove.P99, prove.P999, prove.ErrorShare, prove.Throughput,
			prove.CPU, prove.CPUPerRequest, prove.RSS}},
		{"fails", 500, []string{prove.P50, prove.P90, prove.P99, prove.P999, prove.ErrorShare, prove.Throughput,
			prove.CPU, prove.RSS}},
	} {
		t.Run(c.name, func(t *testing.T) {
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter,
				_ *http.Request) {
				w.WriteHeader(c.status)
			}))
			defer srv.Close()
			var round prove.Round
			res, err := load.Run(context.Background(), load.Config{
				Rate: 200, Duration: 100 * time.Millisecond,
				Request: func(uint64) (*http.Request, error) { return http.NewRequest(http.MethodGet, srv.URL, nil) },
				OnWindow: func(w load.Window) {
					round = prove.WindowRound(w, &prove.Usage{Seconds: 2, CPUSeconds: 0.5, RSS: 7 << 20})
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			if got := slices.Sorted(maps.Keys(round)); !slices.Equal(got, slices.Sorted(slices.Values(c.want))) {
				t.Errorf("figures %v, want %v", got, c.want)
			}
			if round[prove.CPU] != 0.25 || round[prove.RSS] != 7<<20 ||
				round[prove.ErrorShare] != math.Min(1, float64(c.status-200)) {
				t.Errorf("round %v, want a quarter of a core, 7 MiB and the errors' share", round)
			}
			if c.status == 200 && round[prove.CPUPerRequest] != 0.5/20 {
				t.Errorf("CPU per request %v, want 0.5 s over 20", round[prove.CPUPerRequest])
			}
			if p := res.Latency.P99().Seconds(); prove.WholeRun(res.Counts)[prove.P99] != p || round[prove.P99] != p {
				t.Errorf("p99 %v, whole run %v, want %v", round[prove.P99], prove.WholeRun(res.Counts)[prove.P99], p)
			}
		})
	}
}

// TestWindowRoundWithoutAnything has no figures, rather than zeros.
func TestWindowRoundWithoutAnything(t *testing.T) {
	if r := prove.WindowRound(load.Window{}, nil); len(r) != 0 {
		t.Errorf("figures of an empty window: %v, want none", r)
	}
}
