package play

import (
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/lab"
)

func TestBeside(t *testing.T) {
	share := func(name string, before, after float64, key bool) casefile.Figure {
		return casefile.Figure{Name: name, Unit: "share", Key: key, Before: casefile.Stat{Value: before, N: 5},
			After: casefile.Stat{Value: after, N: 5}}
	}
	for _, tt := range []struct {
		name                      string
		throttled, throttledCured float64
		errors, errorsCured       float64
		want                      string
	}{
		{name: "both fall", throttled: 0.8, throttledCured: 0.1, errors: 0.03, errorsCured: 0.01,
			want: "throttled 80 % → 10 %, ÷8 (reported ÷8); errors 3 % → 1 %, ÷3 (reported ÷2)"},
		{name: "nothing is left", throttled: 0.8, errors: 0.03,
			want: "throttled 80 % → 0 %, none left (reported ÷8); errors 3 % → 0 %, none left (reported ÷2)"},
		{name: "there was none", throttled: 0.8, throttledCured: 0.4,
			want: "throttled 80 % → 40 %, ÷2 (reported ÷8); errors 0 % → 0 %, none before or after (reported ÷2)"},
		{name: "worse", throttled: 0.4, throttledCured: 0.8, errorsCured: 0.5,
			want: "throttled 40 % → 80 %, ×2 (reported ÷8); errors 0 % → 50 %, none before (reported ÷2)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := Result{Reported: 0.125, Also: []lab.Reported{{Figure: "errors", Ratio: 0.5}}, Proof: &casefile.Proof{
				Figures: []casefile.Figure{share("errors", tt.errors, tt.errorsCured, false),
					share("throttled", tt.throttled, tt.throttledCured, true)}}}
			if got := r.beside(); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
			r.Also = nil
			if got := r.beside(); got != "" {
				t.Errorf("a row of which one figure is reported says %q", got)
			}
		})
	}
}
