package report

import (
	"cmp"
	"errors"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/vitals"
)

func TestWriteIsDeterministic(t *testing.T) {
	if first, second := render(t, sampleInput(t)), render(t, sampleInput(t)); first != second {
		t.Error("the same input gives two different pages")
	}
}

// A page must be small enough to be sent in a chat.
func TestPageWeight(t *testing.T) {
	const limit = 600_000
	page := render(t, sampleInput(t))
	data := page[strings.Index(page, `id="data">`):strings.LastIndex(page, "<script>")]
	t.Logf("the page has %d bytes: %d of data, %d of script and style", len(page), len(data), len(bundled(t)))
	if len(page) > limit {
		t.Errorf("the page has %d bytes, want at most %d", len(page), limit)
	}
}

// What the reader must find without JavaScript, section by section.
func TestPageSays(t *testing.T) {
	page := text(render(t, sampleInput(t)))
	for _, want := range []string{
		"gc_cpu was 31.1 %, above 25 % for 5 s",
		"7.4 million live objects of 67 bytes",
		"github.com/bluele/gcache.(*LRUCache).set", "github.com/bluele/gcache@v0.0.2/lru.go:54", "41.2 %",
		"expected gain: 18–26 % of cpu",
		"Keep the entries in pointer-free memory", "Price Keys and values must have a fixed size",
		"Caused by GC003 The cache's entries",
		"LOCK001", "curl -o mutex.pb.gz",
		"the target has not called runtime.SetMutexProfileFraction",
		"Proof: ✓ better, gc_cpu 30.4 % → 1.2 % (−96.1 %)", "✓ better gc_cpu fell from 30.4 % to 1.2 %",
		"84.1 ms 74 to 94.2 ms", "−48.6 %", "p = 0.002",
		"throttled the process has no CPU quota",
		"go tool pprof -http=: during/cpu.pb.gz",
		"heap · during: heaviest functions by inuse_space",
		"The charts need JavaScript", "The flame graph needs JavaScript",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

// text is what a page shows: its body without tags, with single spaces.
func text(page string) string {
	page = page[strings.Index(page, "<body>"):strings.Index(page, `<script type="application/json"`)]
	var b strings.Builder
	for len(page) > 0 {
		before, rest, _ := strings.Cut(page, "<")
		b.WriteString(before)
		tag, after, _ := strings.Cut(rest, ">")
		if !strings.HasPrefix(tag, "span class=\"path") && !strings.HasPrefix(tag, "/span>") {
			b.WriteString(" ")
		}
		page = after
	}
	r := strings.NewReplacer("&#39;", "'", "&#34;", `"`, "&#43;", "+", "&amp;", "&", "&lt;", "<", "&gt;", ">", "\u00a0",
		" ")
	joined := strings.Join(strings.Fields(r.Replace(b.String())), " ")
	return strings.NewReplacer("github.com/bluele/ gcache", "github.com/bluele/gcache", " :", ":", " ,",
		",").Replace(joined)
}

func TestEmptyCase(t *testing.T) {
	page := text(render(t, Input{}))
	for _, want := range []string{"No findings", "No reason is recorded", "found nothing wrong",
		"The case holds no vitals.", "The case holds no profiles.", "No proof yet"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page of an empty case does not say %q:\n%s", want, page)
		}
	}
}

// Where requests wait and nobody knows why, a page must not say that nothing is wrong.
func TestUndecidedCase(t *testing.T) {
	c := casefile.Case{Diagnosis: casefile.Diagnosis{Verdict: &casefile.CaseVerdict{Answer: casefile.AnswerUndecided,
		Text: "71 of 72 requests wait at main.store.", Settle: "take a trace"}}}
	page := text(render(t, Input{Case: c}))
	if !strings.Contains(page, "71 of 72 requests wait at main.store.") || strings.Contains(page, "nothing wrong") {
		t.Errorf("the page of an undecided case says:\n%s", page)
	}
}

func TestUnreadableProfiles(t *testing.T) {
	whole, err := os.ReadFile("testdata/gateway/cpu.pb.gz")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		data []byte
		want string
	}{
		{"empty", nil, "empty"},
		{"cut", whole[:len(whole)/2], "truncated"},
		{"html", []byte("<html>404</html>"), "HTML"},
		{"text", []byte("hello"), "cannot be drawn"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := Input{Profiles: []Profile{{File: "bad.pb.gz", Kind: "cpu", Data: tt.data},
				{File: "cpu.pb.gz", Kind: "cpu", Data: whole}}}
			in.Case.Evidence = []casefile.Evidence{{File: "bad.pb.gz"}}
			page := text(render(t, in))
			if !strings.Contains(page, "bad.pb.gz cannot be drawn") || !strings.Contains(page, tt.want) {
				t.Errorf("the page does not say of bad.pb.gz that it is %q", tt.want)
			}
			if !strings.Contains(page, "heaviest functions by cpu") {
				t.Error("the readable profile is not shown")
			}
		})
	}
}

type fullDisk struct{}

var errFull = errors.New("no space left on device")

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

func TestWriteError(t *testing.T) {
	in := Input{}
	in.Case.ID = "c1"
	if err := Write(fullDisk{}, in); !errors.Is(err, errFull) || !strings.Contains(err.Error(), `"c1"`) {
		t.Errorf("got %v, want the writer's error and the case's ID", err)
	}
}

func TestTimelineChoosesCharts(t *testing.T) {
	names := func(cs []chart) (out []string) {
		for _, c := range cs {
			name := ""
			for _, s := range c.Signals {
				name += s.Name + " "
			}
			out = append(out, strings.TrimSpace(name))
		}
		return out
	}
	in := Input{}
	for i := range 5 {
		s := vitals.NewSample(tripped.Add(time.Duration(i) * time.Second))
		s.Set(vitals.CPU, 1)
		s.Set(vitals.HeapGoal, 2)
		s.Set(vitals.OpenFiles, 3)
		s.Set(vitals.GCRate, 4)
		in.Vitals = append(in.Vitals, s)
	}
	in.Case.Trigger = casefile.Trigger{Signal: "open_files", Time: tripped}
	in.VitalsHeader.Absent = map[string]string{"rss": "not Linux"}
	tl := newTimeline(in, tripped)
	if got := strings.Join(names(tl.Shown), ", "); got != "open_files, cpu" {
		t.Errorf("charts: %s; want the trigger's signal, and the first panel as nothing relates", got)
	}
	if got := strings.Join(names(tl.Folded), ", "); got != "heap_goal, gc_rate" {
		t.Errorf("folded charts: %s, want heap_goal and gc_rate", got)
	}
	if !tl.Shown[0].Tripped || tl.Shown[1].Tripped {
		t.Errorf("tripped: %v, %v; want the first chart only", tl.Shown[0].Tripped, tl.Shown[1].Tripped)
	}
	reasons := make(map[string]string)
	for _, a := range tl.Absent {
		reasons[a.Name] = a.Reason
	}
	if len(reasons) != vitals.NumSignals-4 || reasons["rss"] != "not Linux" || reasons["goroutines"] == "" {
		t.Errorf("absent signals: %v", reasons)
	}
}

// The service's own signals are charted, listed in numbers, and named where they are absent.
func TestTimelineOfExtraSignals(t *testing.T) {
	catalog, err := vitals.NewCatalog(vitals.Signal{Name: "depth", Unit: vitals.Bytes},
		vitals.Signal{Name: "queue_age", Unit: vitals.Seconds, Text: "of the oldest job"})
	if err != nil {
		t.Fatal(err)
	}
	in := Input{VitalsHeader: vitals.Header{Catalog: catalog}}
	for i := range 2 * maxPoints { // so that they are downsampled, too
		s := vitals.NewSample(tripped.Add(time.Duration(i) * time.Second))
		s.Set(vitals.CPU, 1)
		s.Set(vitals.ID(vitals.NumSignals+1), float64(i%7))
		in.Vitals = append(in.Vitals, s)
	}
	in.Case.Trigger = casefile.Trigger{Signal: "queue_age", Time: tripped}
	tl := newTimeline(in, tripped)
	if len(tl.Shown) != 2 || !tl.Shown[0].Tripped || tl.Shown[0].Signals[0].Name != "queue_age" {
		t.Fatalf("charts: %+v, want queue_age, the trigger's signal, first of two", tl.Shown)
	}
	if d := tl.Data.Charts[tl.Shown[0].Index]; d.Unit != vitals.Seconds {
		t.Errorf("the chart's unit is %q", d.Unit)
	}
	row := tl.Rows[len(tl.Rows)-1]
	if row.Name != "queue_age" || row.Text != "of the oldest job" || !strings.HasPrefix(row.Highest, "6") {
		t.Errorf("in numbers: %+v", row)
	}
	if last := tl.Absent[len(tl.Absent)-1]; last.Name != "depth" {
		t.Errorf("the last absent signal is %q, want depth", last.Name)
	}
}

// The charts have when the process began, if that is within them: a deployment, or a restart. So they have other
// instances of the service.
func TestStartOnTimeline(t *testing.T) {
	times := []jsonFloat{-60, 0, 30}
	for ago, want := range map[time.Duration]string{10 * time.Second: "start of v1.4.0", 2 * time.Minute: ""} {
		in := Input{}
		in.Case.Target = casefile.Target{Started: tripped.Add(-ago), Build: casefile.Build{Version: "v1.4.0"}}
		got := starts(in, times, tripped)
		if want == "" && len(got) > 0 || want != "" && (len(got) != 1 || got[0] != span{-10, -10, want, true}) {
			t.Errorf("a process that began %s before the trip: %+v, want %q", ago, got, want)
		}
	}
	in := Input{Starts: []Start{{Time: tripped.Add(-20 * time.Second), Version: "v1.5.0", Instance: "10.0.0.8:6060"},
		{Time: tripped.Add(-time.Hour), Version: "v1.3.0"}}}
	if got := starts(in, times, tripped); len(got) != 1 || got[0] != (span{-20, -20, "start of v1.5.0 at 10.0.0.8:6060", true}) {
		t.Errorf("two other instances, one of them long before: %+v", got)
	}
	if got := starts(in, nil, tripped); len(got) != 0 {
		t.Errorf("without charts there are %+v", got)
	}
	spans := []span{{-20, -20, "start of v2", true}, {1, 11, "cpu", false}, {12, 12, "heap, goroutine", false}}
	want := []eventRow{{"−0:20", "start of v2"}, {"0:00", "it tripped"}, {"+0:01", "capture: cpu, until +0:11"},
		{"+0:12", "capture: heap, goroutine"}}
	if got := eventRows(spans, "it tripped"); !slices.Equal(got, want) {
		t.Errorf("in words: %q, want %q", got, want)
	}
}

// Marks of GC cycles are where the process's own counter says that some ended, and nowhere else.
func TestGCMarks(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	runtime.GC() // the runtime begins a cycle by itself two minutes after the last one
	self := instance.NewSelf()
	begin := time.Now()
	var samples []vitals.Sample
	for _, cycles := range []int{0, 0, 3, 0, 1, 2, 0} {
		for range cycles {
			runtime.GC()
		}
		time.Sleep(20 * time.Millisecond) // so that samples have different times, in milliseconds too
		s := vitals.NewSample(time.Now())
		if err := self.Sample(t.Context(), &s); err != nil {
			t.Fatal(err)
		}
		samples = append(samples, s)
	}
	got, whole := gcMarks(samples, begin)
	var want []gcMark
	for i, n := range map[int]int{2: 3, 4: 1, 5: 2} {
		want = append(want, gcMark{secondsAfter(samples[i-1].Time, begin), secondsAfter(samples[i].Time, begin), n})
	}
	slices.SortFunc(want, func(a, b gcMark) int { return cmp.Compare(a.From, b.From) })
	if !whole || !slices.Equal(got, want) {
		t.Errorf("marks are %v, want %v", got, want)
	}
	if text := gcText(samples, got, whole); !strings.HasPrefix(text, "6 GC cycles ended, in 3 ") {
		t.Errorf("in words: %s", text)
	}
	if merged := touching(got); len(merged) != 2 || merged[1].N != 3 || merged[1].To != got[2].To {
		t.Errorf("those that touch become %v", merged)
	}
	// A mean over a minute, as an engine has it, says nothing of a moment.
	for i := range samples {
		samples[i].Time = begin.Add(time.Duration(i) * time.Second)
		samples[i].Set(vitals.GCRate, 0.37)
	}
	if got, whole := gcMarks(samples, begin); whole || len(got) > 0 || gcText(samples, got, whole) == "" {
		t.Errorf("of a mean rate there are the marks %v", got)
	}
	if got, whole := gcMarks(nil, begin); len(got) > 0 || gcText(nil, got, whole) != "" {
		t.Errorf("without samples there are the marks %v", got)
	}
}
