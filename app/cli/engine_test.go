package cli_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/app/engine/enginetest"
)

// keep puts what a real program was recorded as into an engine, as if it had sent it every 15 s until now.
func keep(t *testing.T, s *enginetest.Server, program string) {
	t.Helper()
	now := time.Now()
	for file, name := range map[string]string{"cpu.pb.gz": "process_cpu", "heap-after.pb.gz": "memory",
		"goroutine.pb.gz": "goroutines"} {
		p := enginetest.Recorded(t, program, file)
		if name != "process_cpu" {
			p.DurationNanos = 0
		}
		for i := range 24 {
			at := now.Add(2*time.Minute - time.Duration(i)*15*time.Second) // the test takes a while
			s.Add(map[string]string{"service_name": program, "service_version": "v1", "pod": "a"}, name, at, p)
		}
	}
}

// A service that only an engine knows is diagnosed and captured as one behind net/http/pprof is, and watched by rules.
func TestEngine(t *testing.T) {
	for _, e := range []struct {
		name  string
		start func(testing.TB) *enginetest.Server
	}{{"pyroscope", enginetest.NewPyroscope}, {"parca", enginetest.NewParca}} {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			s := e.start(t)
			keep(t, s, "coredns-dnssec")
			url := fmt.Sprintf("%s://user:s3cret@%s?service=coredns-dnssec&tenant=s3cret", e.name, s.Host)
			dir := t.TempDir()
			r := casebook(t, dir, "diagnose", url)
			r.want(t, 0, "Cryptography takes", "dnssec.go:154") // a notice
			r = casebook(t, dir, "capture", "--dir", "cases", "--before", "0s", url)
			r.want(t, 0, "Case    ")
			f := onlyCase(t, dir+"/cases")
			if got := f.Case.Target; got.Name != "coredns-dnssec" || !strings.HasPrefix(got.URL, e.name+"://"+s.Host) {
				t.Errorf("the case's target is %+v", got)
			}
			origin := ""
			for _, ev := range f.Case.Evidence {
				if ev.Kind == "cpu" {
					origin = ev.Note
				}
			}
			if !strings.Contains(origin, "from "+e.name+"://"+s.Host) {
				t.Errorf("the CPU profile's note is %q; want its origin", origin)
			}
			rules := write(t, "r.json", `{"schema":1,"rules":[{"name":"piles","warmup":"-1s",`+
				`"capture":["cpu","goroutine"],"when":{"signal":"goroutines","above":1}}]}`)
			r = casebook(t, dir, "watch", "--once", "--for", "2m", "--rules", rules, "--dir", "watched", url)
			r.want(t, 0, "piles")
			if strings.Contains(r.out, "curl") && strings.Contains(r.out, "'"+e.name) {
				t.Errorf("an engine is to be asked by curl:\n%s", r.out)
			}
			if f := onlyCase(t, dir+"/watched"); f.Case.Trigger.Signal != "goroutines" {
				t.Errorf("the trigger is %+v", f.Case.Trigger)
			}
			casebook(t, dir, "diagnose", url+"&version=v2").want(t, 2, "there is no version v2")
			for _, shown := range []string{r.out, r.errors} {
				if strings.Contains(shown, "s3cret") {
					t.Errorf("a secret is shown:\n%s", shown)
				}
			}
		})
	}
}

// What goes with a target behind net/http/pprof and not with an engine, and the other way round, is said.
func TestEngineRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, c := range []struct {
		want string
		args []string
	}{
		{"names no service", []string{"diagnose", "pyroscope://localhost:1"}},
		{"did you mean since?", []string{"capture", "parca://localhost:1?service=x&sinc=1m"}},
		{"--expvar: an engine has no such page", []string{"watch", "--expvar", "/debug/vars", "--var", "a",
			"parca://localhost:1?service=x"}},
		{"prometheus://host:9090?service=NAME", []string{"watch", "--prometheus", "/metrics",
			"parca://localhost:1?service=x"}},
		{"goes with a pyroscope:// or parca:// target", []string{"watch", "--prometheus", "prometheus://h?service=x",
			"localhost:1"}},
		{"no heap dumps", []string{"capture", "--heap-refs", "parca://localhost:1?service=x"}},
		{"does not answer", []string{"watch", "prometheus://u:s3cret@127.0.0.1:1?service=x"}},
		{"keeps no profiles", []string{"watch", "--push", "prometheus://h", "localhost:1"}},
		{"--push-header-file is for --push", []string{"watch", "--push-header-file", "f", "localhost:1"}},
	} {
		r := casebook(t, dir, c.args...)
		r.want(t, 2, c.want)
		if strings.Contains(r.errors, "s3cret") {
			t.Errorf("%v shows a secret:\n%s", c.args, r.errors)
		}
	}
}

// A watch pushes the profiles of its cases.
func TestWatchPushes(t *testing.T) {
	t.Parallel()
	s := enginetest.NewPyroscope(t)
	rules := write(t, "r.json", `{"schema":1,"rules":[{"name":"any","warmup":"-1s","capture":["goroutine","heap"],`+
		`"when":{"signal":"goroutines","above":0}}]}`)
	dir := t.TempDir()
	casebook(t, dir, "watch", "--once", "--rules", rules, "--push", "pyroscope://"+s.Host, "--service", "victim",
		"--label", "zone=eu-1", start(t))
	f := onlyCase(t, dir+"/casebook-cases")
	all := s.Labels()
	if len(all) == 0 {
		t.Fatal("nothing was pushed")
	}
	for _, l := range all {
		if l["casebook_case"] != f.Case.ID || l["service_name"] != "victim" || l["zone"] != "eu-1" {
			t.Errorf("pushed with the labels %v", l)
		}
	}
}

// A case of a service quotes what an engine has of it, with the origin, and is diagnosed as without.
func TestCaptureQuotes(t *testing.T) {
	t.Parallel()
	s := enginetest.NewPyroscope(t)
	keep(t, s, "coredns-dnssec")
	dir := t.TempDir()
	casebook(t, dir, "capture", "--before", "0s", "--kinds", "goroutine", "--quote",
		"pyroscope://u:s3cret@"+s.Host+"?service=coredns-dnssec", start(t)).want(t, 0, "quote-before-cpu.pb.gz")
	f := onlyCase(t, dir+"/casebook-cases")
	quoted := 0
	for _, e := range f.Case.Evidence {
		if e.Kind != "quote" {
			continue
		}
		quoted++
		if !strings.Contains(e.Note, "from pyroscope://"+s.Host) || strings.Contains(e.Note, "s3cret") || !e.GoFormat ||
			e.Phase != "before" {
			t.Errorf("quoted is %+v", e)
		}
	}
	if quoted != 2 || len(f.Case.Missing) == 0 {
		t.Errorf("%d profiles are quoted, want CPU and heap of before; missing are %+v", quoted, f.Case.Missing)
	}
	casebook(t, dir, "diagnose", f.Path).wantHealthy(t)
}

// Two services on two tenants of one engine, watched from one folder: each case quotes its own tenant's data, although
// a file of headers names the other.
func TestQuotesOfTenants(t *testing.T) {
	t.Parallel()
	s := enginetest.NewPyroscope(t)
	keep(t, s.Tenant("network"), "coredns-dnssec")
	keep(t, s.Tenant("messages"), "nats-slow")
	dir := t.TempDir()
	for tenant, c := range map[string]struct{ service, other, function string }{
		"network":  {"coredns-dnssec", "messages", "github.com/coredns/"},
		"messages": {"nats-slow", "network", "github.com/nats-io/"},
	} {
		casebook(t, dir, "capture", "--before", "0s", "--kinds", "goroutine", "--dir", tenant, "--quote",
			"pyroscope://"+s.Host+"?service="+c.service+"&tenant="+tenant, "--quote-header-file",
			write(t, "headers", "X-Scope-OrgID: "+c.other+"\n"), start(t)).want(t, 0, "quote-before-cpu.pb.gz")
		f := onlyCase(t, filepath.Join(dir, tenant))
		data, err := f.Read("quote-before-cpu.pb.gz")
		if err != nil {
			t.Fatal(err)
		}
		p, err := profile.ParseData(data)
		if err != nil {
			t.Fatal(err)
		}
		own := slices.ContainsFunc(p.Function, func(f *profile.Function) bool {
			return strings.HasPrefix(f.Name, c.function)
		})
		if !own {
			t.Errorf("the case of %s quotes no function of %s", tenant, c.function)
		}
	}
	for _, r := range s.Asked() {
		if tenant := r.Header.Get("X-Scope-OrgID"); tenant != "network" && tenant != "messages" {
			t.Errorf("asked as %q", tenant)
		}
	}
}
