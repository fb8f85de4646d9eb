package diagnose_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

// costOf diagnoses a CPU profile of 1,000 ticks over ten seconds, 400 of them in stack.
func costOf(t *testing.T, stack string, more ...diagnose.Evidence) []casefile.Finding {
	t.Helper()
	ticks := map[string]int64{stack: 400, "main.rest main.main": 600}
	in := diagnose.Input{Evidence: append([]diagnose.Evidence{cpuProfile(t, 10, ticks)}, more...),
		Build: casefile.Build{Module: "example.com/app"}}
	return diagnose.Run(t.Context(), in, diagnose.Options{}).Findings
}

func TestCostKindOfAStack(t *testing.T) {
	for _, test := range []struct{ name, stack, kind, where string }{
		{"the call nearest to the user's line decides",
			"reflect.Value.Field fmt.(*pp).printValue fmt.Sprintf main.line main.main", "alloc-fmt", "main.line"},
		{"what a logger formats is logging", "strconv.AppendInt fmt.Sprintf log.Printf main.price main.main",
			"cpu-logging", "main.price"},
		{"compiling inside another library",
			"regexp/syntax.Parse regexp.compile regexp.MustCompile github.com/x/check.Valid main.form main.main",
			"regexp-compile", "main.form"},
		{"matching is not compiling",
			"regexp.(*machine).step regexp.(*Regexp).doExecute regexp.(*Regexp).MatchString main.form main.main",
			"cpu-regexp", "main.form"},
		{"html/template escapes at the first execution",
			"html/template.(*escaper).escape html/template.(*Template).lookupAndEscapeTemplate " +
				"html/template.(*Template).Execute main.page main.main",
			"template-parse", "main.page"},
		{"a comparison belongs to its sort", "main.board.func1 sort.insertionSort_func sort.Slice main.board main.main",
			"cpu-sort", "main.board"},
		{"a method called back belongs to its encoder",
			"main.Money.MarshalJSON encoding/json.Marshal main.list main.main", "cpu-json", "main.list"},
		{"append", "runtime.memmove runtime.growslice main.visible main.main", "alloc-grow", "main.visible"},
		{"append in a builder", "runtime.mallocgc runtime.growslice strings.(*Builder).WriteString main.text main.main",
			"alloc-grow", "main.text"},
		{"concatenation", "runtime.mallocgc runtime.concatstrings runtime.concatstring3 main.join main.main",
			"alloc-string-concat", "main.join"},
		{"conversion", "runtime.mallocgc runtime.slicebytetostring main.level main.main", "alloc-bytes-string",
			"main.level"},
		{"boxing", "runtime.mallocgc runtime.convT64 main.sum main.main", "alloc-boxing", "main.sum"},
		{"a map that is filled",
			"internal/runtime/maps.(*table).rehash runtime.mapassign_fast64 main.distinct main.main", "alloc-map-temp",
			"main.distinct"},
		{"a map that is read",
			"internal/runtime/maps.ctrlGroup.matchH2 runtime.mapaccess2_faststr main.count main.main", "cpu-map-hash",
			"main.count"},
		{"a map of Go 1.20", "runtime.aeshashbody runtime.strhash runtime.mapaccess1 main.count main.main",
			"cpu-map-hash", "main.count"},
		{"strings compared in a loop", "runtime.memequal main.walk main.main", "cpu-linear-search", "main.walk"},
		{"a search of the library", "slices.Index[...] slices.Contains[...] main.allowed main.main",
			"cpu-linear-search", "main.allowed"},
		{"a search for each element", "slices.Index[...] slices.Contains[...] main.dedup main.main", "cpu-quadratic",
			"main.dedup"},
		{"a large value copied", "runtime.duffcopy main.trace main.main", "cpu-copy", "main.trace"},
		{"the clock", "runtime.walltime time.Now main.live main.main", "cpu-time-now", "main.live"},
		{"timers", "runtime.mallocgc time.NewTimer time.After main.send main.main", "alloc-timer", "main.send"},
		{"deep equality", "reflect.deepValueEqual reflect.DeepEqual main.same main.main", "cpu-reflect", "main.same"},
		{"fields by name", "reflect.(*structType).FieldByName reflect.(*rtype).FieldByName main.columns main.main",
			"reflect-per-call", "main.columns"},
		{"passwords",
			"golang.org/x/crypto/blowfish.encryptBlock golang.org/x/crypto/bcrypt.CompareHashAndPassword main.login " +
				"main.main",
			"cpu-crypto", "main.login"},
		{"compressing", "compress/flate.(*compressor).deflate compress/gzip.(*Writer).Write main.send main.main",
			"cpu-compression", "main.send"},
		{"making a compressor",
			"runtime.memclrNoHeapPointers runtime.mallocgc compress/flate.NewWriter compress/gzip.(*Writer).Write " +
				"main.send main.main",
			"alloc-buffer-per-call", "main.send"},
		{"XML", "encoding/xml.(*Decoder).rawToken encoding/xml.Unmarshal main.feed main.main", "cpu-xml", "main.feed"},
		{"protocol buffers",
			"google.golang.org/protobuf/internal/impl.(*MessageInfo).unmarshal " +
				"google.golang.org/protobuf/proto.Unmarshal main.receive main.main",
			"cpu-protobuf", "main.receive"},
		{"a replacer for one use",
			"strings.makeGenericReplacer strings.(*Replacer).buildOnce strings.(*Replacer).Replace main.escape " +
				"main.main",
			"alloc-loop-invariant", "main.escape"},
		{"a system call a line",
			"internal/runtime/syscall.Syscall6 syscall.write internal/poll.(*FD).Write os.(*File).Write fmt.Fprintf " +
				"main.record main.main",
			"io-small", "main.record"},
		{"a file for each request",
			"internal/runtime/syscall.Syscall6 syscall.openat os.OpenFile os.ReadFile main.limits main.main",
			"io-reread", "main.limits"},
		{"C", "runtime.cgocall main._Cfunc_weigh main.weigh main.main", "cpu-cgo", "main.weigh"},
		{"polling a channel", "runtime.chanrecv runtime.selectnbrecv main.poll main.main", "goroutine-busy-poll",
			"main.poll"},
		{"atomics in a loop", "sync/atomic.(*Bool).Load main.await main.main", "cpu-spin", "main.await"},
		{"goroutines", "runtime.malg runtime.newproc1 runtime.newproc main.weighAll main.main", "goroutine-churn",
			"main.weighAll"},
		{"goroutines of a group",
			"runtime.malg runtime.newproc1 runtime.newproc golang.org/x/sync/errgroup.(*Group).Go main.fanOut " +
				"main.main",
			"goroutine-churn", "main.fanOut"},
		{"a search that takes a text apart", "strings.Index main.tokens main.main", "cpu-linear-search", "main.tokens"},
		{"a dependency that nobody of the user's called",
			"compress/flate.(*compressor).deflate compress/gzip.(*Writer).Write github.com/x/agent.(*Pusher).push " +
				"github.com/x/agent.(*Pusher).loop",
			"cpu-compression", "github.com/x/agent.(*Pusher).push"},
		{"a handler that hands on",
			"encoding/json.Marshal github.com/x/rpc.(*Server).ServeHTTP main.logging net/http.(*conn).serve",
			"cpu-json", "github.com/x/rpc.(*Server).ServeHTTP"},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, f := range costOf(t, test.stack) {
				if f.Kind == test.kind {
					if f.Where[0].Function != test.where {
						t.Errorf("blames %s first, want %s", f.Where[0].Function, test.where)
					}
					return
				}
			}
			t.Errorf("no finding %s", test.kind)
		})
	}
}

// TestSlowForm: replacing a form that is several times as expensive as the others saves more.
func TestSlowForm(t *testing.T) {
	const unmarshal = " google.golang.org/protobuf/proto.UnmarshalOptions.unmarshal " +
		"google.golang.org/protobuf/proto.Unmarshal main.receive main.main"
	for _, test := range []struct {
		name, stack string
		low, high   float64
	}{
		{"tables of a generated type", "google.golang.org/protobuf/internal/impl.(*MessageInfo).unmarshal" + unmarshal,
			0.12, 0.24},
		{"no generated type",
			"runtime.mallocgc google.golang.org/protobuf/types/dynamicpb.(*Message).Set " +
				"google.golang.org/protobuf/proto.UnmarshalOptions.unmarshalMessageSlow" +
				unmarshal, 0.28, 0.38},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, f := range costOf(t, test.stack) {
				if f.Kind == "cpu-protobuf" {
					if g := f.Impact.Gain; g.Low != test.low || g.High != test.high {
						t.Errorf("gain %v–%v, want %v–%v: %s", g.Low, g.High, test.low, test.high, g.Arithmetic)
					}
					return
				}
			}
			t.Error("no finding cpu-protobuf")
		})
	}
}

// TestNoCost: what the user cannot change, or what costs too little, is not a finding.
func TestNoCost(t *testing.T) {
	const compile = "regexp/syntax.Parse regexp.compile regexp.MustCompile main.form main.main"
	for _, tt := range []struct {
		name    string
		seconds float64
		ticks   map[string]int64
		kind    string
	}{
		{"a process that is idle", 300, map[string]int64{compile: 400, "main.rest main.main": 600}, "regexp-compile"},
		{"a profile that is too short", 10, map[string]int64{compile: 30, "main.rest main.main": 30,
			"main.more main.main": 30}, "regexp-compile"},
		{"nine ticks are chance, where no heap profile shows more", 10,
			map[string]int64{compile: 9, "main.rest main.main": 191}, "regexp-compile"},
		{"compiled at the start only", 10, map[string]int64{compile: 10, "main.rest main.main": 990}, "regexp-compile"},
		{"handshakes of the server", 10,
			map[string]int64{"crypto/internal/fips140/nistec.p256Mul crypto/tls.(*Conn).HandshakeContext " +
				"net/http.(*conn).serve": 500,
				"main.rest main.main": 500}, "cpu-crypto"},
		{"files that a library serves", 10,
			map[string]int64{"syscall.openat os.Open github.com/x/static.(*Handler).serve main.files main.main": 500,
				"main.rest main.main": 500}, "io-reread"},
		{"files that are written", 10, map[string]int64{"syscall.openat os.OpenFile main.store main.main": 500,
			"main.rest main.main": 500}, "io-reread"},
		{"conversions inside the standard library", 10,
			map[string]int64{"runtime.mallocgc runtime.slicebytetostring net/textproto.canonicalMIMEHeaderKey " +
				"main.header main.main": 500,
				"main.rest main.main": 500}, "alloc-bytes-string"},
		{"a program that is the library", 10, map[string]int64{"example.com/app/internal/regexp.Compile main.main": 500,
			"main.rest main.main": 500}, "regexp-compile"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := diagnose.Input{Evidence: []diagnose.Evidence{cpuProfile(t, tt.seconds, tt.ticks)},
				Build: casefile.Build{Module: "example.com/app"}}
			if f, score := scoreOf(t, in, tt.kind); score > 0 {
				t.Errorf("scores %d, want nothing: %s", score, f.Summary)
			}
		})
	}
}

// TestOneFindingALine: a specific kind replaces the general ones, with the higher score.
func TestOneFindingALine(t *testing.T) {
	got := costOf(t, "regexp/syntax.Parse regexp.compile regexp.MustCompile main.form main.main")
	for _, f := range got {
		if f.Kind == "cpu-hot-function" && f.Where[0].Function == "main.form" {
			t.Errorf("cpu-hot-function is found beside regexp-compile: %s", f.Summary)
		}
	}
	if f := got[0]; f.Kind != "regexp-compile" || f.Score != capUnsure {
		t.Errorf("first is %s %d, want regexp-compile %d", f.Kind, f.Score, capUnsure)
	}
}

// TestTightLoop: a profile does not show what a loop is for.
func TestTightLoop(t *testing.T) {
	in := diagnose.Input{Evidence: []diagnose.Evidence{cpuProfile(t, 10,
		map[string]int64{"main.checksum main.main": 900, "main.rest main.main": 100})}}
	rep := diagnose.Run(t.Context(), in, diagnose.Options{})
	for _, u := range rep.Undecided {
		if u.Kind == "cpu-linear-search" && strings.Contains(u.Reason, "main.checksum") {
			return
		}
	}
	t.Errorf("undecided: %v, want cpu-linear-search to name main.checksum", rep.Undecided)
}

// TestSearchAndShift: a loop is a search if its caller removes from the slice what the loop found.
func TestSearchAndShift(t *testing.T) {
	for _, tt := range []struct {
		name  string
		shift int64
		low   int
		high  int
	}{{"the caller copies", 300, 50, capUnsure}, {"hardly", 20, 0, 0}} {
		t.Run(tt.name, func(t *testing.T) {
			in := diagnose.Input{Evidence: []diagnose.Evidence{cpuProfile(t, 10,
				map[string]int64{"main.(*LRU[...]).position main.(*LRU[...]).Get": 400,
					"runtime.memmove main.(*LRU[...]).Get": tt.shift, otherStack: 300})},
				Limits: casefile.Limits{CPUs: 2}}
			f, score := scoreOf(t, in, "cpu-linear-search")
			if score < tt.low || score > tt.high {
				t.Fatalf("scores %d, want %d to %d", score, tt.low, tt.high)
			}
			if score > 0 && f.Where[0].Function != "main.(*LRU[...]).position" {
				t.Errorf("blames %v, want position first", f.Where)
			}
		})
	}
}

// TestPurposeOrWaste: the same share is a warning where the way of working is wasteful, and a notice where it may be
// the purpose. With little CPU it is a notice of the lowest kind, or nothing.
func TestPurposeOrWaste(t *testing.T) {
	format, hash, look := "fmt.Sprintf main.key main.serve", "crypto/sha256.Sum256 main.sum main.serve",
		"internal/runtime/maps.ctrlGroup.matchH2 runtime.mapaccess1 main.get main.serve"
	for _, tt := range []struct {
		name, stack, kind string
		seconds           float64 // for 5 s of CPU
		low, high         int
	}{
		{"waste", format, "alloc-fmt", 10, 60, capUnsure}, {"waste of little", format, "alloc-fmt", 40, 25, 35},
		{"waste of hardly any", format, "alloc-fmt", 200, 0, 0},
		{"purpose", hash, "cpu-crypto", 10, capNotice, capNotice}, {"of little", hash, "cpu-crypto", 40, 0, 0},
		{"maps", look, "cpu-map-hash", 10, 25, capNotice},
		{"of little, which would be a notice", look, "cpu-map-hash", 21, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := diagnose.Input{Evidence: []diagnose.Evidence{cpuProfile(t, tt.seconds,
				map[string]int64{tt.stack: 400, otherStack: 100})}, Limits: casefile.Limits{CPUs: 2}}
			if _, got := scoreOf(t, in, tt.kind); got < tt.low || got > tt.high {
				t.Errorf("%s scores %d, want %d to %d", tt.kind, got, tt.low, tt.high)
			}
		})
	}
}

// TestUnknownLogger: what writes to a file and asks who called it logs, whoever wrote it. Each of these does half of
// it, or more than that.
func TestUnknownLogger(t *testing.T) {
	const (
		write  = "syscall.Syscall syscall.write os.(*File).Write example.org/team/lib.(*Lib).emit example.org/team/lib.(*Lib).Say"
		asks   = "runtime.callers runtime.Callers example.org/team/lib.position example.org/team/lib.(*Lib).Say"
		format = "example.org/team/lib.(*enc).field example.org/team/lib.(*Lib).Say"
		talks  = "syscall.Syscall syscall.write net.(*netFD).Write net.(*conn).Write example.org/team/lib.(*Lib).ask"
		user   = " main.price main.main"
	)
	for _, tt := range []struct {
		name  string
		ticks map[string]int64
		logs  bool
	}{
		{"a logger", map[string]int64{write: 100, asks: 100, format: 300}, true},
		{"errors with a stack", map[string]int64{asks: 100, format: 400}, false},
		{"an export to a file", map[string]int64{write: 200, format: 300}, false},
		{"a database's client with a log of its own", map[string]int64{write: 50, asks: 50, format: 300, talks: 100}, false},
		{"one panic that is written down", map[string]int64{write: 1, asks: 1, format: 498}, false},
	} {
		ticks := map[string]int64{"main.rest main.main": 500}
		for stack, n := range tt.ticks {
			ticks[stack+user] = n
		}
		in := diagnose.Input{Evidence: []diagnose.Evidence{cpuProfile(t, 10, ticks)},
			Build: casefile.Build{Module: "example.com/app"}}
		logs := slices.ContainsFunc(diagnose.Run(t.Context(), in, diagnose.Options{}).Findings,
			func(f casefile.Finding) bool { return f.Kind == "cpu-logging" })
		if logs != tt.logs {
			t.Errorf("%s logs: %v, want %v", tt.name, logs, tt.logs)
		}
	}
}
