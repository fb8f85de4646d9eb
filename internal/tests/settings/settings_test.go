package settings_test

import (
	"testing"
	"time"

	"github.com/gocasebook/casebook/internal/settings"
)

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		span settings.Span
		d    time.Duration
		want string // of CheckFlag
	}{
		{settings.Interval, settings.Interval.Least, ""},
		{settings.Interval, settings.Interval.Most, ""},
		{settings.Interval, 0, "--interval is 0s; it must be from 100ms to 1m"},
		{settings.Interval, 61 * time.Second, "--interval is 1m1s; it must be from 100ms to 1m"},
		{settings.ProfileFor, 999 * time.Millisecond, "--profile is 999ms; it must be from 1s to 5m"},
		{settings.ProfileFor, time.Second, ""},
		{settings.Before, 0, ""},
		{settings.Before, -1, "--before is -1ns; it must be from 0s to 10m"},
	} {
		got := ""
		if err := c.span.CheckFlag(c.d); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.d, got, c.want)
		}
	}
	if err := settings.ProfileFor.CheckField(0); err == nil ||
		err.Error() != "field ProfileFor is 0s; it must be from 1s to 5m" {
		t.Errorf("in the words of the API: %v", err)
	}
}

func TestUsage(t *testing.T) {
	for _, s := range []settings.Span{settings.Interval, settings.ProfileFor, settings.Before} {
		if err := s.CheckFlag(s.Default); err != nil {
			t.Errorf("the default is out of bounds: %v", err)
		}
	}
	if got, want := settings.ProfileFor.Usage(), "how long CPU, mutex and block profiles run, 1s to 5m"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestLimits(t *testing.T) {
	for _, c := range []struct {
		limit       settings.Limit
		v           int64
		field, flag string
	}{
		{settings.KeepBytes, -1, "", ""},
		{settings.KeepBytes, 1 << 20, "", ""},
		{settings.KeepBytes, 0, "", "--keep-bytes is 0; it must be 1MiB or more, or -1 for no limit"},
		{settings.KeepBytes, 1536, "field MaxBytes is 1536; it must be 1MiB or more, or negative for no limit",
			"--keep-bytes is 1536B; it must be 1MiB or more, or -1 for no limit"},
		{settings.KeepAge, 30, "field MaxAge is 30ns; it must be 1m or more, or negative for no limit",
			"--keep-age is 30ns; it must be 1m or more, or -1s for no limit"},
		{settings.KeepAge, int64(time.Minute), "", ""},
		{settings.KeepCases, 0, "", "--keep-cases is 0; it must be 1 or more, or -1 for no limit"},
		{settings.KeepCases, 1, "", ""},
	} {
		for _, got := range []struct {
			err  error
			want string
		}{{c.limit.CheckField(c.v), c.field}, {c.limit.CheckFlag(c.v), c.flag}} {
			text := ""
			if got.err != nil {
				text = got.err.Error()
			}
			if text != got.want {
				t.Errorf("%q, want %q", text, got.want)
			}
		}
	}
	if got, want := settings.KeepAge.Usage(), "remove cases older than this, 1m or more; -1s means no limit"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
