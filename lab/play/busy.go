package play

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/lab/tables"
)

// A row whose forms and load lack CPU shows nothing: no rule trips in time, and no verdict is clear. It lacks CPU when
// processes that are not its own take a tenth of the machine and less than a third is left idle. On two idle cores
// the rows leave 20 to 60 % idle, and others take 1 to 3 %.
const (
	othersMost = 0.10
	idleLeast  = 1.0 / 3
)

// An Others says what the machine did while a row was played.
type Others struct {
	CPU  float64 `json:"cpu"`  // share of all CPUs that processes which are not the row's used
	Idle float64 `json:"idle"` // share of all CPUs that nobody used
}

// why says that others left the row too little; "" if not.
func (o *Others) why() string {
	if o == nil || o.CPU < othersMost || o.Idle > idleLeast {
		return ""
	}
	return fmt.Sprintf("the machine was busy: other processes used %s of its CPU time, and %s was left",
		number.Share(o.CPU), number.Share(o.Idle))
}

// MeasureTables measures the tables, and says on which machine and beside what.
func (r *Report) MeasureTables(ctx context.Context, o tables.Options) (err error) {
	before, unknown := lookAtCPU()
	r.Tables, err = tables.Run(ctx, o)
	r.Measured = "Measured " + time.Now().UTC().Format(time.DateOnly) + " on " + prove.Machine()
	if after, err := lookAtCPU(); err == nil && unknown == nil {
		if o := othersSince(before, after); o != nil {
			r.Measured += fmt.Sprintf("; other processes used %s of its CPU time", number.Share(o.CPU))
		}
	}
	r.Measured += "."
	return err
}

// cpuTime is CPU time since the machine's and since this process' start.
type cpuTime struct {
	total, idle time.Duration // of the machine; what a hypervisor took is not idle
	own         time.Duration // of this process and of those below it that have ended
}

// lookAtCPU reads the clocks. Processes of a row that still run are not counted as its own: look when they have ended.
func lookAtCPU() (cpuTime, error) {
	stat, err := os.ReadFile("/proc/stat")
	if err != nil {
		return cpuTime{}, err
	}
	t, err := machineTime(string(stat))
	if err == nil {
		t.own, err = ownCPU()
	}
	return t, err
}

// tick is the unit of /proc/stat, the same on all of Go's Linux ports (USER_HZ).
const tick = 10 * time.Millisecond

// machineTime reads the first line of /proc/stat: user nice system idle iowait irq softirq steal; what follows is part
// of user and nice (proc_stat(5)).
func machineTime(stat string) (t cpuTime, _ error) {
	first, _, _ := strings.Cut(stat, "\n")
	fields := strings.Fields(first)
	if len(fields) < 9 || fields[0] != "cpu" {
		return t, errors.New("/proc/stat begins with " + strconv.Quote(first))
	}
	for i, f := range fields[1:9] {
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			return t, fmt.Errorf("/proc/stat: %w", err)
		}
		d := time.Duration(n) * tick
		t.total += d
		if i == 3 || i == 4 {
			t.idle += d
		}
	}
	return t, nil
}

// othersSince says what others used since before; nil where that is not known.
func othersSince(before, after cpuTime) *Others {
	total := (after.total - before.total).Seconds()
	if total <= 0 {
		return nil
	}
	idle, own := (after.idle - before.idle).Seconds(), (after.own - before.own).Seconds()
	return &Others{CPU: max(0, total-idle-own) / total, Idle: idle / total}
}
