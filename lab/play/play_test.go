package play

import (
	"context"
	"errors"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gocasebook/casebook/internal/leaktest"
	"github.com/gocasebook/casebook/lab"
	"github.com/gocasebook/casebook/lab/cpus"
	"github.com/gocasebook/casebook/lab/phones"
	"github.com/gocasebook/casebook/lab/stage"
	"github.com/gocasebook/casebook/lab/stage/stagetest"
)

func TestMain(m *testing.M) {
	os.Exit(leaktest.Check(m.Run(), "lab/bench.", "lab/stage.", "app/load."))
}

// smallRow is the gateway with a small cache. extra are flags of both forms.
func smallRow(name string, extra ...string) Row {
	const entries = 20_000
	rig := func(ctx context.Context, s lab.Starter) (lab.Rig, error) {
		var up struct{ Items, Users, Tracking string }
		if err := s.Lab(ctx, "upstreams", nil, &up); err != nil {
			return lab.Rig{}, err
		}
		url := phones.Requests(1, entries, entries, "")
		return lab.Rig{
			Args: append([]string{
				"-listen", "127.0.0.1:{port}", "-pprof", "127.0.0.1:{pprof}",
				"-cache-size", strconv.Itoa(entries), "-warm", strconv.Itoa(entries), "-users", strconv.Itoa(entries),
				"-items", strconv.Itoa(entries),
				"-items-url", "http://" + up.Items, "-users-url", "http://" + up.Users, "-tracking-url",
				"http://" + up.Tracking,
			}, extra...),
			Ready: "/readyz", Rate: 50,
			Request: func(addr string, i uint64) (*http.Request, error) {
				return http.NewRequest(http.MethodGet, "http://"+addr+url(i), nil)
			},
		}, nil
	}
	return Row{lab.Service{Name: "phones"}, lab.Disease{
		Name: name, Sick: "gcache", Cure: "remedy", Rig: rig, Key: "heap_objects",
		SickArgs: []string{"-cache", "gcache"}, CuredArgs: []string{"-cache", "remedy"},
		Want: lab.Want{Kinds: []string{"gc-pointer-heap"}},
	}}
}

func config(t *testing.T, v *stagetest.View) Config {
	return Config{Binary: stagetest.Lab(t), Dir: t.TempDir(), Measure: minPasses * 3 * stage.TurnTime(window),
		Patience: 2 * time.Second, View: v}
}

// A row is played to its end, though no rule trips on so small a fault. While it is played, the service has a CPU for
// itself.
func TestRow(t *testing.T) {
	before, err := cpus.Allowed()
	if err != nil {
		t.Skip(err)
	}
	cfg := config(t, &stagetest.View{TB: t})
	row := smallRow("small")
	row.Disease.CPUs = 1
	rig := row.Disease.Rig
	row.Disease.Rig = func(ctx context.Context, s lab.Starter) (lab.Rig, error) {
		if now, err := cpus.Allowed(); err != nil || before.Count() > 1 && now.Count() != before.Count()-1 {
			t.Errorf("%d CPUs are left, %v; want all of %d but the service's", now.Count(), err, before.Count())
		}
		r, err := rig(ctx, s)
		r.Busy, r.Callers = 0.3, 16
		r.Loads = []lab.Load{{Rate: 20}, {Rate: 10, Kind: "the same", Request: r.Request}}
		return r, err
	}
	rep, err := Run(t.Context(), cfg, []Row{row}, nil)
	if err != nil || len(rep.Rows) != 1 {
		t.Fatalf("%d rows, %v", len(rep.Rows), err)
	}
	r := rep.Rows[0]
	if r.Error != "" || r.Proof == nil || r.Proof.Verdict != "better" || r.Opened.Rule != "" ||
		!strings.Contains(strings.Join(r.Fails, "; "), "no default rule tripped") {
		t.Errorf("row %+v", r)
	}
	if now, err := cpus.Allowed(); err != nil || now.Count() != before.Count() {
		t.Errorf("%d CPUs afterwards, %v; want %d", now.Count(), err, before.Count())
	}
	if !strings.Contains(r.Proof.Load, "up to 16 at a time") || strings.HasPrefix(r.Proof.Load, "50 req/s") {
		t.Errorf("load %q, want one that is scaled", r.Proof.Load)
	}
	if len(r.Loads) != 2 || r.Loads[0].Rate != 20 || r.Loads[1].Kind != "the same" || r.Loads[1].P97 < r.Loads[1].P90 ||
		r.Loads[1].P90 <= 0 {
		t.Errorf("fixed loads %+v, want figures of two", r.Loads)
	}
	if g := r.Goroutines; g == nil || g.Sick < 1 || g.Cured < 1 {
		t.Errorf("goroutines %+v, want those of both forms", g)
	}
	for _, f := range r.Proof.Figures {
		if f.Before.N == 0 || f.After.N == 0 {
			t.Logf("%s is not measured: %s", f.Name, f.Note)
		}
	}
	stagetest.NoChildren(t, cfg.Binary)
}

// A service that dies while it is watched ends its row, not the lab. So does a service or a dependency that does not
// start.
func TestRowsThatFail(t *testing.T) {
	v := &stagetest.View{TB: t}
	cfg := config(t, v)
	var once sync.Once
	v.OnProgress = func() { // while it is watched
		once.Do(func() {
			for _, pid := range stagetest.Children(cfg.Binary, "-cache-size") {
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		})
	}
	cfg.Patience = 20 * time.Second
	refusing := smallRow("refusing", "-set", "tree")
	orphan := smallRow("orphan")
	orphan.Disease.Rig = func(ctx context.Context, s lab.Starter) (lab.Rig, error) {
		return lab.Rig{}, s.Lab(ctx, "upstreams", []string{"-median", "-1s"}, new(any))
	}
	rep, err := Run(t.Context(), cfg, []Row{smallRow("dying"), refusing, orphan}, nil)
	if err != nil || len(rep.Rows) != 3 {
		t.Fatalf("%d rows, %v", len(rep.Rows), err)
	}
	for i, want := range []string{
		"phones ended by itself: signal: killed",
		"phones did not start: exit status 2",
		"starting what phones needs: upstreams did not start: exit status 2",
	} {
		if got := rep.Rows[i].Error; !strings.Contains(got, want) {
			t.Errorf("row %d: error is %q, want %q in it", i, got, want)
		}
	}
	stagetest.NoChildren(t, cfg.Binary)
}

// Ctrl-C at any form stops every process, and the current row is in the report.
func TestInterrupted(t *testing.T) {
	for n := 1; n <= 2; n++ {
		ctx, cancel := context.WithCancel(t.Context())
		v := &stagetest.View{TB: t, OnStep: func(step int) {
			if step == n {
				time.AfterFunc(time.Second, cancel)
			}
		}}
		cfg := config(t, v)
		rep, err := Run(ctx, cfg, []Row{smallRow("small"), smallRow("never")}, nil)
		if !errors.Is(err, context.Canceled) || len(rep.Rows) != 1 || rep.Rows[0].Error != "interrupted" {
			t.Errorf("interrupted in form %d: %v, rows %+v", n, err, rep.Rows)
		}
		cancel()
		stagetest.NoChildren(t, cfg.Binary)
	}
}

func TestConfigIsChecked(t *testing.T) {
	if _, err := Run(t.Context(), Config{Measure: time.Second}, nil, nil); err == nil ||
		!strings.Contains(err.Error(), "measure is 1s") {
		t.Errorf("error is %v", err)
	}
}
