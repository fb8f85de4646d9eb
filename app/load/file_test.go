package load_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/gocasebook/casebook/app/load"
)

// record is a short run against a real server, as a File and as it was.
func record(t *testing.T) (*load.File, load.Result, []load.Window) {
	t.Helper()
	srv := faulty(t)
	f := load.NewFile(time.Now(), load.Plan{Targets: []string{"GET " + srv.URL + "/503"}, TargetCount: 1, Pace: "200",
		Seconds: 0.2})
	var windows []load.Window
	res, err := load.Run(context.Background(), load.Config{
		Rate: 200, Duration: 200 * time.Millisecond, Window: 50 * time.Millisecond, Request: get(srv.URL + "/503"),
		OnWindow: func(w load.Window) {
			windows = append(windows, w)
			if err := f.Add(w); err != nil {
				t.Error(err)
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Finish(res); err != nil {
		t.Fatal(err)
	}
	return f, res, windows
}

// TestFileKeepsEverything writes a run, reads it back, and compares it with what the run gave, to the last value.
func TestFileKeepsEverything(t *testing.T) {
	f, res, windows := record(t)
	path := filepath.Join(t.TempDir(), "run.json")
	if err := f.Save(path); err != nil {
		t.Fatal(err)
	}
	got, err := load.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, f) {
		t.Errorf("read %+v, wrote %+v", got, f)
	}
	total, err := got.Total.Counts(got.Start, got.Seconds)
	if err != nil {
		t.Fatal(err)
	}
	wantCounts(t, "total", total, res.Counts)
	if len(got.Windows) != len(windows) || len(windows) < 2 {
		t.Fatalf("%d windows, want the run's %d, more than one", len(got.Windows), len(windows))
	}
	for i, w := range got.Windows {
		start := got.Start.Add(time.Duration(w.Start * float64(time.Second)))
		c, err := w.Counts(start, w.Seconds)
		if err != nil {
			t.Fatal(err)
		}
		wantCounts(t, "window", c, windows[i].Counts)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v; want 0600", info.Mode(), err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".*")); len(left) > 0 {
		t.Errorf("temporary files are left: %v", left)
	}
}

func wantCounts(t *testing.T, what string, got, want load.Counts) {
	t.Helper()
	if got.Sent != want.Sent || got.OK != want.OK || got.Errors != want.Errors ||
		!reflect.DeepEqual(got.Codes, want.Codes) ||
		got.Start.Sub(want.Start).Abs() > time.Millisecond || got.Seconds != want.Seconds {
		t.Errorf("%s: %+v, want %+v", what, got, want)
	}
	if a, b := got.Latency.Histogram(), want.Latency.Histogram(); (a == nil) != (b == nil) || a != nil && !a.Equals(b) {
		t.Errorf("%s: another histogram", what)
	}
}

func TestReadRefuses(t *testing.T) {
	f, _, _ := record(t)
	var whole bytes.Buffer
	if err := f.Write(&whole); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, text, want string
	}{
		{"nothing", "", "--out"},
		{"text", "p99 1 ms", "--out"},
		{"cut short", whole.String()[:whole.Len()/2], "unexpected EOF"},
		{"another document", `{"schema": 1}`, `kind is ""`},
		{"a later schema", strings.Replace(whole.String(), `"schema": 1`, `"schema": 2`, 1),
			"schema 2, this casebook reads 1"},
		{"a number for a text", strings.Replace(whole.String(), `"kind": "casebook-load"`, `"kind": 7`, 1), "number"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := load.Read(strings.NewReader(c.text))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("err = %v, want one with %q", err, c.want)
			}
			if (c.name == "another document") != errors.Is(err, load.ErrNotLoad) {
				t.Errorf("err = %v is ErrNotLoad: %v", err, errors.Is(err, load.ErrNotLoad))
			}
		})
	}
}

// TestHostileHistograms: they must be refused, and cheaply.
func TestHostileHistograms(t *testing.T) {
	f, _, _ := record(t)
	good := f.Total.Latency
	wide, err := hdrhistogram.New(1, math.MaxInt64, 5).Encode(hdrhistogram.V2CompressedEncodingCookieBase)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, hdr, want string
	}{
		{"no base64", "!!", "illegal base64"},
		{"empty base64", "AAAA", "EOF"},
		{"no zlib", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "zlib"},
		{"cut short", good.HDR[:len(good.HDR)/8*4], "reading a histogram"},
		{"50 MB of counts", string(wide), "it has 5 digits from 1 to 9223372036854775807"},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := good
			q.HDR = c.hdr
			if _, err := q.Latency(); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("err = %v, want one with %q", err, c.want)
			}
		})
	}
	t.Run("counts that disagree", func(t *testing.T) {
		q := good
		q.Count++
		if _, err := q.Latency(); err == nil || !strings.Contains(err.Error(), "figures beside it") {
			t.Errorf("err = %v, want that the counts disagree", err)
		}
	})
	t.Run("left out", func(t *testing.T) {
		b := f.Brief()
		if _, err := b.Total.Latency.Latency(); err == nil || !strings.Contains(err.Error(), "--out") {
			t.Errorf("err = %v, want one that names --out", err)
		}
	})
}

// TestFileIsDocumented compares docs/load-json.md with the fields of File: each is there, and nothing else is.
func TestFileIsDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/load-json.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := make(map[string]bool)
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z0-9_.\\[\\]]+)` \\|").FindAllStringSubmatch(string(page), -1) {
		documented[m[1]] = true
	}
	fields := make(map[string]bool)
	collect(reflect.TypeFor[load.File](), "", fields)
	for f := range fields {
		if !documented[f] {
			t.Errorf("docs/load-json.md has no row for %s", f)
		}
		delete(documented, f)
	}
	for f := range documented {
		t.Errorf("docs/load-json.md has a row for %s, which no File has", f)
	}
}

// collect gathers the JSON paths of a type's fields. Figures and Quantiles, which appear in several places, are named
// by their type.
func collect(typ reflect.Type, prefix string, into map[string]bool) {
	for i := range typ.NumField() {
		f := typ.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" { // embedded
			continue
		}
		into[prefix+name] = true
		at := f.Type
		if at.Kind() == reflect.Slice && at.Elem().Kind() == reflect.Struct {
			at, name = at.Elem(), name+"[]"
		}
		switch at {
		case reflect.TypeFor[load.Figures]():
			collect(at, "figures.", into)
		case reflect.TypeFor[load.Quantiles]():
			collect(at, "quantiles.", into)
		case reflect.TypeFor[time.Time]():
		default:
			if at.Kind() == reflect.Struct {
				collect(at, prefix+name+".", into)
			}
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"schema":1,"kind":"casebook-load","total":{"latency":{"count":1,"hdr":"AAAA"}}}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, b []byte) {
		file, err := load.Read(bytes.NewReader(b))
		if err != nil {
			return
		}
		if _, err := file.Total.Latency.Latency(); err != nil && file.Total.Latency.HDR == "" &&
			file.Total.Latency.Count == 0 {
			t.Errorf("an empty distribution cannot be read: %v", err)
		}
		if _, err := json.Marshal(file); err != nil {
			t.Errorf("what was read cannot be written: %v", err)
		}
	})
}
