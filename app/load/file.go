package load

import (
	"fmt"
	"runtime"
	"strings"
	"time"
)

// FileSchema is the version of the format that File is written in.
const FileSchema = 1

// FileKind marks a File among other JSON documents.
const FileKind = "casebook-load"

// A File is a run as it is kept on disk: docs/load-json.md is its schema. Durations are seconds. To write one, make it
// with NewFile, hand it each window as it ends (Add) and the result at last (Finish).
type File struct {
	Schema  int       `json:"schema"` // FileSchema
	Kind    string    `json:"kind"`   // FileKind
	Start   time.Time `json:"start"`
	Plan    Plan      `json:"plan"`
	Machine Machine   `json:"machine"`
	Seconds float64   `json:"seconds"`
	Total   Figures   `json:"total"`
	Lag     Quantiles `json:"lag"` // how late requests left; it is part of the latencies
	// Abandoned is how many requests were in flight when the run was interrupted.
	Abandoned   uint64            `json:"abandoned"`
	FirstErrors map[string]string `json:"first_errors,omitempty"`
	CPU         Usage             `json:"cpu"`
	Limited     string            `json:"limited,omitempty"` // why the generator limited the figures
	Ended       string            `json:"ended,omitempty"`   // why the run ended before its schedule
	Windows     []FileWindow      `json:"windows,omitempty"`
}

// A Plan is what a run was asked to do.
type Plan struct {
	Targets     []string `json:"targets"` // method and URL of the first of them, without passwords
	TargetCount int      `json:"target_count"`
	Protocol    string   `json:"protocol"` // http/1.1, http/2 or grpc; "" for what the server prefers
	Pace        string   `json:"pace"`
	// Schedule.Arrivals; "" in files of before there was a choice: evenly spaced
	Arrivals    string  `json:"arrivals,omitempty"`
	Seconds     float64 `json:"seconds,omitempty"` // 0 when the pace or a count ends it
	Count       uint64  `json:"count,omitempty"`
	Timeout     float64 `json:"timeout"`
	MaxInFlight int     `json:"max_in_flight"`
	Connections int     `json:"connections,omitempty"`
	Seed        uint64  `json:"seed"` // of what templates draw, and of random moments
}

// HowSpaced is Arrivals, also of files of before there was a choice.
func (p *Plan) HowSpaced() string {
	switch {
	case p.Arrivals != "":
		return p.Arrivals
	case strings.HasPrefix(p.Pace, "replay "):
		return "replay"
	}
	return string(EvenArrivals)
}

// A Machine is where the generator ran.
type Machine struct {
	OS   string `json:"os"`
	Arch string `json:"arch"`
	CPUs int    `json:"cpus"`
	Go   string `json:"go"`
}

// Figures are Counts as they are kept.
type Figures struct {
	Sent       uint64            `json:"sent"`
	OK         uint64            `json:"ok"`
	Rate       float64           `json:"rate"`       // requests sent a second
	Throughput float64           `json:"throughput"` // good answers a second
	ErrorShare float64           `json:"error_share"`
	Errors     Errors            `json:"errors"`
	Codes      map[string]uint64 `json:"codes,omitempty"`
	Latency    Quantiles         `json:"latency"`
}

// A FileWindow is a Window as it is kept.
type FileWindow struct {
	Index    int     `json:"index"`
	Start    float64 `json:"start"` // since File.Start
	Seconds  float64 `json:"seconds"`
	InFlight int     `json:"in_flight"`
	Figures
}

// NewFile begins the record of a run.
func NewFile(start time.Time, plan Plan) *File {
	return &File{
		Schema: FileSchema, Kind: FileKind, Start: start.UTC(), Plan: plan,
		Machine: Machine{runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version()},
	}
}

// MaxWindows bounds the windows of a File: with their histograms they take about 1.7 kB each, and Read takes 512 MiB.
const MaxWindows = 300_000

// Add keeps a window. Windows come in order.
func (f *File) Add(w Window) error {
	if len(f.Windows) == MaxWindows {
		return fmt.Errorf("window %d and later windows are not kept: %d is the maximum; run it with a longer --window",
			w.Index, MaxWindows)
	}
	figures, err := newFigures(&w.Counts)
	if err != nil {
		return fmt.Errorf("keeping window %d: %w", w.Index, err)
	}
	at := 0.0
	if n := len(f.Windows); n > 0 {
		at = f.Windows[n-1].Start + f.Windows[n-1].Seconds
	}
	f.Windows = append(f.Windows, FileWindow{w.Index, at, w.Seconds, w.InFlight, figures})
	return nil
}

// Finish keeps the result.
func (f *File) Finish(res Result) error {
	total, err := newFigures(&res.Counts)
	if err != nil {
		return fmt.Errorf("keeping the total: %w", err)
	}
	if f.Lag, err = newQuantiles(res.Lag); err != nil {
		return fmt.Errorf("keeping the lag: %w", err)
	}
	f.Start, f.Seconds, f.Total = res.Start.UTC(), res.Seconds, total
	f.Abandoned, f.FirstErrors, f.CPU, f.Limited, f.Ended = res.Abandoned, res.FirstErrors, res.CPU, res.Limited,
		res.Ended
	return nil
}

func newFigures(c *Counts) (Figures, error) {
	latency, err := newQuantiles(c.Latency)
	return Figures{
		Sent: c.Sent, OK: c.OK, Rate: c.Rate(), Throughput: c.Throughput(), ErrorShare: c.ErrorShare(),
		Errors: c.Errors, Codes: c.Codes, Latency: latency,
	}, err
}

// Counts returns the figures as a run gave them. It fails when the histogram cannot be read.
func (g *Figures) Counts(start time.Time, seconds float64) (Counts, error) {
	latency, err := g.Latency.Latency()
	return Counts{Start: start, Seconds: seconds, Sent: g.Sent, OK: g.OK, Errors: g.Errors, Codes: g.Codes,
		Latency: latency}, err
}
