package server

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/access"
	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/fleet"
	"github.com/gocasebook/casebook/app/store"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/victimtest"
)

// patience is how long a busy machine may take for what takes a second.
const patience = 2 * time.Minute

func await(t *testing.T, what string, test func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !test(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited %s for %s", patience, what)
		}
	}
}

// A safeLog can be read while others write.
type safeLog struct {
	mu sync.Mutex // guards b
	b  bytes.Buffer
}

func (l *safeLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *safeLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// A live server listens, has a store, and watches targets.
type live struct {
	*Server
	store *store.Store
	dir   string
	url   string
	log   safeLog
	stop  func() // ends it, and waits
}

// goLive starts a server that watches targets, as casebook serve does.
func goLive(t *testing.T, change func(*Config), targets ...casework.WatchTarget) *live {
	t.Helper()
	dir := t.TempDir()
	st, err := store.Open(t.Context(), store.Config{Index: "sqlite:" + filepath.Join(dir, "index.db"),
		Blobs: filepath.Join(dir, "blobs"), Scratch: filepath.Join(dir, "scratch")})
	if err != nil {
		t.Fatal(err)
	}
	lv := &live{store: st, dir: dir}
	log := slog.New(slog.NewTextHandler(&lv.log, nil))
	f, err := fleet.New(fleet.Config{Targets: func() ([]casework.WatchTarget, error) { return targets, nil }, Store: st,
		Dir: filepath.Join(dir, "watch"), Log: log, Refresh: 100 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	cfg := Config{Cases: st, Keeper: st, Fleet: f, Secret: ours, Desk: access.NewDesk(ours, func(string) {}),
		Page: drawPage, Log: log}
	if change != nil {
		change(&cfg)
	}
	if lv.Server, err = New(cfg); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	l := listen(t)
	lv.url = "http://" + l.Addr().String()
	var work sync.WaitGroup
	work.Go(func() { f.Run(ctx) })
	work.Go(func() {
		if err := lv.Serve(ctx, l, nil); err != nil {
			t.Errorf("serving: %v", err)
		}
	})
	lv.stop = sync.OnceFunc(func() {
		cancel()
		work.Wait()
	})
	t.Cleanup(func() {
		lv.stop()
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	return lv
}

func watched(t *testing.T, service string, args ...string) casework.WatchTarget {
	addr, _ := victimtest.Start(t, victim, args...)
	return casework.WatchTarget{Target: casework.Target{URL: "http://" + addr, Service: service},
		Interval: 100 * time.Millisecond, Profile: time.Second}
}

// do sends a request, with a body of JSON if there is one, and with the secret.
func (lv *live) do(t *testing.T, method, path, body string, header ...string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, lv.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+ours.Token())
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(text)
}

// get reads JSON.
func (lv *live) get(t *testing.T, path string, v any) {
	t.Helper()
	resp, text := lv.do(t, "GET", path, "")
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("%s answered %d %s", path, resp.StatusCode, text)
	}
	if err := json.Unmarshal([]byte(text), v); err != nil {
		t.Fatalf("%s: %v in %s", path, err, text)
	}
}

// awaitWatched waits until all targets are watched, and returns them.
func (lv *live) awaitWatched(t *testing.T, n int) []fleet.Target {
	t.Helper()
	var got struct{ Targets []fleet.Target }
	await(t, "the targets", func() bool {
		lv.get(t, "/api/v1/targets", &got)
		ready := 0
		for _, x := range got.Targets {
			if x.State == fleet.Watched {
				ready++
			}
		}
		return ready == n
	})
	return got.Targets
}

func (lv *live) awaitCapture(t *testing.T, id string, want store.State) store.Capture {
	t.Helper()
	var c store.Capture
	await(t, "capture "+id, func() bool {
		lv.get(t, "/api/v1/captures/"+id, &c)
		return c.State == want
	})
	return c
}

// Capture now: the answer comes at once, and what became of it can be followed to the case.
func TestCaptureNow(t *testing.T) {
	lv := goLive(t, nil, watched(t, "shop"))
	id := lv.awaitWatched(t, 1)[0].ID
	resp, text := lv.do(t, "POST", "/api/v1/targets/"+id+"/captures", `{"reason":"slow since <b>14:00</b>"}`)
	var asked store.Capture
	if err := json.Unmarshal([]byte(text), &asked); err != nil || resp.StatusCode != http.StatusAccepted ||
		resp.Header.Get("Location") != "/api/v1/captures/"+asked.ID || asked.State != store.Waiting {
		t.Fatalf("asking for a capture: %d %s, %v", resp.StatusCode, text, err)
	}
	done := lv.awaitCapture(t, asked.ID, store.Done)
	var c casefile.Case
	lv.get(t, "/api/v1/cases/"+done.Case, &c)
	if c.Trigger.Text != "slow since <b>14:00</b> (this machine)" || c.Target.Name != "shop" || len(c.Evidence) < 5 {
		t.Errorf("the case is %+v with %d pieces of evidence", c.Trigger, len(c.Evidence))
	}
	resp, _ = lv.do(t, "POST", "/targets/"+id+"/capture", "reason=by+hand", "Content-Type",
		"application/x-www-form-urlencoded")
	if resp.StatusCode != http.StatusSeeOther || resp.Header.Get("Location") != "/service?name=shop" {
		t.Errorf("the form answered %d, to %q", resp.StatusCode, resp.Header.Get("Location"))
	}
	var list struct{ Captures []store.Capture }
	lv.get(t, "/api/v1/captures?target="+id, &list)
	if len(list.Captures) != 2 {
		t.Errorf("the captures are %+v", list.Captures)
	}
	for _, c := range []struct {
		id, body string
		want     int
	}{{"none", "", 404}, {id, "hello", 400}, {id, `{"reason": 1}`, 400}} {
		resp, text := lv.do(t, "POST", "/api/v1/targets/"+c.id+"/captures", c.body)
		if resp.StatusCode != c.want {
			t.Errorf("%+v is answered %d %s", c, resp.StatusCode, text)
		}
	}
	lv.awaitCapture(t, list.Captures[0].ID, store.Done) // the watch must not be ended in the middle
}

// A rule that did not fire says why, and a signal that is not there, too.
func TestRuleStatus(t *testing.T) {
	lv := goLive(t, nil, watched(t, "shop"))
	id := lv.awaitWatched(t, 1)[0].ID
	var st fleet.Status
	await(t, "rules with their reasons", func() bool {
		lv.get(t, "/api/v1/targets/"+id, &st)
		return len(st.Vitals) > 5 && len(st.Rules) > 5 && st.Rules[0].Reason != "no sample yet"
	})
	for _, r := range st.Rules {
		if r.Name == "" || r.Reason == "" {
			t.Errorf("a rule without its reason: %+v", r)
		}
	}
	if st.Absent["sched_latency_p99"] == "" {
		t.Errorf("what cannot be read from outside has no reason: %v", st.Absent)
	}
}

// A stream reads events of the server.
type eventReader struct {
	resp *http.Response
	scan *bufio.Scanner
}

func (lv *live) stream(t *testing.T, id string) *eventReader {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "GET", lv.url+"/api/v1/targets/"+id+"/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+ours.Token())
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = resp.Body.Close() })
	if resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("the stream answers %s, %v", resp.Status, resp.Header)
	}
	scan := bufio.NewScanner(resp.Body)
	scan.Buffer(nil, 1<<20)
	return &eventReader{resp, scan}
}

// next returns the next event: its name and its data. It is "" at the end.
func (s *eventReader) next() (event, data string) {
	for s.scan.Scan() {
		switch name, value, _ := strings.Cut(s.scan.Text(), ": "); name {
		case "event":
			event = value
		case "data":
			data = value
		case "":
			return event, data
		}
	}
	return "", ""
}

// Vitals and events come as they happen.
func TestStream(t *testing.T) {
	lv := goLive(t, nil, watched(t, "shop"))
	id := lv.awaitWatched(t, 1)[0].ID
	s := lv.stream(t, id)
	var times []time.Time
	for len(times) < 3 {
		event, data := s.next()
		var st fleet.Status
		if event != "status" || json.Unmarshal([]byte(data), &st) != nil || st.ID != id {
			t.Fatalf("the stream sent %q %s", event, data)
		}
		if n := len(times); len(st.Vitals) > 0 && (n == 0 || st.Time.After(times[n-1])) {
			times = append(times, st.Time)
		}
	}
	_, _ = lv.do(t, "POST", "/api/v1/targets/"+id+"/captures", "")
	seen := map[string]bool{}
	for !seen["case"] {
		event, data := s.next()
		if event == "" {
			t.Fatalf("the stream ended after %v", seen)
		}
		var line casework.Line
		if event != "event" {
			continue
		}
		if err := json.Unmarshal([]byte(data), &line); err != nil || line.Path != "" {
			t.Fatalf("the event %s: %v; a path of the server is nobody's business", data, err)
		}
		seen[string(line.Event)] = true
	}
	if !seen["captured"] {
		t.Errorf("the stream had %v, want captured, too", seen)
	}
}

// A stream does not keep the server from ending.
func TestStreamEndsWithTheServer(t *testing.T) {
	lv := goLive(t, nil, watched(t, "shop"))
	s := lv.stream(t, lv.awaitWatched(t, 1)[0].ID)
	s.next()
	began := time.Now()
	lv.stop()
	for event := "status"; event != ""; {
		event, _ = s.next()
	}
	if took := time.Since(began); took >= closingTime {
		t.Errorf("the server ended after %s; it waited for the stream", took)
	}
}

// alertOf is a webhook of Alertmanager about a service.
func alertOf(status, service, start string) string {
	return `{"version":"4","status":"` + status + `","alerts":[{"status":"` + status + `","labels":{"alertname":"Slow",
	"job":"` + service + `"},"annotations":{"summary":"p99 is 2 s"},"startsAt":"` + start + `",
	"endsAt":"0001-01-01T00:00:00Z","fingerprint":"1a30ba71cca2921f"}],"newField":1}`
}

func (lv *live) alert(t *testing.T, path, body string) Accepted {
	t.Helper()
	resp, text := lv.do(t, "POST", path, body)
	var a Accepted
	if err := json.Unmarshal([]byte(text), &a); err != nil || resp.StatusCode != http.StatusAccepted {
		t.Fatalf("the webhook is answered %d %s", resp.StatusCode, text)
	}
	return a
}

// An alert becomes one case, however often it is sent, and its end is noted there.
func TestAlerts(t *testing.T) {
	lv := goLive(t, nil, watched(t, "shop"))
	lv.awaitWatched(t, 1)
	const am = "/api/v1/alerts/alertmanager"
	start := time.Now().UTC().Format(time.RFC3339)
	firing := alertOf("firing", "shop", start)
	if got := lv.alert(t, am, firing); got != (Accepted{Asked: 1}) {
		t.Errorf("the first time: %+v", got)
	}
	if got := lv.alert(t, am, firing); got != (Accepted{Known: 1}) {
		t.Errorf("the second time: %+v", got)
	}
	if got := lv.alert(t, am, alertOf("firing", "mail", start)); got != (Accepted{Unmatched: 1}) {
		t.Errorf("about something else: %+v", got)
	}
	var list struct{ Captures []store.Capture }
	lv.get(t, "/api/v1/captures", &list)
	if len(list.Captures) != 1 || list.Captures[0].Source != "alertmanager" {
		t.Fatalf("the captures are %+v", list.Captures)
	}
	done := lv.awaitCapture(t, list.Captures[0].ID, store.Done)
	if got := lv.alert(t, am, alertOf("resolved", "shop", start)); got != (Accepted{Ended: 1}) {
		t.Errorf("the end: %+v", got)
	}
	var c casefile.Case
	lv.get(t, "/api/v1/cases/"+done.Case, &c)
	if !strings.HasPrefix(c.Trigger.Text, "alert Slow (Alertmanager): p99 is 2 s") || c.Trigger.Ended.IsZero() {
		t.Errorf("the case says %+v", c.Trigger)
	}
	for body, want := range map[string]int{"hello": 422, `{"version":"5"}`: 422, strings.Repeat(" ", 3<<20): 413} {
		if resp, text := lv.do(t, "POST", am, body); resp.StatusCode != want {
			t.Errorf("%.20q is answered %d %s, want %d", body, resp.StatusCode, text, want)
		}
	}
}

// What Alertmanager and Grafana publish of their webhooks is taken in, and captures from the target that it names.
func TestPublishedWebhooks(t *testing.T) {
	one := watched(t, "http_checks")
	two := watched(t, "memory")
	two.Labels = map[string]string{"zone": "us-1"}
	lv := goLive(t, nil, one, two)
	lv.awaitWatched(t, 2)
	for _, c := range []struct {
		file, path string
		want       Accepted
	}{
		{"alertmanager-v4.json", "/api/v1/alerts/alertmanager", Accepted{Asked: 1}},
		{"alertmanager-v4-old.json", "/api/v1/alerts/alertmanager", Accepted{Unmatched: 1}},
		{"grafana-v1.json", "/api/v1/alerts/grafana", Accepted{Asked: 1, Unmatched: 1}},
	} {
		body, err := os.ReadFile("../alert/testdata/" + c.file)
		if err != nil {
			t.Fatal(err)
		}
		if got := lv.alert(t, c.path, string(body)); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.file, got, c.want)
		}
	}
	var list struct{ Captures []store.Capture }
	lv.get(t, "/api/v1/captures", &list)
	for _, asked := range list.Captures {
		done := lv.awaitCapture(t, asked.ID, store.Done)
		if want := map[string]string{"alertmanager": "http_checks", "grafana": "memory"}[asked.Source]; done.Service != want {
			t.Errorf("%s's alert captured from %s, want %s", asked.Source, done.Service, want)
		}
	}
}

// Proofs are added by machines, and read by people.
func TestProofRoutes(t *testing.T) {
	sv := newServed(t, nil)
	c, zip := newCase(t, "shop")
	wantCode(t, sv.ask("PUT", "/api/v1/cases/"+c.ID, zip), http.StatusCreated)
	at := "/api/v1/cases/" + c.ID + "/proofs"
	const proof = `{"kind":"casebook-proof","schema":1,"proof":{"taken":"2026-11-27T10:00:00Z","verdict":"better",
		"summary":"p99 fell by 40 %","method":"m","load":"l","figures":[{"name":"p99","unit":"s","better":"lower"}]}}`
	wantCode(t, sv.ask("POST", at, []byte(proof)), http.StatusCreated)
	wantCode(t, sv.ask("POST", at, []byte(proof)), http.StatusOK)
	wantCode(t, sv.ask("POST", at, []byte(`{"verdict":"best"}`)), http.StatusUnprocessableEntity)
	wantCode(t, sv.ask("POST", "/api/v1/cases/20261121T132512Z-gc-cpu-000000/proofs", []byte(proof)), http.StatusNotFound)
	var list struct{ Proofs []store.Proof }
	readJSON(t, sv.ask("GET", at, nil), &list)
	if len(list.Proofs) != 1 || list.Proofs[0].Summary != "p99 fell by 40 %" || list.Proofs[0].Case != c.ID {
		t.Errorf("the proofs are %+v", list.Proofs)
	}
	if w := sv.ask("GET", "/cases/"+c.ID, nil); !strings.Contains(w.Body.String(), "p99 fell by 40 %") {
		t.Error("the page of the case does not show its proof")
	}
}

// The page of a service has what is known of it without a script, and everything is text.
func TestServicePage(t *testing.T) {
	const name = `shop"><script>alert(1)</script>`
	one := watched(t, name)
	one.Labels = map[string]string{`<img src=x onerror=alert(2)>`: `<script>alert(3)</script>`}
	lv := goLive(t, nil, one)
	id := lv.awaitWatched(t, 1)[0].ID
	at := "/service?" + url.Values{"name": {name}}.Encode()
	var page string
	await(t, "a page with vitals and rules", func() bool {
		_, page = lv.do(t, "GET", at, "")
		return strings.Contains(page, `data-name="goroutines"`) && strings.Contains(page, `data-name="gc-cpu"`)
	})
	for _, want := range []string{"Capture now", "/targets/" + id + "/capture", "No cases yet", "/assets/live.js"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	_, overview := lv.do(t, "GET", "/", "")
	for _, text := range []string{page, overview} {
		for _, bad := range []string{"<script>alert", "<img src=x", "onclick", "style="} {
			if strings.Contains(text, bad) {
				t.Errorf("a page has %q in it", bad)
			}
		}
	}
	if !strings.Contains(overview, `href="/service?name=shop%22%3e%3cscript`) {
		t.Errorf("the overview has no link to the service:\n%s", overview)
	}
	if resp, _ := lv.do(t, "GET", "/service?name=nobody", ""); resp.StatusCode != http.StatusNotFound {
		t.Errorf("a service that is not there is answered %d", resp.StatusCode)
	}
	if _, text := lv.do(t, "GET", "/metrics", ""); !strings.Contains(text, `casebook_targets{state="watched"} 1`) {
		t.Errorf("the metrics lack the targets:\n%s", text)
	}
}
