package diagnose

import (
	"fmt"
	"path"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/checkout"
	"github.com/gocasebook/casebook/internal/race"
	"github.com/gocasebook/casebook/vitals"
)

// failures are a minute and a half of vitals of a service that answers rate requests a second, of which a share fails.
func failures(rate, share float64) []vitals.Sample {
	level := map[vitals.ID]float64{vitals.HTTPRate: rate, vitals.HTTPErrors: share}
	return changing(level, level)
}

// inHandlers is a goroutine profile of n requests in a call of a library below handle, and others elsewhere.
func inHandlers(n int, call, file string, others ...string) []byte {
	text := fmt.Sprintf("goroutine profile: total %d\n", n+len(others))
	text += fmt.Sprintf("%d @ 0x1 0x2 0x3 0x4 0x5\n#\t0x1\truntime.selectgo+0x1\t/go/src/runtime/select.go:351\n"+
		"#\t0x2\t%s+0x1\t%s:10\n#\t0x3\texample.com/shop.handle+0x1\t/src/shop/main.go:7\n"+
		"#\t0x4\tnet/http.HandlerFunc.ServeHTTP+0x1\t/go/src/net/http/server.go:2294\n"+
		"#\t0x5\tnet/http.(*conn).serve+0x1\t/go/src/net/http/server.go:2102\n\n", n, call, file)
	for _, o := range others {
		text += o
	}
	return []byte(text)
}

func slowCallsOf(t *testing.T, name string) []Evidence {
	return recordings(t, 2, "slowcalls/"+name, "goroutine*.pb.gz")
}

// TestFailingAnswers: requests that fail because what they call takes as long as they wait, whatever the client.
func TestFailingAnswers(t *testing.T) {
	checkout.Need(t)
	grpc := []Evidence{{Name: "goroutine.txt", Data: inHandlers(120, "google.golang.org/grpc.(*ClientConn).Invoke",
		"/mod/google.golang.org/grpc@v1.79.0/call.go")}}
	redis := []Evidence{{Name: "goroutine.txt", Data: inHandlers(40,
		"github.com/redis/go-redis/v9.(*baseClient).process",
		"/mod/github.com/redis/go-redis/v9@v9.17.0/redis.go")}}
	base := []Evidence{{Name: "goroutine.txt", Data: inHandlers(300, "database/sql.(*DB).QueryContext",
		"/go/src/database/sql/sql.go")}}
	quick := []Evidence{{Name: "goroutine.txt", Data: inHandlers(12, "net/http.(*Client).Do",
		"/go/src/net/http/client.go")}}
	const lab = "github.com/gocasebook/casebook/lab"
	few := []Evidence{{Name: "goroutine.txt", Data: inHandlers(5, "net/http.(*Client).Do",
		"/go/src/net/http/client.go")}}
	own := []Evidence{{Name: "goroutine.txt", Data: inHandlers(80, "sync.(*Cond).Wait", "/go/src/sync/cond.go")}}
	for _, c := range []struct {
		name     string
		module   string
		evidence []Evidence
		vitals   []vitals.Sample
		want     string // a part of the place; "" for no finding
	}{
		{"the gateway of the lab, recorded", lab, slowCallsOf(t, "gateway"), failures(60, 0.38), "client).call"},
		{"fares of a partner, recorded", "", slowCallsOf(t, "kept"), failures(300, 0.2), "quote"},
		{"gRPC at its deadline", "", grpc, failures(400, 0.5), "shop.handle"},
		{"Redis at its ReadTimeout", "", redis, failures(200, 0.1), "shop.handle"},
		{"queries at their statement_timeout", "", base, failures(300, 0.9), "shop.handle"},

		{"a partner that is slow and answers", "", slowCallsOf(t, "kept"), failures(300, 0), ""},
		{"one failure in a hundred", lab, slowCallsOf(t, "gateway"), failures(60, 0.01), ""},
		{"a service that fails at once", "", quick, failures(2000, 1), ""},
		{"few requests", "", few, failures(20, 0.5), ""},
		{"hardly any requests", "", grpc, failures(2, 0.5), ""},
		{"requests that hang", "", base, failures(12, 0.5), ""},
		{"requests that wait for the service itself", "", own, failures(200, 0.5), ""},
		{"nothing known of requests", "", grpc, changing(map[vitals.ID]float64{vitals.Goroutines: 9},
			map[vitals.ID]float64{vitals.Goroutines: 9}), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, _ := read(t.Context(), Input{Evidence: c.evidence, Build: casefile.Build{Module: c.module}})
			r.Vitals = c.vitals
			a := mostAwaited(r)
			f, ok := failingAnswers(r, &a)
			switch {
			case !ok && c.want == "":
			case !ok && c.want != "":
				t.Errorf("no finding at %q: %+v", c.want, a)
			case !ok || len(f.Where) == 0 || !strings.Contains(f.Where[0].Function, c.want) || c.want == "":
				t.Errorf("%v, %q at %+v; want a finding at %q", ok, f.Title, f.Where, c.want)
			case !strings.Contains(f.Remedies[0].Text, f.Where[0].Function[strings.LastIndex(f.Where[0].Function,
				".")+1:]):
				t.Errorf("the first remedy names no place: %s", f.Remedies[0].Text)
			}
		})
	}
}

// recordings are so many files of a case, by a pattern, as evidence.
func recordings(t *testing.T, want int, folder, pattern string) (in []Evidence) {
	t.Helper()
	race.Skip(t)
	files := checkout.Case(t, folder)
	for _, file := range files.Names() {
		matches, err := path.Match(pattern, file)
		if err != nil {
			t.Fatal(err)
		}
		if matches {
			in = append(in, Evidence{Name: file, Data: files[file]})
		}
	}
	if len(in) != want {
		t.Fatalf("%d files, want %d", len(in), want)
	}
	return in
}
