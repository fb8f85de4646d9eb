package fix

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/child"
	"github.com/gocasebook/casebook/app/gate"
	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/app/revision"
)

// A Driven is a service that brings its own load: a program that speaks its protocol, or plays what it depends on. Both
// commits are started in turns, with fresh processes for each round, and the load of the old one for both.
type Driven struct {
	Server []string // the Go package of the server, and its arguments
	Drive  []string // likewise of the load
	Env    []string // NAME=value for both
	Rounds int      // pairs; default 10, at least minRounds
	Warm   time.Duration
	Span   time.Duration // that is measured; default 2 s
	Margin float64
	Say    func(string)
}

// minRounds is how many rounds a verdict needs: the smallest p of the signed-rank test is 2⁻ⁿ, and CPU, goroutines and
// garbage are judged together, each both ways, at 1 % (Holm): 6·2⁻¹⁰ is 0.6 %.
const minRounds = 10

// Check reports what is wrong with the commands before anything is built.
func (d *Driven) Check() error {
	for flag, words := range map[string][]string{"--server": d.Server, "--drive": d.Drive} {
		switch {
		case len(words) == 0 || !strings.HasPrefix(words[0], "."):
			return fmt.Errorf("%s begins with the Go package to build, such as ./cmd/server", flag)
		case !strings.Contains(strings.Join(words, " "), child.PortPlace):
			return fmt.Errorf("%s needs a place for the port: %s", flag, child.PortPlace)
		}
	}
	if d.Rounds != 0 && d.Rounds < minRounds {
		return fmt.Errorf("--rounds %d: with --drive fewer than %d can show nothing", d.Rounds, minRounds)
	}
	return nil
}

// Measure is a Prover's.
func (d *Driven) Measure(ctx context.Context, dir, base, head string, _ []string) (m *Measurement, err error) {
	rounds, warm, span := orElse(d.Rounds, 10), orElse(d.Warm, time.Second), orElse(d.Span, 2*time.Second)
	var builds [2]*revision.Build
	var folders [2]string
	for i, commit := range []string{base, head} {
		b, err := revision.New(ctx, dir, commit, d.Server[0])
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, b.Close()) }()
		builds[i], folders[i] = b, b.Dir
	}
	driver := builds[0].Binary
	if d.Drive[0] != d.Server[0] {
		b, err := revision.New(ctx, dir, base, d.Drive[0])
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, b.Close()) }()
		driver = b.Binary
	}
	figures := []gate.Figure{{Name: "cpu", Unit: "cores"}, {Name: "rss", Unit: "B"}, {Name: "goroutines"},
		{Name: "alloc_bytes", Unit: "B/s"}}
	for i := range figures {
		figures[i].Subject = d.Server[0]
	}
	for r := range rounds {
		var pair [2][4]float64
		for k := range 2 {
			side := (k + r) % 2 // which goes first alternates
			one := run{Driven: d, server: builds[side].Binary, driver: driver, dir: folders[side], warm: warm, span: span}
			if pair[side], err = one.measure(ctx); err != nil {
				return nil, err
			}
		}
		for i := range figures {
			figures[i].Pairs = append(figures[i].Pairs, gate.Pair{Base: pair[0][i], Head: pair[1][i]})
		}
		if d.Say != nil {
			d.Say(fmt.Sprintf("round %d of %d: cpu %.3f and %.3f cores, %.0f and %.0f goroutines", r+1, rounds, pair[0][0],
				pair[1][0], pair[0][2], pair[1][2]))
		}
	}
	for i := len(figures) - 1; i >= 0; i-- {
		if figures[i].Pairs[0].Base == 0 { // it could not be read
			figures = append(figures[:i], figures[i+1:]...)
		}
	}
	js := append(gate.Judge(figures, limits([]string{"cpu", "goroutines", "alloc_bytes"}, d.Margin)),
		gate.Judge(figures, limits([]string{"rss"}, d.Margin))...) // which decides nothing
	return measurement(js, fmt.Sprintf("%d rounds of fresh processes in turns, %s each after %s, under the load of %s.",
		rounds, span, warm, strings.Join(d.Drive, " "))), nil
}

func orElse[T int | time.Duration](v, otherwise T) T {
	if v == 0 {
		return otherwise
	}
	return v
}

// A run is one side of a round.
type run struct {
	*Driven
	server, driver, dir string
	warm, span          time.Duration
}

// measure starts the server and its load, and reads what the server costs: cores, bytes, goroutines.
func (r *run) measure(ctx context.Context) (out [4]float64, err error) {
	server, err := r.start("server", nil, r.server, r.Server[1:])
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	if err := server.Ready(ctx, "", 30*time.Second); err != nil {
		return out, err
	}
	load, err := r.start("load", server, r.driver, r.Drive[1:])
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, load.Stop()) }()
	if err := sleep(ctx, r.warm); err != nil {
		return out, err
	}
	allocated := allocatedOf(ctx, server.Addr)
	process, unreadable := prove.NewSampler(server.PID())
	began := time.Now()
	if err := sleep(ctx, r.span); err != nil {
		return out, err
	}
	out[3] = (allocatedOf(ctx, server.Addr) - allocated) / time.Since(began).Seconds()
	if unreadable == nil { // otherwise nothing is known of its CPU and memory: this system has no /proc
		used, err := process.Next()
		if err != nil {
			return out, errors.Join(err, server.Err(), load.Err())
		}
		out[0], out[1] = used.CPUSeconds/used.Seconds, float64(used.RSS)
	}
	out[2] = goroutines(ctx, server.Addr)
	return out, errors.Join(server.Err(), load.Err())
}

// portRow is how many ports a server may use, counted on from its own.
const portRow = 4

// start starts the server, or its load.
func (r *run) start(name string, asks *child.Process, bin string, args []string) (*child.Process, error) {
	return child.Start(child.Spec{Name: "the " + name, Args: append([]string{bin}, args...), Env: r.Env, Dir: r.dir,
		Row: portRow, Asks: asks})
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-t.C:
		return nil
	}
}

// goroutines is how many a server has, from its pprof; 0 without one.
func goroutines(ctx context.Context, addr string) float64 {
	return asked(ctx, addr, "goroutine", "goroutine profile: total ")
}

// allocatedOf is how many bytes a server has allocated, from the MemStats behind its heap profile.
func allocatedOf(ctx context.Context, addr string) float64 {
	return asked(ctx, addr, "heap", "# TotalAlloc = ")
}

// asked reads the number behind some words in a profile as text; 0 if there is none.
func asked(ctx context.Context, addr, profile, words string) float64 {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	url := fmt.Sprintf("http://%s/debug/pprof/%s?debug=1", addr, profile)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return 0
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0
	}
	defer res.Body.Close()
	text, err := io.ReadAll(io.LimitReader(res.Body, 64<<20))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), words)
	number, _, _ := strings.Cut(rest, "\n")
	n, _ := strconv.ParseFloat(strings.TrimSpace(number), 64) // 0 says that it is not known
	return n
}
