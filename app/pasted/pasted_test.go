package pasted_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/app/pasted"
	"github.com/gocasebook/casebook/casefile"
)

const dump = `goroutine 1 [chan receive, 5 minutes]:
main.wait(0xc000012345)
	/srv/app/main.go:22 +0x1d
main.main()
	/srv/app/main.go:14 +0x25

goroutine 7 [sync.Mutex.Lock]:
main.(*Store).Get(...)
	/srv/app/store.go:9
created by main.main in goroutine 1
	/srv/app/main.go:12 +0x3d
`

const counted = "goroutine profile: total 3\n3 @ 0x1 0x2\n#\t0x1\tmain.f+0x1\t/srv/a.go:1\n"

var now = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

// eachLine puts something before each line.
func eachLine(text string, before func(i int) string) string {
	var b strings.Builder
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		b.WriteString(before(i) + line + "\n")
	}
	return b.String()
}

func always(s string) func(int) string { return func(int) string { return s } }

func utf16of(text string, big bool) string {
	var b []byte
	for _, u := range utf16.Encode([]rune("\ufeff" + text)) {
		if big {
			b = append(b, byte(u>>8), byte(u))
		} else {
			b = append(b, byte(u), byte(u>>8))
		}
	}
	return string(b)
}

// TestPasted: a dump comes out as the runtime wrote it, whatever a log, a shell or a ticket made of it.
func TestPasted(t *testing.T) {
	escape := strings.NewReplacer("\\", "\\\\", "\n", "\\n", "\t", "\\t", "\"", "\\\"").Replace
	docker := eachLine(dump, always(""))
	var logged strings.Builder
	for _, line := range strings.SplitAfter(docker, "\n") {
		if line != "" {
			fmt.Fprintf(&logged, "{\"log\":\"%s\",\"stream\":\"stderr\",\"time\":\"2026-03-01T10:00:00Z\"}\n",
				escape(line))
		}
	}
	for name, tt := range map[string]struct{ text, want string }{
		"journald":        {eachLine(dump, always("Mar 01 09:00:00 host app[123]: ")), dump},
		"journald, iso":   {eachLine(dump, always("2026-03-01T09:00:00+0100 host app[123]: ")), dump},
		"docker":          {eachLine(dump, always("2026-03-01T09:00:00.123456789Z ")), dump},
		"CRI":             {eachLine(dump, always("2026-03-01T09:00:00.1Z stderr F ")), dump},
		"compose":         {eachLine(dump, always("app-1  | ")), dump},
		"kubectl":         {eachLine(dump, always("[pod/app-5d/app] ")), dump},
		"a quotation":     {eachLine(dump, always("> ")), dump},
		"indented":        {eachLine(dump, always("    ")), dump},
		"docker's JSON":   {logged.String(), dump},
		"UTF-16":          {utf16of(dump, false), dump},
		"UTF-16, big":     {utf16of(dump, true), dump},
		"a mark of UTF-8": {"\ufeff" + dump, dump},
		"fences":          {"It hangs:\n\n```text\n" + dump + "```\n", dump},
		"a prompt":        {"me@host:~$ curl -s localhost:6060/debug/pprof/goroutine?debug=1\n" + counted, counted},
		"counts in a log": {eachLine(counted, always("Mar 01 09:00:00 host app[123]: ")), counted},
	} {
		got := pasted.Pieces([]byte(tt.text), now)
		if len(got) != 1 || strings.TrimRight(string(got[0].Data), "\n") != strings.TrimRight(tt.want, "\n") {
			t.Errorf("%s: %+v, want %+v", name, got, tt.want)
		}
	}
	one := `{"level":"error","ts":"2026-03-01","msg":"died","stack":"` + escape(dump) + `"}` + "\n"
	if got := pasted.Pieces([]byte(one), now); len(got) != 1 || !bytes.HasPrefix(got[0].Data, []byte(dump[:120])) {
		t.Errorf("in a line of JSON: %+v", got)
	}
}

// TestAlone: what is to be read as it is, and what has no evidence, is left alone.
func TestAlone(t *testing.T) {
	for name, text := range map[string]string{
		"a dump": dump, "counts": counted, "notes": "it was slow on Tuesday\n", "empty": "",
		"vitals":  `{"schema":1,"units":{"cpu":"cores"}}` + "\n" + `{"t":"2026-03-01T10:00:00Z","cpu":1}` + "\n",
		"profile": "\x1f\x8b\x08\x00\x00\x00\x00\x00", "one collection": "gc happened\n",
		"a crash": "panic: boom\n\n" + dump,
	} {
		if got := pasted.Pieces([]byte(text), now); got != nil {
			t.Errorf("%s: %+v, want it left alone", name, got)
		}
	}
}

// TestMoments: a log with several dumps has several moments, with the times of its stamps.
func TestMoments(t *testing.T) {
	at := func(minute string) func(int) string { return always("Mar 01 09:" + minute + ":00 host app[1]: ") }
	log := eachLine("started\nSIGQUIT: quit\nPC=0x1\n\n"+dump, at("00")) + eachLine("SIGQUIT: quit\n\n"+dump,
		at("05")) +
		eachLine(dump, at("07"))
	got := pasted.Pieces([]byte(log), now)
	if len(got) != 3 || got[1].Taken.Sub(got[0].Taken) != 5*time.Minute ||
		got[2].Taken.Sub(got[1].Taken) != 2*time.Minute ||
		got[0].Taken.Year() != 2026 || !bytes.HasPrefix(got[0].Data, []byte("SIGQUIT")) {
		t.Errorf("%+v, want three moments, five and two minutes apart", got)
	}
	serving := "2026/01/02 10:00:00 http: panic serving 1.2.3.4:5: boom\ngoroutine 12 " +
		"[running]:\nmain.f()\n\t/srv/a.go:1 +0x1\n"
	got = pasted.Pieces([]byte(serving+serving+dump), now)
	if len(got) != 2 || bytes.Count(got[0].Data, []byte("panic serving")) != 2 || !bytes.HasPrefix(got[1].Data,
		[]byte(dump)) {
		t.Errorf("%+v, want panics that were caught apart from the dump", got)
	}
}

// TestRuntimeTrace: lines of gctrace are vitals.
func TestRuntimeTrace(t *testing.T) {
	var log strings.Builder
	for i := range 5 {
		fmt.Fprintf(&log, "gc %d @%d.000s 18%%: 0.1+1900+0.03 ms clock, 0.2+1000/2000/900+0.1 ms cpu, "+
			"2000->2200->2010 MB, "+
			"2000 MB goal, 48 MB stacks, 0 MB globals, 3 P\n", i+1, 100+2*i)
	}
	got := pasted.Pieces([]byte(log.String()), now)
	if len(got) != 1 || got[0].Kind != casefile.Vitals {
		t.Fatalf("%+v, want vitals", got)
	}
	for _, want := range []string{`"gc_cpu":0.5000`, `"heap_goal":2097152000`, `"gc_rate":0.5`,
		`"t":"2026-03-04T11:59:52Z"`} {
		if !bytes.Contains(got[0].Data, []byte(want)) {
			t.Errorf("%s lacks %s", got[0].Data, want)
		}
	}
	sched := strings.Repeat("SCHED 1004ms: gomaxprocs=4 idleprocs=0 threads=8 idlethreads=3 runqueue=12 [3 0 1 2]\n", 3)
	got = pasted.Pieces([]byte("log line\n"+sched), now)
	if len(got) != 1 || !bytes.Contains(got[0].Data, []byte(`"goroutines_runnable":18`)) {
		t.Errorf("%+v, want 18 goroutines that could run", got)
	}
}

// FuzzPieces: any bytes give pieces no larger than the text, and the same again.
func FuzzPieces(f *testing.F) {
	f.Add([]byte(eachLine(dump, always("Mar 01 09:00:00 host app[123]: "))))
	f.Add([]byte(utf16of(dump, true)))
	f.Add([]byte(`{"stack":"goroutine 1 [running]:\nmain.main()\n\t/a.go:1"}`))
	f.Add([]byte("gc 1 @1.0s 1%: 0+1+0 ms clock, 0+1/1/1+0 ms cpu, 4->4->1 MB, 4 MB goal, 3 P\n"))
	f.Add([]byte(counted + dump + dump))
	f.Add([]byte("==================\nWARNING: DATA RACE\nWrite at 0x00c0 by goroutine 8:\n  a.b()\n" +
		"      /a.go:1 +0x1\n\nPrevious read at 0x00c0 by main goroutine:\n  a.c()\n      /a.go:2 +0x1\n"))
	f.Add([]byte(`{"flamebearer":{"names":["total","a.b"],"levels":[[0,4,0,0],[0,4,4,1]]},` +
		`"metadata":{"units":"samples"}}`))
	f.Add([]byte(`{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":` +
		`[{"name":"a.b"}]},"profiles":[{"unit":"none","samples":[[0]],"weights":[3]},` +
		`{"unit":"none","events":[{"type":"O","frame":0,"at":1},{"type":"C","frame":0,"at":3}]}]}`))
	f.Add([]byte("PeriodType: cpu nanoseconds\nSamples:\ncpu/nanoseconds\n  3: 1\nLocations\n" +
		"  1: 0x1 M=1 a.b /a.go:1:0 s=0\n"))
	f.Add([]byte("shop 1/2 [001] 5.7: 10 cpu-clock:u:\n\t 4a main.work+0x2c (/usr/bin/shop)\n\n"))
	f.Add([]byte("Total: 25 samples\n 5 11.8% 11.8% 5 13.7% main.f\n"))
	f.Add([]byte("{Alloc:1 TotalAlloc:2 HeapAlloc:3 Sys:4 Mallocs:5 GCCPUFraction:0.4}"))
	f.Fuzz(func(t *testing.T, b []byte) {
		total := 0
		for _, p := range pasted.Pieces(b, now) {
			if p.Kind == "" {
				total += len(p.Data)
			}
		}
		if total > 4*len(b)+512 { // a profile has a head of its own
			t.Errorf("%d bytes from %d", total, len(b))
		}
		pasted.FiguresOf(b)
		pasted.Named(b)
	})
}

// TestTables: what go tool pprof printed is a profile of what it shows.
func TestTables(t *testing.T) {
	top := "$ go tool pprof http://x/heap\nSaved profile in /home/me/pprof/pprof.x.pb.gz\nFile: x\nType: " +
		"inuse_space\n" +
		"Showing nodes accounting for 187.20MB, 95% of 197MB total\n      flat  flat%   sum%        cum   cum%\n" +
		"  155.13MB 77.09% 77.09%   189.20MB 94.03%  compress/flate.NewWriter\n" +
		"   32.07MB 15.94% 93.03%    32.07MB 15.94%  compress/flate.(*compressor).initDeflate (inline)\n\n(pprof) " +
		"quit\n"
	tree := "File: x\nType: cpu\nDuration: 4s, Total samples = 4.30s (107%)\nShowing nodes accounting for 4.30s, " +
		"100% of 4.30s total\n" + strings.Repeat("-", 58) + "+-------------\n      flat  flat%   sum%        cum   " +
		"cum%   calls calls% + context \t\n" + strings.Repeat("-", 58) + "+-------------\n" +
		"                                             3.21s   100% |   main.handle\n" +
		"     0.17s  3.95%  3.95%      3.21s 74.65%                | shop/price.Match\n" +
		"                                             3.04s 94.70% |   regexp.MustCompile (inline)\n"
	list := "Total: 4.30s\nROUTINE ======================== shop/price.Match in /srv/shop/price.go\n" +
		"      10ms      3.05s (flat, cum) 70.93% of Total\n         .          .     18:\tn := 0\n" +
		"      10ms       10ms     19:\tfor _, s := range names {\n" +
		"         .      3.04s     20:\t\tregexp.MustCompile(s)\n"
	traces := "File: x\nType: cpu\nDuration: 2.5s, Total samples = 30ms (1%)\n-----------+---------------\n" +
		"      20ms   runtime.memmove\n             bytes.(*Buffer).Write\n             main.write\n" +
		"-----------+---------------\n      10ms   main.read\n             main.main\n"
	for name, tt := range map[string]struct {
		text   string
		total  int64
		stacks []string
		source string
	}{
		"top": {top, 197 << 20, []string{"compress/flate.NewWriter", "compress/flate.(*compressor).initDeflate", ""},
			"/home/me/pprof/pprof.x.pb.gz"},
		"tree": {tree, 4_300_000_000, []string{"regexp.MustCompile shop/price.Match main.handle",
			"shop/price.Match main.handle", ""}, ""},
		"list": {list, 4_300_000_000, []string{"shop/price.Match:19", "[not shown] shop/price.Match:20", ""}, ""},
		"traces": {traces, 30_000_000, []string{"runtime.memmove bytes.(*Buffer).Write main.write",
			"main.read main.main"}, ""},
	} {
		got := pasted.Pieces([]byte(tt.text), now)
		if len(got) != 1 || got[0].Note == "" || got[0].Most == "" || got[0].Source != tt.source {
			t.Fatalf("%s: %d pieces, %+v", name, len(got), got)
		}
		p, err := profile.ParseData(got[0].Data)
		if err != nil {
			t.Fatal(err)
		}
		total, stacks := int64(0), []string(nil)
		for _, s := range p.Sample {
			total += s.Value[len(s.Value)-1]
			var names []string
			for _, l := range s.Location { // none: what the text leaves out
				name := l.Line[0].Function.Name
				if l.Line[0].Line > 0 {
					name += fmt.Sprintf(":%d", l.Line[0].Line)
				}
				names = append(names, name)
			}
			stacks = append(stacks, strings.Join(names, " "))
		}
		if total/1000 != tt.total/1000 || !slices.Equal(stacks, tt.stacks) {
			t.Errorf("%s: %d of %q, want %d of %q", name, total, stacks, tt.total, tt.stacks)
		}
	}
}

func BenchmarkPieces(b *testing.B) {
	for name, text := range map[string]string{
		"dump": strings.Repeat(dump, 5000), "log": strings.Repeat("2026/03/01 09:00:00 request 1 took 12 ms\n", 50_000),
		"journald": eachLine(strings.Repeat(dump, 5000), always("Mar 01 09:00:00 host app[123]: ")),
	} {
		b.Run("text="+name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				pasted.Pieces([]byte(text), now)
			}
		})
	}
}
