package limit_test

import (
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/app/load/limit"
)

func TestParseObjective(t *testing.T) {
	o := objective(t, " p99.9<50ms,  errors < 0.1 %, max < 1s, mean <2ms")
	if got, want := o.String(), "p99.9 < 50ms, errors < 0.1 %, max < 1s, mean < 2ms"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if o[0].Limit != 0.05 || o[1].Limit != 0.001 {
		t.Errorf("limits %v and %v, want 0.05 and 0.001", o[0].Limit, o[1].Limit)
	}
	for _, c := range []struct{ text, want string }{
		{"", "is not a condition"},
		{"p99", "is not a condition"},
		{"p99 <", "is not a condition"},
		{"p99 < 50", `"50" is not a duration for p99`},
		{"p99 < -1s", "is not a duration"},
		{"p100 < 1s", `"p100" is none of`},
		{"q99 < 1s", `"q99" is none of`},
		{"errors < 0.1", "is not a percentage"},
		{"errors < 0%", "is not a percentage"},
		{"p99 < 1s, ", "is not a condition"},
	} {
		t.Run(c.text, func(t *testing.T) {
			_, err := limit.ParseObjective(c.text)
			if err == nil || !strings.Contains(err.Error(), c.want) ||
				!strings.Contains(err.Error(), "want conditions such as") {
				t.Errorf("err = %v, want one with %q and an example", err, c.want)
			}
		})
	}
}

func FuzzParseObjective(f *testing.F) {
	f.Add("p99 < 50ms, errors < 0.1%")
	f.Add("max<1s")
	f.Fuzz(func(t *testing.T, text string) {
		o, err := limit.ParseObjective(text)
		if err != nil {
			return
		}
		if j := o.Judge(&load.Counts{}); j.Kept {
			t.Errorf("%q is kept by a target that answers nothing", text)
		}
		if _, err := limit.ParseObjective(o.String()); err != nil {
			t.Errorf("%q reads as %q, which is refused: %v", text, o, err)
		}
	})
}
