package settings

import (
	"testing"
	"time"
)

func TestLimits(t *testing.T) {
	for _, c := range []struct {
		limit       Limit
		v           int64
		field, flag string
	}{
		{KeepBytes, -1, "", ""},
		{KeepBytes, 1 << 20, "", ""},
		{KeepBytes, 0, "", "--keep-bytes is 0; it must be 1MiB or more, or -1 for no limit"},
		{KeepBytes, 1536, "field MaxBytes is 1536; it must be 1MiB or more, or negative for no limit",
			"--keep-bytes is 1536B; it must be 1MiB or more, or -1 for no limit"},
		{KeepAge, 30, "field MaxAge is 30ns; it must be 1m or more, or negative for no limit",
			"--keep-age is 30ns; it must be 1m or more, or -1s for no limit"},
		{KeepAge, int64(time.Minute), "", ""},
		{KeepCases, 0, "", "--keep-cases is 0; it must be 1 or more, or -1 for no limit"},
		{KeepCases, 1, "", ""},
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
	if got, want := KeepAge.Usage(), "remove cases older than this, 1m or more; -1s means no limit"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
