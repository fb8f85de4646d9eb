package settings

import (
	"testing"
	"time"
)

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		span Span
		d    time.Duration
		want string // of CheckFlag
	}{
		{Interval, Interval.Least, ""},
		{Interval, Interval.Most, ""},
		{Interval, 0, "--interval is 0s; it must be from 100ms to 1m"},
		{Interval, 61 * time.Second, "--interval is 1m1s; it must be from 100ms to 1m"},
		{ProfileFor, 999 * time.Millisecond, "--profile is 999ms; it must be from 1s to 5m"},
		{ProfileFor, time.Second, ""},
		{Before, 0, ""},
		{Before, -1, "--before is -1ns; it must be from 0s to 10m"},
	} {
		got := ""
		if err := c.span.CheckFlag(c.d); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.d, got, c.want)
		}
	}
	if err := ProfileFor.CheckField(0); err == nil ||
		err.Error() != "field ProfileFor is 0s; it must be from 1s to 5m" {
		t.Errorf("in the words of the API: %v", err)
	}
}

func TestUsage(t *testing.T) {
	for _, s := range []Span{Interval, ProfileFor, Before} {
		if err := s.CheckFlag(s.Default); err != nil {
			t.Errorf("the default is out of bounds: %v", err)
		}
	}
	if got, want := ProfileFor.Usage(), "how long CPU, mutex and block profiles run, 1s to 5m"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
