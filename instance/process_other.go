//go:build !linux

package instance

import (
	"context"
	"errors"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

type procFiles struct{}

func (t *HTTP) findProcess(context.Context) {
	t.setProcess(nil, "/proc is read on Linux only")
}

func (p *process) exe() string { return "" }

func (p *process) close() {}

func (p *process) counts() (read func() (processCounts, bool), end func()) {
	return func() (processCounts, bool) { return processCounts{}, false }, func() {}
}

// Neighbours are seen on Linux only.
func (t *HTTP) Neighbours(context.Context, time.Duration) (casefile.MachineUse, error) {
	return casefile.MachineUse{}, nil
}

// Neighbours are seen on Linux only.
func (t *Self) Neighbours(context.Context, time.Duration) (casefile.MachineUse, error) {
	return casefile.MachineUse{}, nil
}

func (p *process) sample(*vitals.Sample, time.Time, *reasons) error { return errors.ErrUnsupported }

type (
	exitWatch int
	oomCounts struct{}
)

func (p *process) ended() End { return End{PID: p.pid, OOMKills: -1} }

func (p *process) howEnded() End { return p.ended() }

func (p *process) lives() bool { return true }

func (p *process) cpuTime() (time.Duration, bool) { return 0, false }

func (p *process) standing() (standing, error) { return standing{}, errors.ErrUnsupported }

func newProcess(int) (*process, error) { return nil, errors.New("/proc is read on Linux only") }
