package vitals

import (
	"strings"
	"testing"
	"time"
)

var start = time.Date(2026, 11, 21, 13, 0, 0, 0, time.UTC)

func TestReadJSONLBad(t *testing.T) {
	const header = `{"schema":1}` + "\n"
	for name, c := range map[string]struct {
		in, want string
		samples  int
	}{
		"no header":   {`{"t":"2026-11-21T13:00:00Z"}`, "line 1 is not a vitals header", 0},
		"bad json":    {header + `{"t":"2026-11-21T13:00:00Z","cpu":1}` + "\n{", "line 3", 1},
		"no time":     {header + `{"cpu":1}`, "line 2", 0},
		"endless":     {header + strings.Repeat("x", maxLine+1), "too long", 0},
		"later names": {header + `{"t":"2026-11-21T13:00:00Z","from_the_future":1}`, "", 1},
	} {
		t.Run(name, func(t *testing.T) {
			_, samples, err := ReadJSONL(strings.NewReader(c.in))
			if len(samples) != c.samples {
				t.Errorf("%d samples, want %d", len(samples), c.samples)
			}
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("error is %v, want %q in it", err, c.want)
			}
		})
	}
}
