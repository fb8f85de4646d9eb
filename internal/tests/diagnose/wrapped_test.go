package diagnose_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

// wrapper are the frames that pyroscope.TagWrapper puts around the work of a service, the innermost first.
func wrapper() []string {
	return []string{"github.com/grafana/pyroscope-go.TagWrapper.func1 " +
		"/go/pkg/mod/github.com/grafana/pyroscope-go@v1.2.7/api.go",
		"runtime/pprof.Do /usr/local/go/src/runtime/pprof/runtime.go",
		"github.com/grafana/pyroscope-go.TagWrapper /go/pkg/mod/github.com/grafana/pyroscope-go@v1.2.7/api.go"}
}

// TestWorkBelowAProfilersWrapper: a service that labels its requests with pyroscope.TagWrapper does its work below it.
// That is not the capture's own; the profiler's upload beside it is.
func TestWorkBelowAProfilersWrapper(t *testing.T) {
	handler := "main.handle /srv/app/main.go"
	work := slices.Concat([]string{"main.spread /srv/app/main.go"}, wrapper(), []string{handler})
	upload := []string{"compress/flate.(*compressor).deflate /usr/local/go/src/compress/flate/deflate.go",
		"github.com/grafana/pyroscope-go/internal/cpu.(*Profiler).write " +
			"/go/pkg/mod/github.com/grafana/pyroscope-go@v1.2.7/cpu.go"}
	labels := slices.Concat([]string{"runtime.mapassign_faststr /usr/local/go/src/runtime/map.go"}, wrapper(),
		[]string{handler})
	rep := diagnose.Run(context.Background(), diagnose.Input{Evidence: []diagnose.Evidence{{Name: "cpu.pb.gz",
		Data: cpuOf(t, map[string][]string{
			"900": work, "60": upload, "40": labels})}}}, diagnose.Options{})
	if len(rep.Findings) == 0 || rep.Findings[0].Kind != "cpu-hot-function" ||
		rep.Findings[0].Where[0].Function != "main.spread" {
		t.Errorf("of 94 %% of the CPU below the wrapper: %+v", rep.Findings)
	}
}

// TestGoroutinesBelowAProfilersWrapper: 1,500 goroutines that are stuck below it are found.
func TestGoroutinesBelowAProfilersWrapper(t *testing.T) {
	var dump strings.Builder
	stack := slices.Concat([]string{"main.(*queue).put /srv/app/queue.go"}, wrapper(), []string{
		"main.serve /srv/app/main.go"})
	for i := range 1500 {
		fmt.Fprintf(&dump, "goroutine %d [chan send, 9 minutes]:\n", i+10)
		for _, f := range stack {
			name, file, _ := strings.Cut(f, " ")
			fmt.Fprintf(&dump, "%s(0x1)\n\t%s:12 +0x1d\n", name, file)
		}
		fmt.Fprintf(&dump, "created by main.accept in goroutine 1\n\t/srv/app/main.go:30 +0x2a\n\n")
	}
	rep := diagnose.Run(context.Background(), diagnose.Input{Evidence: []diagnose.Evidence{{Name: "goroutines.txt",
		Data: []byte(dump.String())}}},
		diagnose.Options{})
	if !slices.ContainsFunc(rep.Findings, func(f casefile.Finding) bool {
		return strings.HasPrefix(f.Kind, "goroutine-") && f.Where[0].Function == "main.(*queue).put"
	}) {
		t.Errorf("of 1,500 goroutines that wait to send for 9 minutes: %+v", rep.Findings)
	}
}

// cpuOf is a CPU profile with so many samples of each stack, "name file" a frame, the leaf first.
func cpuOf(t *testing.T, counts map[string][]string) []byte {
	t.Helper()
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"},
		{Type: "cpu", Unit: "nanoseconds"}}, PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"},
		Period: 1e7, DurationNanos: 10e9, TimeNanos: 1}
	known := map[string]*profile.Location{}
	for count, stack := range counts {
		var n int64
		fmt.Sscan(count, &n)
		s := &profile.Sample{Value: []int64{n, n * 1e7}}
		for _, f := range stack {
			if known[f] == nil {
				name, file, _ := strings.Cut(f, " ")
				fn := &profile.Function{ID: uint64(len(known) + 1), Name: name, Filename: file}
				known[f] = &profile.Location{ID: fn.ID, Line: []profile.Line{{Function: fn, Line: 12}}}
				p.Function, p.Location = append(p.Function, fn), append(p.Location, known[f])
			}
			s.Location = append(s.Location, known[f])
		}
		p.Sample = append(p.Sample, s)
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
