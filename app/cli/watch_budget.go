package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook/internal/budget"
)

// A budgetValue is a flag's value: "cpu=72s,bytes=1GiB,pause=1s,longest=20ms", any of the four. It is a pflag.Value.
type budgetValue struct{ limits budget.Limits }

func (b *budgetValue) add(flags *pflag.FlagSet) {
	flags.Var(b, "budget",
		"`limits` on what captures may cost the target in an hour, any of the four; -1 means no limit")
}

// budgetText explains the flag, for the help of the commands that have it.
const budgetText = `Casebook predicts what a capture costs the target, measures it afterwards, and
keeps the sum of any 60 minutes within --budget, also across restarts: CPU time,
bytes kept, total stop-the-world time, and the longest single stop. The case
lists what the budget refused, with the reason. Unless --budget sets longest,
one goroutine dump a case may stop the target for 60 ms, if the case may be
about waiting: only a dump says who holds a lock, and since when.`

// Set reads the limits that are given; the others keep their defaults.
func (b *budgetValue) Set(text string) error {
	var l budget.Limits
	for part := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		err := fmt.Errorf("unknown limit %q", name)
		switch name {
		case "cpu":
			err = setTime(&l.CPU, value)
		case "pause":
			err = setTime(&l.Pause, value)
		case "longest":
			err = setTime(&l.Longest, value)
		case "bytes":
			err = setBytes(&l.Bytes, value)
		}
		if err != nil {
			return fmt.Errorf("%w; want some of cpu=36s,bytes=512MiB,pause=500ms,longest=10ms", err)
		}
	}
	if err := l.Validate(); err != nil {
		return err
	}
	b.limits = l
	return nil
}

// unlimited is how people write that there is no limit.
const unlimited = "-1"

func setTime(to *time.Duration, text string) error {
	if text == unlimited {
		*to = -1
		return nil
	}
	d, err := time.ParseDuration(text)
	if err == nil {
		err = checkLimit(int64(d), text)
	}
	*to = d
	return err
}

func setBytes(to *int64, text string) error {
	var n byteCount
	err := n.Set(text)
	if err == nil && text != unlimited {
		err = checkLimit(int64(n), text)
	}
	*to = int64(n)
	return err
}

// checkLimit refuses what package budget would treat as the default (0) or as no limit (negative).
func checkLimit(v int64, text string) error {
	switch {
	case v == 0:
		return fmt.Errorf("a limit of %s would refuse everything; %s means no limit", text, unlimited)
	case v < 0:
		return fmt.Errorf("a limit of %s is negative; %s means no limit", text, unlimited)
	}
	return nil
}

// String returns the value as Set reads it, with the defaults of what was not given.
func (b *budgetValue) String() string {
	l := budget.New(b.limits, budget.State{}, time.Now()).Status(time.Now()).Limits
	bytes := byteCount(l.Bytes)
	parts := []string{
		"cpu=" + limitText(l.CPU, l.CPU.String()), "bytes=" + limitText(l.Bytes, bytes.String()),
		"pause=" + limitText(l.Pause, l.Pause.String()), "longest=" + limitText(l.Longest, l.Longest.String()),
	}
	return strings.Join(parts, ",")
}

func limitText[T time.Duration | int64](v T, text string) string {
	if v < 0 {
		return unlimited
	}
	return text
}

// Type returns what help calls the value.
func (b *budgetValue) Type() string { return "limits" }
