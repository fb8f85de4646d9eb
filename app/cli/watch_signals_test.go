package cli_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

// metricsPage serves a Prometheus page with one gauge.
func metricsPage(t *testing.T, waiting *atomic.Int64) string {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, "# TYPE jobs_waiting gauge\njobs_waiting{queue=\"mail\"} %d\njobs_waiting{queue=\"sms\"} 7\n",
			waiting.Load())
	}))
	t.Cleanup(srv.Close)
	return srv.URL + "/metrics"
}

// A metric of the target's Prometheus page is a signal for rules, and the page is kept.
func TestWatchPrometheusPage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rules := write(t, "rules.json", `{"schema":1,"rules":[
	  {"name":"queue","warmup":"-1s","capture":["goroutine"],"when":{"signal":"jobs_waiting_queue_mail","above":40}}]}`)
	var waiting atomic.Int64
	b := begin(t, dir, "watch", "--once", "--interval", "200ms", "--rules", rules,
		"--prometheus", metricsPage(t, &waiting), "--metric", `jobs_waiting{queue="mail"}`, start(t))
	b.await(t, "watching victim")
	waiting.Store(50)
	b.wait(t).want(t, 0, "rule queue tripped: jobs_waiting_queue_mail was 50", "prometheus.txt")

	f := onlyCase(t, filepath.Join(dir, "casebook-cases"))
	page, err := f.Read("prometheus.txt")
	if err != nil || !strings.Contains(string(page), `jobs_waiting{queue="mail"} 50`) ||
		!strings.Contains(string(page), "sms") {
		t.Errorf("the page kept is %q, %v", page, err)
	}
	before, err := f.Read("vitals-before.jsonl")
	if err != nil || !strings.Contains(string(before), `"jobs_waiting_queue_mail":50`) {
		t.Errorf("the vitals do not have the metric: %s, %v", before, err)
	}
	shown := casebook(t, dir, "case", "show", "--verbose")
	shown.want(t, 0, "prometheus.txt", "during")
	narrow(t, shown.out)
}

// Who names a page of request metrics is told when it has none that are known by name: rules on requests are silent
// then.
func TestWatchPageWithoutRequests(t *testing.T) {
	t.Parallel()
	var waiting atomic.Int64
	page := metricsPage(t, &waiting)
	for _, json := range []string{"--json=false", "--json"} {
		b := begin(t, t.TempDir(), "watch", json, "--for", "1s", "--interval", "200ms", "--http-metrics", page,
			start(t))
		b.wait(t).want(t, 0, page+" has none of the metrics of requests that are known by name, or none yet; ")
	}
}

// A number of the target's expvar page is a signal, too. For a counter it is its rate.
func TestWatchExpvar(t *testing.T) {
	t.Parallel()
	url, dir := start(t, "-contend"), t.TempDir()
	rules := write(t, "rules.json", `{"schema":1,"rules":[
	  {"name":"served","warmup":"-1s","capture":["goroutine"],"when":{"signal":"served_total","above":1}}]}`)
	r := casebook(t, dir, "watch", "--once", "--for", "10m", "--interval", "200ms", "--rules", rules, "--expvar", url,
		"--var", "served_total", url)
	r.want(t, 0, "rule served tripped: served_total was")
	if c := onlyCase(t, filepath.Join(dir, "casebook-cases")).Case; c.Trigger.Signal != "served_total" ||
		c.Trigger.Value <= 1 {
		t.Errorf("the trigger is %+v", c.Trigger)
	}
}

// A capture by hand has the page and the labels.
func TestCaptureWithPage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var waiting atomic.Int64
	waiting.Store(12)
	casebook(t, dir, "capture", "--before", "0s", "--kinds", "heap", "--prometheus", metricsPage(t, &waiting),
		"--metric", "jobs_waiting",
		"--service", "shop", "--label", "zone=eu-1,tier=gold", start(t)).want(t, 0, "watching shop", "prometheus.txt")
	f := onlyCase(t, filepath.Join(dir, "casebook-cases"))
	if got := kindsOf(f.Case, casefile.During); !strings.Contains(got, "prometheus") ||
		strings.Contains(got, "goroutine") {
		t.Errorf("taken during: %s", got)
	}
	casebook(t, dir, "case", "show").want(t, 0, "Target   shop", "Labels   tier=gold, zone=eu-1")
}

// What somebody puts into a case cannot change the terminal of the person who reads it.
func TestCaseShowIsHarmless(t *testing.T) {
	t.Parallel()
	const evil = "\x1b]0;title\x07\x1b[2Jgone\u202e\r\n"
	dir := t.TempDir()
	w, err := casefile.Dir(dir).Create(casefile.Case{
		Target: casefile.Target{Name: "victim" + evil, URL: "http://x/" + evil,
			Labels: map[string]string{"zone" + evil: evil}},
		Trigger: casefile.Trigger{Rule: "gc-cpu", Text: evil},
	})
	if err != nil {
		t.Fatal(err)
	}
	e := casefile.Evidence{File: "notes.txt", Kind: casefile.CPU, Phase: casefile.During, Note: evil, Pause: 0.0021}
	if err := w.Add(e, []byte("x")); err != nil {
		t.Fatal(err)
	}
	w.Missing(casefile.Heap, casefile.During, evil)
	f, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"case", "show", "--verbose", f.Path}, {"case", "ls", "--dir", dir}} {
		r := casebook(t, dir, args...)
		r.want(t, 0, "victim")
		if i := strings.IndexAny(r.out, "\x1b\x07\r\u202e"); i >= 0 {
			t.Errorf("%v prints what a terminal obeys: %q", args, r.out[i:])
		}
	}
	casebook(t, dir, "case", "show", "--verbose", f.Path).want(t, 0, "stopped the world for 2.1 ms at most")
	if _, err := os.Stat(f.Path); err != nil {
		t.Error(err)
	}
}
