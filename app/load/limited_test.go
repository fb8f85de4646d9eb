package load

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestLimited(t *testing.T) {
	of := func(ds ...time.Duration) Latency {
		l := newLatency(time.Minute)
		for _, d := range ds {
			l.record(d)
		}
		return l
	}
	ms := time.Millisecond
	for _, c := range []struct {
		name string
		res  Result
		want string
	}{
		{"nothing happened", Result{}, ""},
		{"in time", Result{Counts: Counts{Latency: of(5*ms, 40*ms)}, Lag: of(ms/2, ms)}, ""},
		{"late in the median", Result{Counts: Counts{Latency: of(ms, ms, 40*ms)}, Lag: of(ms/2, ms/2, ms/2)}, "p50"},
		{"late at the tail", Result{Counts: Counts{Latency: of(5*ms, 5*ms, 40*ms)}, Lag: of(0, 0, 30*ms)}, "p99"},
		{"files ran out", Result{Counts: Counts{Errors: Errors{Generator: 3}}}, "open files"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := limited(&c.res)
			if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
				t.Errorf("limited = %q, want %q in it", got, c.want)
			}
		})
	}
}

func TestClassify(t *testing.T) {
	dial := func(err error) error {
		return fmt.Errorf("get: %w", &net.OpError{Op: "dial", Err: os.NewSyscallError("connect", err)})
	}
	for _, c := range []struct {
		name string
		err  error
		want Class
	}{
		{"out of files", dial(syscall.EMFILE), ClassGenerator},
		{"out of ports", dial(syscall.EADDRNOTAVAIL), ClassGenerator},
		{"refused", dial(syscall.ECONNREFUSED), ClassConnection},
		{"the system gave up", dial(syscall.ETIMEDOUT), ClassTimeout},
		{"anything else", errors.New("malformed"), ClassOther},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Classify(t.Context(), c.err); got != c.want {
				t.Errorf("Classify(%v) = %s, want %s", c.err, got, c.want)
			}
		})
	}
}
