package server

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/flate"
	"context"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/app/browsertest"
	"github.com/gocasebook/casebook/app/store"
	"github.com/gocasebook/casebook/casefile"
)

// These attack a server that listens, over real connections. Each is refused, or survived: the server answers the next.
// Attacks by the addresses of targets are in app/fleet (TestServerSideRequestForgery).

// raw sends bytes and returns the first line of the answer.
func (lv *live) raw(t *testing.T, text string) string {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(lv.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.WriteString(c, text) }() // the server may answer before it has read all
	line, _ := bufio.NewReader(c).ReadString('\n')
	return strings.TrimSpace(line)
}

func (lv *live) wantAlive(t *testing.T) {
	t.Helper()
	if resp, text := lv.do(t, "GET", "/readyz", ""); resp.StatusCode != http.StatusOK {
		t.Fatalf("the server answers %d %s", resp.StatusCode, text)
	}
}

func TestAttackRequests(t *testing.T) {
	lv := goLive(t, func(c *Config) { c.Hosts = []string{"cases.example"} }, watched(t, "shop"))
	id := lv.awaitWatched(t, 1)[0].ID
	c, packed := newCase(t, "shop")
	if resp, text := lv.do(t, "PUT", "/api/v1/cases/"+c.ID, string(packed)); resp.StatusCode != 201 {
		t.Fatal(resp.StatusCode, text)
	}
	at, token := "/api/v1/cases/"+c.ID+"/evidence/", "Authorization: Bearer "+ours.Token()+"\r\n"
	get := func(path string, lines ...string) string {
		return "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n" + token + strings.Join(lines, "") +
			"\r\n"
	}
	post := func(path, body string, lines ...string) string {
		return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: %d\r\n%s%s\r\n%s",
			path, len(body), token, strings.Join(lines, ""), body)
	}
	const (
		crossSite = "Sec-Fetch-Site: cross-site\r\n"
		grafana   = "/api/v1/alerts/grafana"
		chunked   = "Transfer-Encoding: chunked\r\n"
		form      = "Content-Type: application/x-www-form-urlencoded\r\n"
	)
	alert := alertOf("firing", "shop", "2026-11-27T11:00:00Z")
	for name, a := range map[string]struct{ request, want string }{
		"traversal":                 {get(at + "../../../etc/passwd"), "301 307 404"}, // to the clean path
		"traversal, escaped":        {get(at + "..%2f..%2f..%2fetc%2fpasswd"), "404"},
		"traversal, escaped twice":  {get(at + "%252e%252e%252fetc%252fpasswd"), "404"},
		"traversal by backslashes":  {get(at + `..\..\etc\passwd`), "404"},
		"an absolute path":          {get(at + "%2fetc%2fpasswd"), "404"},
		"a NUL in a name":           {get(at + "cpu.pb.gz%00.txt"), "404"},
		"an asset elsewhere":        {get("/assets/..%2f..%2fserver.go"), "404"},
		"a case elsewhere":          {get("/api/v1/cases/..%2f..%2f..%2fetc"), "404"},
		"a target elsewhere":        {get("/api/v1/targets/..%2f" + id), "404"},
		"a header of 1 MB":          {get("/", "X: "+strings.Repeat("a", 1<<20)+"\r\n"), "431"},
		"100,000 headers":           {get("/", strings.Repeat("a: b\r\n", 100_000)), "431"},
		"an address of 1 MB":        {get("/" + strings.Repeat("a", 1<<20)), "431"},
		"a forged Host":             {strings.Replace(get("/"), "Host: 127.0.0.1", "Host: evil.example", 1), "421"},
		"a Host that begins well":   {strings.Replace(get("/"), "127.0.0.1", "127.0.0.1.evil.example", 1), "421"},
		"a Host that ends well":     {strings.Replace(get("/"), "127.0.0.1", "evil-cases.example", 1), "421"},
		"two Hosts":                 {get("/", "Host: evil.example\r\n"), "400"},
		"a Host in the address":     {get("http://evil.example/"), "421"},
		"no Host":                   {"GET / HTTP/1.0\r\n\r\n", "421"},
		"two lengths":               {post("/api/v1/alerts/grafana", "{}", "Content-Length: 100\r\n"), "400"},
		"a length and chunks":       {post(grafana, "0\r\n\r\n", chunked+"Transfer-Encoding: x\r\n"), "501 400"},
		"a capture by another site": {post("/api/v1/targets/"+id+"/captures", "", crossSite), "403"},
		"a form by another site":    {post("/targets/"+id+"/capture", "reason=x", crossSite, form), "403"},
		"a form by an old browser":  {post("/targets/"+id+"/capture", "reason=x", "Origin: https://evil.example\r\n"), "403"},
		"a form by a sandbox":       {post("/targets/"+id+"/capture", "reason=x", "Origin: null\r\n"), "403"},
		"an alert by another site":  {post("/api/v1/alerts/alertmanager", alert, crossSite), "403"},
		"a proof by another site":   {post("/api/v1/cases/"+c.ID+"/proofs", "{}", crossSite), "403"},
		"an alert of 3 MB":          {post("/api/v1/alerts/alertmanager", strings.Repeat(" ", 3<<20)), "413"},
		"a deep alert":              {post("/api/v1/alerts/alertmanager", strings.Repeat("[", 1<<20)), "422"},
		"a reason of 1 MB":          {post("/api/v1/targets/"+id+"/captures", `{"reason":"`+strings.Repeat("a", 1<<20)), "400"},
		"a proof of 10 MB":          {post("/api/v1/cases/"+c.ID+"/proofs", strings.Repeat(" ", 10<<20)), "413"},
		"no HTTP":                   {"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 hello\r\n\r\n", "400"},
		"another method":            {strings.Replace(get("/"), "GET", "TRACE", 1), "405"},
		"a tunnel":                  {strings.Replace(get("127.0.0.1:22"), "GET", "CONNECT", 1), "400 404 405 421"},
	} {
		t.Run(name, func(t *testing.T) {
			code := "no answer"
			if words := strings.Fields(lv.raw(t, a.request)); len(words) > 1 {
				code = words[1]
			}
			if !strings.Contains(" "+a.want+" ", " "+code+" ") {
				t.Errorf("answered %s, want %s", code, a.want)
			}
			lv.wantAlive(t)
		})
	}
	var list struct{ Captures []store.Capture }
	if lv.get(t, "/api/v1/captures", &list); len(list.Captures) != 0 {
		t.Errorf("attacks made captures: %+v", list.Captures)
	}
}

// An alert cannot make the server ask another address: labels choose among the targets that are watched.
func TestAttackByLabels(t *testing.T) {
	lv := goLive(t, nil, watched(t, "shop"))
	lv.awaitWatched(t, 1)
	for _, to := range []string{"http://169.254.169.254/", "http://127.0.0.1:1/", "file:///etc/passwd"} {
		body := fmt.Sprintf(`{"version":"4","alerts":[{"status":"firing","labels":{"casebook_target":%q,"job":"shop"},
			"startsAt":"2026-11-27T11:00:00Z"}]}`, to)
		if got := lv.alert(t, "/api/v1/alerts/alertmanager", body); got != (Accepted{Unmatched: 1}) {
			t.Errorf("%s: %+v", to, got)
		}
	}
	if n := len(lv.awaitWatched(t, 1)); n != 1 {
		t.Errorf("%d targets are watched, want 1", n)
	}
}

// Every route but those that anybody may ask refuses who has no token, a wrong one, or one of too low a role.
func TestAttackTokens(t *testing.T) {
	lv := goLive(t, nil)
	tokens := map[store.Role]string{}
	for _, role := range []store.Role{store.Viewer, store.Uploader, store.Operator} {
		var err error
		if tokens[role], err = lv.store.CreateToken(t.Context(), string(role), role); err != nil {
			t.Fatal(err)
		}
	}
	lower := map[store.Role]store.Role{store.Uploader: store.Viewer, store.Operator: store.Uploader}
	fill := strings.NewReplacer("{id}", "20261121T132512Z-gc-cpu-000000", "{file...}", "cpu.pb.gz", "{rest...}",
		"cpu.pb.gz/top", "{$}", "",
		"{file}", "page.css")
	open := 0
	for _, r := range lv.table() {
		path := fill.Replace(r.path)
		if r.role == "" {
			open++
			continue
		}
		for name, c := range map[string]struct {
			token string
			want  int
		}{"none": {"", 401}, "a wrong one": {"Bearer casebook_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", 401},
			"half of one": {"Bearer " + tokens[store.Operator][:20], 401}, "an empty one": {"Bearer ", 401},
			"its hash": {"Bearer %", 401}, "too low a role": {"Bearer " + tokens[lower[r.role]], 403}} {
			if name == "too low a role" && lower[r.role] == "" {
				continue
			}
			resp, _ := lv.do(t, r.method, path, "", "Authorization", c.token)
			if resp.StatusCode != c.want {
				t.Errorf("%s %s with token %q: answered %d, want %d", r.method, r.path, name, resp.StatusCode, c.want)
			}
		}
		resp, _ := lv.do(t, r.method, path, "", "Authorization", "Bearer "+tokens[store.Operator])
		if resp.StatusCode == 401 || resp.StatusCode == 403 {
			t.Errorf("%s %s refuses an operator: %d", r.method, r.path, resp.StatusCode)
		}
	}
	if open != 5 { // health, readiness, links of the Desk, assets, the description of the API
		t.Errorf("%d routes are open to everybody", open)
	}
	for _, token := range tokens {
		if strings.Contains(lv.log.String(), token) {
			t.Error("the log has a token in it")
		}
	}
}

// repacked is a case's zip in which change has written files anew.
func repacked(t *testing.T, in []byte, change func(name string, r io.Reader, w io.Writer) error) string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(in), int64(len(in)))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	to := zip.NewWriter(&out)
	// the race detector makes the usual level take a minute
	to.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(w, flate.BestSpeed)
	})
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		w, err := to.CreateHeader(&zip.FileHeader{Name: f.Name, Method: zip.Deflate})
		if err == nil {
			err = change(f.Name, r, w)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// zeros writes much that packs into little.
func zeros(w io.Writer, megabytes int) error {
	piece := make([]byte, 1<<20)
	for range megabytes {
		if _, err := w.Write(piece); err != nil {
			return err
		}
	}
	return nil
}

// A zip that unpacks into far more than it says is refused, and leaves nothing behind, in memory or on disk.
func TestAttackZipBombs(t *testing.T) {
	lv := goLive(t, nil)
	c, packed := newCase(t, "shop")
	const size = 300 // MB
	for name, change := range map[string]func(name string, r io.Reader, w io.Writer) error{
		"evidence": func(name string, r io.Reader, w io.Writer) error {
			if strings.HasSuffix(name, "cpu.pb.gz") {
				return zeros(w, size)
			}
			_, err := io.Copy(w, r)
			return err
		},
		"case.json": func(name string, r io.Reader, w io.Writer) error {
			if strings.HasSuffix(name, "case.json") {
				if err := zeros(w, size); err != nil {
					return err
				}
			}
			_, err := io.Copy(w, r)
			return err
		},
		"a case.json of spaces": func(name string, r io.Reader, w io.Writer) error {
			data, err := io.ReadAll(r)
			if strings.HasSuffix(name, "case.json") {
				data = append(data, bytes.Repeat([]byte(" "), size<<20)...)
			}
			_, err2 := w.Write(data)
			if err == nil {
				err = err2
			}
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			body := repacked(t, packed, change)
			runtime.GC()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			resp, text := lv.do(t, "PUT", "/api/v1/cases/"+c.ID, body)
			runtime.ReadMemStats(&after)
			if resp.StatusCode != http.StatusUnprocessableEntity {
				t.Errorf("a bomb of %d bytes is answered %d %s", len(body), resp.StatusCode, text)
			}
			if grown := after.TotalAlloc - before.TotalAlloc; grown > size<<20/2 {
				t.Errorf("the server allocated %d MB for it", grown>>20)
			}
			lv.wantAlive(t)
		})
	}
	var left int64
	err := filepath.WalkDir(lv.dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			left += info.Size()
		}
		return err
	})
	if err != nil || left > 10<<20 {
		t.Errorf("%d bytes are left on disk, %v", left, err)
	}
}

// Senders that are slow on purpose are cut off, and others are answered meanwhile.
func TestAttackSlowClients(t *testing.T) {
	t.Parallel() // it mostly waits: for headerTime, and for stallTime
	lv := goLive(t, nil)
	_, packed := newCase(t, "shop")
	c, _ := newCase(t, "shop")
	header := "PUT /api/v1/cases/" + c.ID + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " + ours.Token() +
		"\r\nContent-Length: 1000000\r\n\r\n"
	var group sync.WaitGroup
	for i := range 40 {
		text, name := "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ", "a header without an end"
		if i%2 == 1 {
			text, name = header+string(packed[:100]), "a body without an end"
		}
		group.Go(func() {
			conn, err := net.Dial("tcp", strings.TrimPrefix(lv.url, "http://"))
			if err != nil {
				t.Error(err)
				return
			}
			defer conn.Close()
			if _, err := io.WriteString(conn, text); err != nil {
				t.Error(err)
				return
			}
			began := time.Now()
			if err := conn.SetReadDeadline(began.Add(patience)); err != nil {
				t.Error(err)
			}
			if _, err := io.Copy(io.Discard, conn); err != nil && os.IsTimeout(err) {
				t.Errorf("%s holds a connection for %s", name, time.Since(began))
			}
		})
	}
	ended := make(chan struct{})
	go func() {
		group.Wait()
		close(ended)
	}()
	for {
		select {
		case <-ended:
			return
		case <-time.After(time.Second):
			lv.wantAlive(t)
		}
	}
}

// connections is how many an attacker opens; docs/evidence/serve.md has the figures of ten thousand.
func connections(t *testing.T) int {
	t.Helper()
	n := maxConns + 200
	if text := os.Getenv("CASEBOOK_CONNECTIONS"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			t.Fatalf("CASEBOOK_CONNECTIONS: %v", err)
		}
	}
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil || limit.Cur < uint64(n+maxConns+500) {
		t.Skipf("%d files may be open (%v), and this test needs %d: ulimit -n", limit.Cur, err, n+maxConns+500)
	}
	return n
}

// More connections than the server takes, which say nothing and do not leave: it ends them by itself, and answers who
// came after them.
func TestAttackManyConnections(t *testing.T) {
	n := connections(t)
	lv := goLive(t, nil)
	addr := strings.TrimPrefix(lv.url, "http://")
	ctx, leave := context.WithCancel(t.Context())
	var all sync.WaitGroup
	defer all.Wait()
	defer leave()
	var connected, refused atomic.Int64
	for range n {
		all.Go(func() {
			c, err := (&net.Dialer{}).DialContext(ctx, "tcp", addr)
			if err != nil {
				refused.Add(1)
				return
			}
			connected.Add(1)
			<-ctx.Done()
			_ = c.Close()
		})
	}
	await(t, "more connections than the server takes", func() bool { return connected.Load() > maxConns })
	began := time.Now()
	req, err := http.NewRequestWithContext(ctx, "GET", lv.url+"/readyz", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(req)
	if err != nil {
		t.Fatalf("behind %d connections nobody is answered: %v", connected.Load(), err)
	}
	_ = resp.Body.Close()
	t.Logf("attack: %d connections, %d of them made, %d refused: the next one is answered after %s", n,
		connected.Load(), refused.Load(), time.Since(began).Round(time.Second))
	lv.wantAlive(t)
}

// hostile is what an attacker writes wherever a name goes.
const hostile = `"'><img src=x onerror="window.hacked=1"><script>window.hacked=1</script>{{.}}</title></style></script>`

// hostileProfile has it in every name of a profile.
func hostileProfile(t *testing.T) []byte {
	t.Helper()
	f := &profile.Function{ID: 1, Name: "main." + hostile, SystemName: hostile, Filename: hostile}
	m := &profile.Mapping{ID: 1, Start: 1, Limit: 1000, File: hostile, BuildID: hostile, HasFunctions: true}
	l := &profile.Location{ID: 1, Mapping: m, Address: 10, Line: []profile.Line{{Function: f, Line: 7}}}
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"},
		{Type: "cpu", Unit: "nanoseconds"}},
		PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}, Period: 10_000_000, DurationNanos: 10_000_000_000,
		Sample: []*profile.Sample{{Location: []*profile.Location{l, l}, Value: []int64{500, 5_000_000_000},
			Label: map[string][]string{hostile: {hostile}}}},
		Mapping: []*profile.Mapping{m}, Location: []*profile.Location{l}, Function: []*profile.Function{f},
		Comments: []string{hostile}}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// hostileCase has it in every text of a case.
func hostileCase(t *testing.T) (casefile.Case, []byte) {
	t.Helper()
	at := time.Date(2026, 11, 21, 13, 25, 12, 0, time.UTC)
	where := []casefile.Frame{{Function: hostile, File: hostile, Line: 7, Share: 0.5}}
	w, err := casefile.Dir(t.TempDir()).Create(casefile.Case{Schema: casefile.Schema, ID: casefile.NewID(at, "gc-cpu"),
		Opened: at, Tool: hostile,
		Target: casefile.Target{Name: hostile, URL: hostile, Labels: map[string]string{hostile: hostile},
			Build: casefile.Build{Path: hostile, Module: hostile, Version: hostile, Revision: hostile, GoVersion: hostile}},
		Trigger: casefile.Trigger{Rule: hostile, Time: at, Text: hostile, Signal: hostile, Value: 1, Unit: hostile},
		Also:    []casefile.Trigger{{Rule: hostile, Time: at, Text: hostile}},
		Missing: []casefile.Missing{{Kind: hostile, Reason: hostile}},
		Diagnosis: casefile.Diagnosis{Findings: []casefile.Finding{{ID: hostile, Kind: hostile, Score: 80, Confidence: 1,
			Title: hostile, Summary: hostile, Explanation: hostile, Where: where,
			Remedies: []casefile.Remedy{{Title: hostile, Text: hostile}}}}},
		Proof: &casefile.Proof{Taken: at, Verdict: casefile.Better, Summary: hostile, Method: hostile, Load: hostile,
			Machine: hostile, Figures: []casefile.Figure{{Name: hostile, Unit: hostile, Better: "lower", Note: hostile}}}})
	if err != nil {
		t.Fatal(err)
	}
	err = w.Add(casefile.Evidence{Kind: casefile.CPU, File: "during/cpu.pb.gz", Phase: casefile.During, Taken: at,
		GoFormat: true}, hostileProfile(t))
	if err != nil {
		t.Fatal(err)
	}
	return committed(t, w)
}

// Texts of an attacker in profiles, labels, cases, alerts and reasons are text in a real browser.
func TestAttackPages(t *testing.T) {
	b := browse(t)
	one := watched(t, hostile)
	one.Labels = map[string]string{hostile: hostile}
	lv := goLive(t, nil, one)
	id := lv.awaitWatched(t, 1)[0].ID
	c, packed := hostileCase(t)
	if resp, text := lv.do(t, "PUT", "/api/v1/cases/"+c.ID, string(packed)); resp.StatusCode != 201 {
		t.Fatalf("the case: %d %s", resp.StatusCode, text)
	}
	reason, _ := (&url.URL{Path: hostile}).MarshalBinary()
	_, _ = lv.do(t, "POST", "/targets/"+id+"/capture", "reason="+string(reason), "Content-Type",
		"application/x-www-form-urlencoded")
	var list struct{ Captures []store.Capture }
	lv.get(t, "/api/v1/captures", &list)
	for _, c := range list.Captures {
		lv.awaitCapture(t, c.ID, store.Done)
	}
	name := url.Values{"name": {hostile}, "q": {hostile}}.Encode()
	for _, path := range []string{"/", "/?" + url.Values{"q": {hostile}, "service": {hostile}}.Encode(),
		"/service?" + name, "/cases/" + c.ID} {
		openPage(b, lv.url+path, 1280, "light")
		await(t, "the page to settle", func() bool {
			return browsertest.Eval[bool](b, `new Promise(f => requestAnimationFrame(() => f(document.readyState == 'complete')))`)
		})
		if path == "/service?"+name {
			await(t, "live vitals", func() bool { return browsertest.Eval[bool](b, `!!document.querySelector('polyline')`) })
		}
		if browsertest.Eval[bool](b, `'hacked' in window`) {
			t.Errorf("%.40s ran a script of the attacker's", path)
		}
		if n := browsertest.Eval[int](b, `document.querySelectorAll('img[src=x]').length`); n > 0 {
			t.Errorf("%.40s has %d elements of the attacker's", path, n)
		}
	}
	quiet(b, lv.url)
}

// Who reads evidence is in the log: through every route that shows some.
func TestAudit(t *testing.T) {
	lv := goLive(t, nil)
	token, err := lv.store.CreateToken(t.Context(), "ann", store.Viewer)
	if err != nil {
		t.Fatal(err)
	}
	c, packed := newCase(t, "shop")
	if _, err := lv.store.Put(context.WithoutCancel(t.Context()), store.Upload{Body: bytes.NewReader(packed)}); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/cases/" + c.ID, "/api/v1/cases/" + c.ID, "/api/v1/cases/" + c.ID + "/zip",
		"/api/v1/cases/" + c.ID + "/evidence/" + c.Evidence[0].File} {
		before := len(lv.log.String())
		if resp, text := lv.do(t, "GET", path, "", "Authorization", "Bearer "+token); resp.StatusCode != 200 {
			t.Fatal(resp.StatusCode, text)
		}
		line := lv.log.String()[before:]
		if !strings.Contains(line, "read") || !strings.Contains(line, c.ID) || !strings.Contains(line, "who=ann") {
			t.Errorf("%s: the log says %q", path, line)
		}
	}
}
