//go:build linux

package gate

import (
	"context"
	"errors"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/app/prove/trial"
)

// workServer is the server of bench-prove, whose CPU per request a flag raises. The planted change is in the flag's
// default.
func workServer(t testing.TB, slower string) string {
	t.Helper()
	text, err := os.ReadFile("../prove/server/main.go")
	if err != nil {
		t.Fatal(err)
	}
	const flag = `flag.Float64("slower", 0,`
	if !strings.Contains(string(text), flag) {
		t.Fatalf("the server has no %s", flag)
	}
	return strings.Replace(string(text), flag, `flag.Float64("slower", `+slower+`,`, 1)
}

// newServer is a repository with a server in cmd/server.
func newServer(t *testing.T, source string) *repo {
	t.Helper()
	return newModule(t, map[string]string{"cmd/server/main.go": source})
}

// serviceConfig is a gate that is as short as possible.
func serviceConfig(t *testing.T, r *repo, limits, path string) Config {
	t.Helper()
	ls, err := ParseLimits(limits)
	if err != nil {
		t.Fatal(err)
	}
	return Config{Dir: r.dir, Against: "main", Limits: ls, Rounds: 3, Confirm: 10, Progress: testWriter{t},
		Service: &Service{
			Package: "./cmd/server", Args: []string{"-addr", "127.0.0.1:{port}"}, Trial: loaded(path),
		}}
}

// loaded is a load of 300 requests a second in short slices: 30 a slice tell 30 % more CPU per request from none.
func loaded(path string) trial.Config {
	return trial.Config{Rate: 300, Slice: 100 * time.Millisecond, Warmup: 200 * time.Millisecond,
		ReadyTimeout: 5 * time.Minute,
		Load: func(_ context.Context, addr string) (load.Config, func(), error) {
			return load.Config{Timeout: time.Minute, Request: func(uint64) (*http.Request, error) {
				return http.NewRequest(http.MethodGet, "http://"+addr+path, nil)
			}}, func() {}, nil
		}}
}

// TestServiceFindsMoreWork plants 30 % more CPU per request, which are 30 % more allocations, too.
func TestServiceFindsMoreWork(t *testing.T) {
	tmp := ownTemp(t)
	r := newServer(t, workServer(t, "0"))
	r.write("cmd/server/main.go", workServer(t, "30"))
	res, err := Run(t.Context(), serviceConfig(t, r, "cpu_per_request:+5%,allocs:+1%,alloc_bytes:+100%", "/work"))
	if err != nil {
		t.Fatal(err)
	}
	const subject = "service ./cmd/server"
	for _, figure := range []string{"cpu_per_request", "allocs"} {
		j := find(t, res, subject, figure)
		if j.Outcome != Fail || j.Change < 0.15 || j.Change > 0.5 || j.Rounds != 10 || j.First == nil {
			t.Errorf("%s: %+v, want a failure of about +30 %%, confirmed in 10 rounds", figure, j)
		}
		// The changed function is main, which has the flag's default. Handlers are closures of it.
		if b := j.Because; len(b) == 0 || !strings.HasPrefix(b[0].Function, "main.main") || !b[0].Changed ||
			b[0].In != "main.work" {
			t.Errorf("%s: because %+v, want main.main, which changed, in main.work", figure, b)
		}
	}
	if j := find(t, res, subject, "alloc_bytes"); j.Outcome != Pass || j.First != nil {
		t.Errorf("%+v, want alloc_bytes to pass: +30 %% is below +100 %%", j)
	}
	if res.Outcome != Fail {
		t.Errorf("outcome %s, want fail", res.Outcome)
	}
	noneLeft(t, r, tmp)
}

// TestServiceOfTheSame measures a server against itself. Figures that the noise allows to judge pass; for the others it
// cannot tell.
func TestServiceOfTheSame(t *testing.T) {
	tmp := ownTemp(t)
	r := newServer(t, workServer(t, "0"))
	cfg := serviceConfig(t, r, "cpu_per_request:+50%,allocs:+10%,p50:+0.001%,errors:+0%", "/work")
	cfg.MeasureIdentical = true
	res, err := Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	const subject = "service ./cmd/server"
	for _, figure := range []string{"cpu_per_request", "allocs", "errors"} {
		if j := find(t, res, subject, figure); j.Outcome != Pass {
			t.Errorf("%+v, want a pass", j)
		}
	}
	// Blocks of the same program, or their pairs, may look better by more than their noise: that is a pass, too.
	if j := find(t, res, subject, "p50"); !(j.Outcome == Pass && min(j.Change, j.over) < -j.Noise) &&
		(j.Outcome != CannotTell || !strings.Contains(j.Reason, "cannot tell at this limit: noise floor ±")) {
		t.Errorf("%+v, want that it cannot tell at this limit", j)
	}
	noneLeft(t, r, tmp)
}

func TestServiceUnchangedPassesUnmeasured(t *testing.T) {
	r := newServer(t, workServer(t, "0"))
	r.write("cmd/server/main.go", workServer(t, "0")+"\n// A comment at the end moves no line.\n")
	cfg := serviceConfig(t, r, "cpu_per_request:+5%", "/work")
	res, err := Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if res.Outcome != Pass || len(res.Judgements) != 0 || len(res.Identical) != 1 ||
		res.Identical[0] != "service ./cmd/server" {
		t.Errorf("%+v, want a pass without measurements", res)
	}
}

// TestServiceBesideBenchmarks judges both in one gate.
func TestServiceBesideBenchmarks(t *testing.T) {
	r := newRepo(t, shop{work: 1, allocs: 3})
	r.write("cmd/server/main.go", workServer(t, "0"))
	r.commit()
	r.write("shop.go", shop{work: 1, allocs: 4}.source())
	cfg := serviceConfig(t, r, "allocs:+1%,cpu_per_request:+5%", "/work")
	cfg.Packages, cfg.Benchtime, cfg.Runs = []string{"./..."}, "1ms", 2
	res, err := Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if j := find(t, res, "example.com/shop BenchmarkEncode", "allocs"); j.Outcome != Fail {
		t.Errorf("%+v, want a failure of the benchmark", j)
	}
	if len(res.Identical) != 1 || res.Identical[0] != "service ./cmd/server" {
		t.Errorf("identical are %v, want the service", res.Identical)
	}
}

// TestServiceInterrupted: Ctrl-C leaves nothing but the result of what was measured until then.
func TestServiceInterrupted(t *testing.T) {
	for _, at := range []string{"building", "block 2 of 3"} {
		t.Run(at, func(t *testing.T) {
			tmp := ownTemp(t)
			r := newServer(t, workServer(t, "0"))
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			cfg := serviceConfig(t, r, "cpu_per_request:+50%", "/work")
			cfg.MeasureIdentical, cfg.Progress = true, onLine{at, cancel}
			res, err := Run(ctx, cfg)
			if !errors.Is(err, context.Canceled) {
				t.Errorf("error = %v, want that it was cancelled", err)
			}
			switch {
			case at == "building":
				if res != nil {
					t.Errorf("%+v, want no result", res)
				}
			case res == nil || res.Partial != "interrupted" || res.Outcome != CannotTell || len(res.Judgements) != 1:
				t.Errorf("%+v, want a partial result with one figure", res)
			case res.Judgements[0].Rounds != 2 || !strings.Contains(res.Judgements[0].Reason, "after 2 of 3 rounds"):
				t.Errorf("%+v, want two rounds", res.Judgements[0])
			}
			noneLeft(t, r, tmp)
		})
	}
}

func TestProfileTime(t *testing.T) {
	for _, c := range []struct {
		cores, change float64
		want          time.Duration
	}{{1, 0.3, 5 * time.Second}, {0.2, 0.3, 20 * time.Second}, {0.5, 0.1, 20 * time.Second},
		{0.01, 0.3, 30 * time.Second}, {0.2, 0, 30 * time.Second},
		{0, math.NaN(), 30 * time.Second}} { // where there is no CPU time
		if got := profileTime(c.cores, c.change); got != c.want {
			t.Errorf("with %g cores and a change of %g: %v, want %v", c.cores, c.change, got, c.want)
		}
	}
}

// noneLeft checks that no process of a binary below the temporary folder, no worktree and no folder is left.
func noneLeft(t *testing.T, r *repo, tmp string) {
	t.Helper()
	r.clean(tmp)
	links, err := filepath.Glob("/proc/[0-9]*/exe")
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range links {
		if exe, err := os.Readlink(l); err == nil && strings.HasPrefix(exe, tmp) {
			t.Errorf("a process of %s is left: %s", exe, filepath.Dir(l))
		}
	}
}
