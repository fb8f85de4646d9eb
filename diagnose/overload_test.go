package diagnose

import (
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

// TestOverloadAndCauses: a waste that takes much of the CPU is what to change first; what may be the purpose of the
// service comes after the overload.
func TestOverloadAndCauses(t *testing.T) {
	cost := func(id, kind string, score int, gain float64) casefile.Finding {
		f := finding(id, kind, score, "main.power", 46)
		f.Impact = casefile.Impact{Resource: "cpu", Share: gain, Gain: casefile.Gain{Low: gain / 2, High: gain}}
		return f
	}
	for _, tt := range []struct {
		name  string
		other casefile.Finding
		first string
	}{
		{"the purpose", cost("CPU001", "cpu-hot-function", 90, 0.8), "overload"},
		{"a waste", cost("CPU009", "cpu-quadratic", 60, 0.5), "cpu-quadratic"},
		{"a small waste", cost("CPU009", "cpu-quadratic", 60, 0.1), "overload"},
		{"a notice", cost("CPU009", "cpu-quadratic", 40, 0.4), "overload"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			table := builtIn()
			fs := table.relate([]casefile.Finding{finding("SC006", "overload", 78, "main.power", 46), tt.other})
			table.join(&Reading{}, fs)
			if got := table.causesFirst(fs); got[0].Kind != tt.first {
				t.Errorf("first is %s, want %s", got[0].Kind, tt.first)
			}
		})
	}
}
