package diagnose_test

import (
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/vitals"
)

// Stacks of calls that a handler makes, as heap profiles of Go 1.26 have them.
const (
	httpCall = "net/http.(*persistConn).roundTrip net/http.(*Transport).roundTrip net/http.(*Transport).RoundTrip " +
		"net/http.send net/http.(*Client).send net/http.(*Client).do net/http.(*Client).Do "
	grpcCall = "google.golang.org/grpc.newClientStreamWithParams google.golang.org/grpc.invoke " +
		"google.golang.org/grpc.(*ClientConn).Invoke "
	inHandler = "main.(*server).order net/http.HandlerFunc.ServeHTTP net/http.(*conn).serve"
	inGRPC    = "main.(*server).Order google.golang.org/grpc.(*Server).processUnaryRPC " +
		"google.golang.org/grpc.(*Server).handleStream"
)

// A service of 15 requests a second for 10 s. All of them fail now, and none failed half a minute before.
func failingService(t *testing.T, stack string, callsEach, kib, before, failed float64) diagnose.Input {
	t.Helper()
	at := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	late := func(was, is float64) func(int) float64 {
		return func(i int) float64 {
			if i < 30 {
				return was
			}
			return is
		}
	}
	const rate, seconds = 15, 10
	calls := callsEach * kib * 1024
	first := heapProfile(t, map[string]made{"main.rest main.main": {1e4, 1e6}})
	last := heapProfile(t, map[string]made{"main.rest " +
		"main.main": {1e4, 1e6}, stack: {int64(callsEach * 30 * rate * seconds), int64(calls * rate * seconds)}})
	first.Name, first.Kind, first.Phase, first.Taken = "heap.pb.gz", casefile.Heap, casefile.During,
		at.Add(-seconds*time.Second)
	last.Name, last.Kind, last.Phase, last.Taken = "heap-after.pb.gz", casefile.Heap, casefile.After, at
	const other = 8 << 10 // bytes per request, besides its calls
	v := history(t, at, map[vitals.ID]func(int) float64{
		vitals.HTTPRate: constant(rate), vitals.HTTPErrors: late(0, failed),
		vitals.AllocRate: late(rate*(other+before*kib*1024), rate*(other+calls)),
	})
	return diagnose.Input{Evidence: []diagnose.Evidence{first, last, v}, Build: casefile.Build{Module: "example.com/app"}}
}

func TestRetries(t *testing.T) {
	for _, tt := range []struct {
		name   string
		stack  string
		calls  float64 // per request, of kib each
		kib    float64
		before float64
		failed float64
		at     string // the function to name; "": no finding
	}{
		{"a loop around an HTTP call", httpCall + "main.(*client).ask " +
			"main.(*client).number " + inHandler, 100, 3, 1, 1, "main.(*client).ask"},
		{"a RoundTripper of one's own that tries again", "net/http.(*persistConn).roundTrip " +
			"net/http.(*Transport).roundTrip net/http.(*Transport).RoundTrip main.(*again).RoundTrip net/http.send " +
			"net/http.(*Client).send net/http.(*Client).do net/http.(*Client).Do " +
			"main.(*client).ask " + inHandler, 25, 3, 1, 0.9, "main.(*again).RoundTrip"},
		{"a library that tries again, told not to " +
			"wait", httpCall + "github.com/hashicorp/go-retryablehttp.(*Client).Do " +
			"main.(*client).ask " + inHandler, 21, 3, 1, 0.5, "main.(*client).ask"},
		{"gRPC, in a server of gRPC", grpcCall + "main.(*prices).of " + inGRPC, 40, 6, 1, 1, "main.(*prices).of"},
		{"five tries in each of three layers, of two calls that succeed otherwise", httpCall + "main.get main.try " +
			"main.retry " + inHandler, 125, 3, 2, 1, "main.get"},

		{"fan-out to twenty services, all of which fail", httpCall + "main.fetch " +
			"main.each " + inHandler, 20, 3, 20, 1, ""},
		{"three tries, as most clients make", httpCall + "main.(*client).ask " + inHandler, 3, 3, 1, 1, ""},
		{"a crawler that is no server", httpCall + "main.fetch main.crawl main.main", 100, 3, 1, 1, ""},
		{"a request that asks many more than before, and " +
			"succeeds", httpCall + "main.(*client).ask " + inHandler, 100, 3, 1, 0.01, ""},
		{"a service that fails on its own and logs it", "fmt.Sprintf main.logError " + inHandler, 100, 3, 1, 1, ""},
		{"a proxy", httpCall + "net/http/httputil.(*ReverseProxy).ServeHTTP net/http.serverHandler.ServeHTTP " +
			"net/http.(*conn).serve", 1, 3, 1, 1, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, score := scoreOf(t, failingService(t, tt.stack, tt.calls, tt.kib, tt.before, tt.failed),
				"net-round-trips")
			switch {
			case tt.at == "" && score > 0:
				t.Errorf("found: %s", f.Summary)
			case tt.at != "" && (score < 50 || f.Where[0].Function != tt.at ||
				!strings.HasPrefix(f.Remedies[0].Title, "Back off")):
				t.Errorf("score %d, %+v; want 50 or more, at %s, and to back off first", score, f, tt.at)
			}
		})
	}
}

// What has failed since the watch began has no time before it: the same calls may always have been made.
func TestRetriesWantATimeBefore(t *testing.T) {
	in := failingService(t, httpCall+"main.(*client).ask "+inHandler, 100, 3, 1, 1)
	at := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	in.Evidence[2] = history(t, at, map[vitals.ID]func(int) float64{vitals.HTTPRate: constant(15),
		vitals.HTTPErrors: constant(1), vitals.AllocRate: constant(1e7)})
	if f, score := scoreOf(t, in, "net-round-trips"); score > 0 {
		t.Errorf("found without a time before: %s", f.Summary)
	}
}
