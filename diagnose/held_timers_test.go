package diagnose

import "testing"

// TestWhatHangsOnTimers: objects as many as the timers of the same call are the timers' face: to stop those lets both
// go. More objects than timers are what somebody else keeps.
func TestWhatHangsOnTimers(t *testing.T) {
	const (
		after = "time.newTimer time.AfterFunc "
		cost  = "context.WithDeadlineCause context.WithTimeout "
	)
	object := func(stack string, n, size int64) heapLine { return heapLine{stack, n, n * size, 0} }
	for _, tt := range []struct {
		name string
		of   func(n int64) []heapLine // kept things, at a time
		kind string
		line int
	}{
		{"a timer for each event, with a copy of it", func(n int64) []heapLine {
			return []heapLine{object(after+"main.(*Store).debounce:31 main.serve:4", n, 112),
				object("main.(*Store).debounce:28 main.serve:4", n, 480)}
		}, "timer-leak", 31},
		{"contexts of an hour, with a value each", func(n int64) []heapLine {
			return []heapLine{object(cost+"main.ask:12 main.serve:4", n, 208), object("main.ask:11 main.serve:4", n, 320)}
		}, "timer-leak", 12},
		{"a retry that keeps its request, through a helper", func(n int64) []heapLine {
			return []heapLine{object(after+"main.retry:8 main.send:20 main.serve:4", n, 112),
				object("bytes.Clone main.retry:7 main.send:20 main.serve:4", n, 900)}
		}, "timer-leak", 8},
		{"entries of a map, beside few timers", func(n int64) []heapLine {
			return []heapLine{object(after+"main.put:9 main.serve:4", 24_000+n/100, 112),
				object("main.put:8 main.serve:4", 10*n, 64)}
		}, "mem-leak", 8},
		{"a thousand timers that stand still", func(int64) []heapLine {
			return []heapLine{object(after+"main.arm:9 main.serve:4", 1000, 112), object("main.arm:8 main.serve:4", 1000, 900)}
		}, "", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			base := heapLine{"main.load:3 main.main:9", 1000, 4 * mib, 0}
			in := apart(400, liveHeap(t, append(tt.of(2_000), base)...), liveHeap(t, append(tt.of(80_000), base)...))
			fs := Run(t.Context(), in, Options{}).Findings
			switch {
			case tt.kind == "" && len(fs) > 0:
				t.Errorf("found %s: %s", fs[0].Kind, fs[0].Title)
			case tt.kind == "":
			case len(fs) == 0 || fs[0].Kind != tt.kind || fs[0].Where[0].Line != tt.line:
				t.Errorf("found %v (%+v), want %s at line %d", kinds(fs), fs, tt.kind, tt.line)
			case tt.kind == "timer-leak" && len(fs) > 1 && fs[1].Kind == "mem-leak":
				t.Errorf("found %v: its face, too", kinds(fs))
			}
		})
	}
}
