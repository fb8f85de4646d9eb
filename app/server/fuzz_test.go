package server

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/fleet"
	"github.com/gocasebook/casebook/app/store"
	"github.com/gocasebook/casebook/app/store/storetest"
	"github.com/gocasebook/casebook/casefile"
)

// These send what they like to two servers, over SQLite and over PostgreSQL. No answer may be a panic or a fault of the
// server, and both servers give the same one: the databases differ in what they take as text and as a number.

// startPostgres starts a PostgreSQL for this process; stopPostgres ends it.
var (
	startPostgres = sync.OnceValues(func() (*storetest.Postgres, error) {
		p, err := storetest.StartPostgres()
		postgresIs = p
		return p, err
	})
	postgresIs *storetest.Postgres
)

func stopPostgres() error {
	if postgresIs == nil {
		return nil
	}
	return postgresIs.Close()
}

// A pair of servers has the same case, and the same target, which does not answer.
type pair struct {
	servers [2]*Server
	stores  [2]*store.Store
	known   casefile.Case
	target  string
}

func newPair(f *testing.F) *pair {
	f.Helper()
	pg, err := startPostgres()
	if err != nil {
		f.Fatal(err)
	}
	database, err := pg.Database(f.Context())
	if err != nil {
		f.Fatal(err)
	}
	p := &pair{}
	var packed []byte
	p.known, packed = newCase(f, "shop")
	for i, index := range []string{"sqlite:" + filepath.Join(f.TempDir(), "index.db"), database} {
		p.add(f, i, index)
		if w := p.ask(i, "PUT", "/api/v1/cases/"+p.known.ID, "", packed); w.Code != http.StatusCreated {
			f.Fatalf("the first case: %d %s", w.Code, w.Body)
		}
	}
	return p
}

func (p *pair) add(f *testing.F, i int, index string) {
	f.Helper()
	dir := f.TempDir()
	st, err := store.Open(f.Context(), store.Config{Index: index, Blobs: filepath.Join(dir, "blobs"), Scratch: f.TempDir()})
	if err != nil {
		f.Fatal(err)
	}
	watch := casework.WatchTarget{Target: casework.Target{URL: "http://127.0.0.1:1", Service: "shop"}, Interval: time.Hour,
		Profile: time.Second}
	fl, err := fleet.New(fleet.Config{Targets: func() ([]casework.WatchTarget, error) {
		return []casework.WatchTarget{watch}, nil
	}, Store: st, Dir: filepath.Join(dir, "watch")})
	if err != nil {
		f.Fatal(err)
	}
	if p.servers[i], err = New(Config{Cases: st, Keeper: st, Fleet: fl, Secret: ours, Page: drawPage}); err != nil {
		f.Fatal(err)
	}
	p.stores[i] = st
	ctx, cancel := context.WithCancel(f.Context())
	var work sync.WaitGroup
	work.Go(func() { fl.Run(ctx) })
	f.Cleanup(func() {
		cancel()
		work.Wait()
		if err := st.Close(); err != nil {
			f.Error(err)
		}
	})
	for end := time.Now().Add(patience); len(fl.Targets()) == 0; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			f.Fatal("the target does not come")
		}
	}
	p.target = fl.Targets()[0].ID
}

// ask sends a request to one of the two. Neither path nor query need be well formed.
func (p *pair) ask(i int, method, path, query string, body []byte, header ...string) *httptest.ResponseRecorder {
	r := &http.Request{Method: method, URL: &url.URL{Path: path, RawQuery: query}, Host: "127.0.0.1:7070",
		RemoteAddr: "127.0.0.1:5555", Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{},
		Body: http.NoBody, ContentLength: int64(len(body)), RequestURI: path}
	if len(body) > 0 {
		r.Body = &closable{bytes.NewReader(body)}
	}
	r.Header.Set("Authorization", "Bearer "+ours.Token())
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	p.servers[i].Handler().ServeHTTP(w, r)
	return w
}

type closable struct{ *bytes.Reader }

func (closable) Close() error { return nil }

// try sends a request to both, and returns the code of their answers.
func (p *pair) try(t *testing.T, method, path, query string, body []byte, header ...string) int {
	t.Helper()
	a, b := p.ask(0, method, path, query, body, header...), p.ask(1, method, path, query, body, header...)
	for _, w := range []*httptest.ResponseRecorder{a, b} {
		if w.Code >= 500 {
			t.Errorf("%s %q ?%q: %d %s", method, path, query, w.Code, w.Body)
		}
	}
	if a.Code != b.Code {
		t.Errorf("%s %q ?%q: SQLite %d %s; PostgreSQL %d %s", method, path, query, a.Code, a.Body, b.Code, b.Body)
	}
	return a.Code
}

// emptyQueue drops captures that wait, so that there is room for the next.
func (p *pair) emptyQueue(t *testing.T) {
	t.Helper()
	for _, st := range p.stores {
		for {
			c, err := st.TakeCapture(t.Context(), "fuzz", []string{p.target}, time.Hour)
			if errors.Is(err, store.ErrNotFound) {
				break
			}
			if err == nil {
				err = st.CaptureDropped(t.Context(), c, errors.New("enough"))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}

func FuzzPaths(f *testing.F) {
	p := newPair(f)
	for _, path := range []string{"/", "/cases/" + p.known.ID, "/api/v1/cases/" + p.known.ID, "/cases/\x00", "/service",
		"/api/v1/cases/" + p.known.ID + "/evidence/during/cpu.pb.gz", "/api/v1/cases/" + p.known.ID + "/evidence/\x00\xff",
		"/api/v1/cases/20261121T132512Z-gc-cpu-000000/zip", "/api/v1/cases/\xff/proofs", "/api/v1/captures/\x00",
		"/api/v1/targets/" + p.target, "/api/v1/targets/\x00/captures", "/assets/page.css", "/assets/../server.go", "//",
		"/api/v1/openapi.json", "/metrics", "/readyz"} {
		f.Add(path, false)
		f.Add(path, true)
	}
	f.Fuzz(func(t *testing.T, path string, remove bool) {
		switch {
		case strings.HasSuffix(path, "/events"): // goes on for minutes
		case !remove:
			p.try(t, "GET", path, "", nil)
		case !strings.Contains(path, p.known.ID):
			p.try(t, "DELETE", path, "", nil)
		}
	})
}

func FuzzQueries(f *testing.F) {
	p := newPair(f)
	for _, query := range []string{"", "q=main.f+31%25&service=shop&kind=mem-leak&score=25&limit=5",
		"label=zone=a&label=b=c&from=2026-11-21T00:00:00Z&to=2027-01-01T00:00:00Z", "after=MTc2MzczMTUxMjAwMCAyMDI2",
		"service=%00", "kind=%ff", "rule=%00%ff", "label=%00=%ff", "q=%00%25_%5c", "score=99999999999", "score=-1",
		"limit=-1", "limit=2147483648", "from=0000-01-01T00:00:00Z&to=9999-12-31T23:59:59-23:59", "target=%00&limit=1",
		"name=%00", "name=shop", "nothing=1", strings.Repeat("label=a=b&", 200), "q=" + strings.Repeat("a+", 400), "%", ";"} {
		f.Add(query)
	}
	f.Fuzz(func(t *testing.T, query string) {
		for _, path := range []string{"/", "/api/v1/cases", "/api/v1/captures", "/service"} {
			p.try(t, "GET", path, query, nil)
		}
	})
}

func FuzzUpload(f *testing.F) {
	p := newPair(f)
	c, packed := newCase(f, "shop")
	f.Add(c.ID, "", packed)
	f.Add(p.known.ID, "", packed)
	f.Add(c.ID, "sha-256=:AAAA:", packed)
	f.Add("\x00", "sha-256=", packed[:len(packed)/2])
	f.Fuzz(func(t *testing.T, id, digest string, body []byte) {
		if p.try(t, "PUT", "/api/v1/cases/"+id, "", body, "Content-Digest", digest) == http.StatusCreated {
			p.readBack(t, id)
		}
	})
}

// FuzzParts sends parts of uploads. What arrived of one stays, so that the next may go on. Without a digest it is that of
// the part, which then is the whole.
func FuzzParts(f *testing.F) {
	p := newPair(f)
	c, packed := newCase(f, "shop")
	digest := func(b []byte) string { return fmt.Sprintf("%x", sha256.Sum256(b)) }
	size := strconv.Itoa(len(packed))
	f.Add(c.ID, digest(packed), "0", size, packed[:100])
	f.Add(c.ID, digest(packed), "100", size, packed[100:])
	f.Add(c.ID, "", "0", size, packed)
	f.Add(c.ID, digest(packed), "-1", "9223372036854775807", packed[:10])
	f.Add(p.known.ID, digest(packed), "0", "0", []byte{})
	f.Add("\x00", strings.Repeat("a", 64), "", "1e3", packed[:10])
	f.Fuzz(func(t *testing.T, id, sum, offset, length string, body []byte) {
		if sum == "" {
			sum = digest(body)
		}
		path := "/api/v1/cases/" + id + "/uploads/" + sum
		header := []string{"Upload-Offset", offset, "Upload-Length", length}
		code := p.ask(0, "PATCH", path, "", body, header...).Code
		other := p.ask(1, "PATCH", path, "", body, header...).Code
		// 64 cases may be there in part
		if code != other || code >= 500 && code != http.StatusServiceUnavailable {
			t.Errorf("PATCH %q %q: SQLite %d, PostgreSQL %d", path, header, code, other)
		}
		p.try(t, "GET", path, "", nil)
		if code == http.StatusCreated {
			p.readBack(t, id)
		}
	})
}

// readBack reads a case that was taken in, in all ways, and removes it.
func (p *pair) readBack(t *testing.T, id string) {
	t.Helper()
	for _, path := range []string{"/", "/api/v1/cases", "/api/v1/services", "/cases/" + id, "/api/v1/cases/" + id,
		"/api/v1/cases/" + id + "/zip", "/api/v1/cases/" + id + "/proofs"} {
		if code := p.try(t, "GET", path, "", nil); code != http.StatusOK {
			t.Errorf("%s: %d", path, code)
		}
	}
	if id != p.known.ID {
		p.try(t, "DELETE", "/api/v1/cases/"+id, "", nil)
	}
}

// FuzzCase changes case.json alone, and packs it: few changes of a zip get further than its checksums.
func FuzzCase(f *testing.F) {
	p := newPair(f)
	const sum = "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb" // of the letter a
	whole := `{"schema":1,"id":"20261121T132512Z-gc-cpu-0123ab","opened":"2026-11-21T13:25:12Z","target":{"name":"shop",` +
		`"labels":{"zone":"a"}},"trigger":{"rule":"gc-cpu","time":"2026-11-21T13:25:12Z","text":"it was"},"evidence":[` +
		`{"file":"a.pb.gz","kind":"cpu","phase":"during","taken":"2026-11-21T13:25:12Z","bytes":1,"sha256":"` + sum +
		`"}],"findings":[{"id":"X001","kind":"mem-leak","title":"t","score":74,"confidence":1,"summary":"s",` +
		`"where":[{"function":"main.f","share":0.5}]}],"verdict":{"text":"so"},"proof":{"verdict":"better"}}`
	for _, change := range [][2]string{{"", ""}, {"shop", `\u0000`}, {"mem-leak", `\u0000x`}, {"better", `\u0000`},
		{`:74`, ":99999999999"}, {`:74`, ":-1"}, {"2026-11-21T13:25:12Z\",\"target", "9999-12-31T23:59:59-23:59\",\"target"},
		{"2026-11-21T13:25:12Z\",\"target", "0000-01-01T00:00:00+23:59\",\"target"}, {`"cpu"`, `"\u0000"`},
		{`"during"`, `"\ud800\u0000"`}, {"zone", `\u0000`}, {"gc-cpu\",\"time", `\u0000","time`}, {"so", "\xff"}} {
		f.Add([]byte(strings.Replace(whole, change[0], change[1], 1)))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := casefile.Decode(text)
		if err != nil {
			return
		}
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		files := map[string][]byte{"case.json": text}
		for i := range c.Evidence {
			files[c.Evidence[i].File] = []byte("a")
		}
		for name, data := range files {
			w, err := z.Create(c.ID + "/" + name)
			if err == nil {
				_, err = w.Write(data)
			}
			if err != nil {
				return // a name that no zip has
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		if p.try(t, "PUT", "/api/v1/cases/"+c.ID, "", b.Bytes()) == http.StatusCreated {
			p.readBack(t, c.ID)
		}
	})
}

func FuzzProof(f *testing.F) {
	p := newPair(f)
	for _, body := range []string{"", "{}", `{"proof":null}`, `{"verdict":"better","taken":"2026-11-21T13:25:12Z",` +
		`"summary":"s","figures":[{"name":"rps"}]}`, `{"verdict":"better","taken":"9999-12-31T23:59:59-23:59",` +
		`"summary":"\u0000","figures":[{"name":"\u0000"}]}`, `{"proof":{"verdict":"same","taken":"0000-01-01T00:00:00Z",` +
		`"summary":"s","figures":[{}]}}`, strings.Repeat("[", 10_000)} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if code := p.try(t, "POST", "/api/v1/cases/"+p.known.ID+"/proofs", "", body); code < 300 {
			p.try(t, "GET", "/api/v1/cases/"+p.known.ID+"/proofs", "", nil)
			p.try(t, "GET", "/cases/"+p.known.ID, "", nil)
			p.try(t, "GET", "/", "", nil)
		}
	})
}

func FuzzAlerts(f *testing.F) {
	p := newPair(f)
	for _, version := range []string{"4", "1"} {
		for _, change := range [][2]string{{"", ""}, {"firing", "resolved"}, {"2026-11-27T11", "9999-12-31T23"},
			{"00Z", "00-23:59"}, {"shop", `\u0000`}, {"alertname", `\u0000`}, {`"4"`, `"1"`}} {
			body := strings.Replace(alertOf("firing", "shop", "2026-11-27T11:00:00Z"), change[0], change[1], 1)
			f.Add([]byte(strings.Replace(body, `"4"`, `"`+version+`"`, 1)), version == "1")
		}
	}
	f.Add([]byte(`{"version":"4","alerts":[{"status":"resolved","startsAt":"9999-12-31T23:59:59-23:59",`+
		`"endsAt":"0000-01-01T00:00:00+23:59","fingerprint":"\u0000","labels":{"service":"shop"}}]}`), false)
	f.Fuzz(func(t *testing.T, body []byte, grafana bool) {
		path := "/api/v1/alerts/alertmanager"
		if grafana {
			path = "/api/v1/alerts/grafana"
		}
		if p.try(t, "POST", path, "", body) == http.StatusAccepted {
			p.try(t, "GET", "/api/v1/captures", "", nil)
			p.emptyQueue(t)
		}
	})
}

func FuzzCapture(f *testing.F) {
	p := newPair(f)
	for _, body := range []string{"", "{}", `{"reason":"slow since 14:00"}`, `{"reason":"\u0000\ud800"}`, `{"reason":1}`,
		`{"reason":"` + strings.Repeat("ä", 400) + `"}`, "reason=slow", "reason=%00%ff", "null", "["} {
		f.Add([]byte(body), false)
		f.Add([]byte(body), true)
	}
	f.Fuzz(func(t *testing.T, body []byte, form bool) {
		path, kind := "/api/v1/targets/"+p.target+"/captures", "application/json"
		if form {
			path, kind = "/targets/"+p.target+"/capture", "application/x-www-form-urlencoded"
		}
		if code := p.try(t, "POST", path, "", body, "Content-Type", kind); code < 400 {
			p.try(t, "GET", "/api/v1/captures", "", nil)
			p.try(t, "GET", "/service", "name=shop", nil)
			p.emptyQueue(t)
		}
	})
}
