package diagnose_test

import (
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

// TestFormattedForLogger: for a line that formats text for a logger which then drops it, the remedy is to leave the
// formatting out. For a line that formats for something else, it is cheaper formatting.
func TestFormattedForLogger(t *testing.T) {
	const sprintf = "fmt.(*pp).doPrintf fmt.Sprintf "
	for _, tt := range []struct {
		name   string
		ticks  map[string]int64
		remedy string
	}{
		{"slog.Debug(Sprintf)", map[string]int64{sprintf + workStack: 300,
			"log/slog.(*commonHandler).enabled log/slog.(*Logger).log log/slog.(*Logger).Debug " + workStack: 1},
			"Do not format"},
		{"zap.Debug(Sprintf)", map[string]int64{sprintf + workStack: 300,
			"go.uber.org/zap.(*Logger).check go.uber.org/zap.(*Logger).Debug " + workStack: 9}, "Do not format"},
		{"logrus.Debug(Sprintf)", map[string]int64{sprintf + workStack: 300,
			"github.com/sirupsen/logrus.(*Entry).Log github.com/sirupsen/logrus.Debug " + workStack: 20},
			"Do not format"},
		{"klog.V(5).Info(Sprintf)", map[string]int64{sprintf + workStack: 300, "k8s.io/klog/v2.V " + workStack: 30},
			"Do not format"},
		{"zerolog Debug().Msg(Sprintf)", map[string]int64{sprintf + workStack: 300,
			"github.com/rs/zerolog.(*Logger).should github.com/rs/zerolog.(*Logger).Debug " + workStack: 4},
			"Do not format"},
		{"a line that is written", map[string]int64{sprintf + workStack: 300,
			"log/slog.(*TextHandler).Handle log/slog.(*Logger).Info " + workStack: 200}, "Let the logger format"},
		{"a key", map[string]int64{sprintf + workStack: 300}, "Format without fmt"},
		{"a logger at another line", map[string]int64{sprintf + workStack: 300,
			"log/slog.(*Logger).Debug main.other main.main": 9}, "Format without fmt"},
		{"the answer to a request", map[string]int64{"fmt.(*pp).doPrintf fmt.Fprintf " + workStack: 300},
			"Write the pieces"},
		{"an error", map[string]int64{"fmt.(*pp).doPrintf fmt.Errorf " + workStack: 300}, "Make the error once"},
		{"parsing", map[string]int64{"fmt.(*ss).doScanf fmt.Sscanf " + workStack: 300}, "Parse without fmt"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.ticks[otherStack] = 100
			f, score := scoreOf(t, diagnose.Input{Evidence: []diagnose.Evidence{cpuProfile(t, 10, tt.ticks)},
				Limits: casefile.Limits{CPUs: 2}}, "alloc-fmt")
			if score < worthKnowing || !strings.HasPrefix(f.Remedies[0].Title, tt.remedy) {
				t.Fatalf("score %d, remedies %v; want %q first", score, f.Remedies, tt.remedy)
			}
		})
	}
}
