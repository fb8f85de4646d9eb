package pyroscope_reporter

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"regexp"
	"runtime/pprof"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gocasebook/casebook/holmes"
	"github.com/google/pprof/profile"
)

// An ingested is what a Pyroscope server took up.
type ingested struct {
	name        string
	from, until int64
	types       []string
	config      map[string]valueConfig
	auth        string
}

var seriesName = regexp.MustCompile(`^[A-Za-z0-9_./-]+\{([a-zA-Z0-9_]+=[^,={}]*(,[a-zA-Z0-9_]+=[^,={}]*)*)?\}$`)

// ingest checks a request as Pyroscope's ingest handler does (grafana/pyroscope, pkg/ingester/pyroscope and
// pkg/og/convert/pprof): what it refuses there with 400 and 422, this refuses here.
func ingest(w http.ResponseWriter, r *http.Request, took func(ingested)) {
	q := r.URL.Query()
	got := ingested{name: q.Get("name"), auth: r.Header.Get("Authorization")}
	var bad [3]error
	got.from, bad[0] = strconv.ParseInt(q.Get("from"), 10, 64)
	got.until, bad[1] = strconv.ParseInt(q.Get("until"), 10, 64)
	_, bad[2] = strconv.ParseUint(q.Get("sampleRate"), 10, 32)
	if r.Method != http.MethodPost || r.URL.Path != "/ingest" || !seriesName.MatchString(got.name) || q.Has("format") ||
		errors.Join(bad[:]...) != nil || q.Get("spyName") != "gospy" || got.from > got.until {
		http.Error(w, "metadata: "+r.URL.String(), http.StatusBadRequest)
		return
	}
	if err := got.read(r); err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	took(got)
}

func (got *ingested) read(r *http.Request) error {
	if !strings.Contains(r.Header.Get("Content-Type"), "multipart/form-data") {
		return errors.New("no form")
	}
	if err := r.ParseMultipartForm(32 << 20); err != nil {
		return err
	}
	data, err := field(r.MultipartForm, "profile")
	if err != nil {
		return err
	}
	p, err := profile.ParseData(data)
	if err != nil {
		return err
	}
	for _, t := range p.SampleType {
		got.types = append(got.types, t.Type)
	}
	config, err := field(r.MultipartForm, "sample_type_config")
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(config))
	d.DisallowUnknownFields()
	return d.Decode(&got.config)
}

// field is the one file of a field, as Pyroscope reads it.
func field(f *multipart.Form, name string) ([]byte, error) {
	if len(f.File[name]) != 1 {
		return nil, errors.New("the form has no single file " + name)
	}
	file, err := f.File[name][0].Open()
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(file)
}

func newServer(t *testing.T, took func(ingested)) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { ingest(w, r, took) }))
	t.Cleanup(server.Close)
	return server.URL
}

func newReporter(t *testing.T, cfg RemoteConfig) *PyroscopeReporter {
	t.Helper()
	r, err := NewPyroscopeReporter("orders", map[string]string{"zone": "a", "az": "1"}, cfg, holmes.NewStdLogger())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Real dumps of a running Holmes, of every kind that is binary, arrive in what reads them as Pyroscope does.
func TestDumpsArrive(t *testing.T) {
	took := make(chan ingested, 100)
	r := newReporter(t, RemoteConfig{UpstreamAddress: newServer(t, func(i ingested) { took <- i }),
		AuthToken: "secret"})
	h, err := holmes.New(holmes.WithCollectInterval("100ms"), holmes.WithDumpPath(t.TempDir()),
		holmes.WithProfileReporter(r), holmes.WithMemoryLimit(1<<20), holmes.WithCPUCore(1e-9),
		holmes.WithGoroutineDump(1, 1000, 1, 0, time.Hour), holmes.WithMemDump(1, 1000, 1, time.Hour),
		holmes.WithThreadDump(1, 1000, 1, time.Hour), holmes.WithCPUDump(1, 1000, 1, time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	h.EnableGoroutineDump().EnableMemDump().EnableThreadDump().EnableCPUDump().Start()
	defer h.Stop()
	want := map[string]bool{"goroutine": true, "inuse_objects inuse_space": true, "threadcreate": true,
		"samples cpu": true}
	for len(want) > 0 {
		select {
		case i := <-took:
			delete(want, strings.Join(i.types, " "))
			if i.name != "orders{az=1,zone=a}" || i.auth != "Bearer secret" || len(i.config) == 0 ||
				i.until < time.Now().Add(-time.Hour).Unix() {
				t.Errorf("Pyroscope took up %+v", i)
			}
		case <-time.After(5 * time.Minute):
			t.Fatalf("no dump arrived with the values %v", want)
		}
	}
}

// A CPU profile is of its own time, whenever it is reported; a moment stands for the ten seconds before.
func TestTimeOfADump(t *testing.T) {
	at := time.Unix(1_700_000_000, 0)
	p := &profile.Profile{TimeNanos: at.Add(-time.Minute).UnixNano(), DurationNanos: int64(15 * time.Second)}
	if from, until := span(p, at); !from.Equal(at.Add(-time.Minute)) || until.Sub(from) != 15*time.Second {
		t.Errorf("a profile of 15 s, a minute ago, is pushed for %s to %s", from, until)
	}
	if from, until := span(&profile.Profile{TimeNanos: 1}, at); until != at || until.Sub(from) != DefaultUploadRate {
		t.Errorf("a moment is pushed for %s to %s", from, until)
	}
}

func TestReportSaysWhatWentWrong(t *testing.T) {
	var binary, text bytes.Buffer
	_ = pprof.Lookup("goroutine").WriteTo(&binary, 0)
	_ = pprof.Lookup("goroutine").WriteTo(&text, 1)
	var strangers atomic.Int64
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { strangers.Add(1) }))
	defer elsewhere.Close()
	for _, c := range []struct {
		name string
		data []byte
		code int
		want error
	}{
		{"taken", binary.Bytes(), 200, nil},
		{"a text dump", text.Bytes(), 200, ErrNoProfile},
		{"wants a token", binary.Bytes(), 401, ErrCloudTokenRequired},
		{"an old server", binary.Bytes(), 422, ErrUpgradeServer},
		{"overload", binary.Bytes(), 503, ErrUpload},
		{"a redirect", binary.Bytes(), 307, ErrUpload},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Location", elsewhere.URL)
				w.WriteHeader(c.code)
			}))
			defer server.Close()
			r := newReporter(t, RemoteConfig{UpstreamAddress: server.URL, AuthToken: "secret"})
			err := r.Report("goroutine", "a file", holmes.ReasonDiff, "", time.Now(), c.data, holmes.Scene{})
			if !errors.Is(err, c.want) || err != nil && strings.Contains(err.Error(), "secret") {
				t.Errorf("the error is %v, want %v", err, c.want)
			}
		})
	}
	if strangers.Load() > 0 {
		t.Error("the token was sent to another server")
	}
	r := newReporter(t, RemoteConfig{UpstreamAddress: "http://127.0.0.1:1"})
	if err := r.Report("cpu", "", 0, "", time.Now(), []byte{0x1f, 0x8b}, holmes.Scene{}); err == nil {
		t.Error("a damaged profile was reported")
	}
}

func TestNames(t *testing.T) {
	for _, c := range []struct {
		app  string
		tags map[string]string
		want string // "" for an error
	}{
		{"orders", nil, "orders{}"},
		{"holmes-client-01", map[string]string{"region": "zh"}, "holmes-client-01{region=zh}"},
		{" orders{b=2, a=1} ", map[string]string{"b": "3", "c": ""}, "orders{a=1,b=3}"},
		{"orders", map[string]string{ReservedTagKeyName: "other"}, "orders{}"},
		{"", nil, ""},
		{"{a=1}", nil, ""},
		{"two words", nil, ""},
		{"orders{a}", nil, ""},
		{"orders", map[string]string{"a-b": "1"}, ""},
		{"orders", map[string]string{"a": "1,b=2"}, ""},
	} {
		got, err := nameOf(c.app, c.tags)
		if (err == nil) != (c.want != "") || err == nil && got != c.want {
			t.Errorf("%q with %v is %q (%v), want %q", c.app, c.tags, got, err, c.want)
		}
	}
	for _, address := range []string{"", "pyroscope:4040", "ftp://pyroscope", "http://"} {
		if _, err := NewPyroscopeReporter("a", nil, RemoteConfig{UpstreamAddress: address}, nil); err == nil {
			t.Errorf("the address %q is taken", address)
		}
	}
}
