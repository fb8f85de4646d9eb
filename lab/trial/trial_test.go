package trial_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/lab/trial"
)

func services(t *testing.T) []trial.Service {
	t.Helper()
	all, err := trial.Services()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// source is all the Go of a service.
func source(t *testing.T, name string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(name, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("service %s has no source: %v", name, err)
	}
	var all strings.Builder
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}

// TestTable compares the table with the programs.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	sick := 0
	for _, s := range services(t) {
		if seen[s.Name] {
			t.Errorf("%s is in the table twice", s.Name)
		}
		seen[s.Name] = true
		marked := strings.Count(source(t, s.Name), trial.Marker)
		if s.About == "" || len(s.Load) == 0 {
			t.Errorf("%s: what it is, or its load, is missing", s.Name)
		}
		if s.Healthy {
			if marked > 0 || s.Run == 0 || len(s.Places) > 0 {
				t.Errorf("%s is healthy, and has %d marked lines, runs %v and has places %q", s.Name, marked, s.Run,
					s.Places)
			}
			continue
		}
		sick++
		if marked == 0 {
			t.Errorf("%s is sick, and no line of it is marked %q", s.Name, trial.Marker)
		}
		if s.Certain <= s.Ill || s.Why == "" || len(s.Places) == 0 || s.Remedy == "" || len(s.Wrong) == 0 {
			t.Errorf("%s: the answer is incomplete: %+v", s.Name, s)
		}
		checkAnswer(t, &s)
		if s.Window() < time.Duration(s.Certain)+70*time.Second {
			t.Errorf("%s is watched for %v and has until a minute after %v", s.Name, s.Window(),
				time.Duration(s.Certain))
		}
	}
	if healthy := len(seen) - sick; sick < 15 || healthy < 6 {
		t.Errorf("there are %d sick services and %d healthy ones", sick, healthy)
	}
}

// checkAnswer wants kinds that exist, expressions that compile and functions that are in the source.
func checkAnswer(t *testing.T, s *trial.Service) {
	t.Helper()
	for _, kind := range s.Kinds {
		if !slices.ContainsFunc(diagnose.Detectors(), func(d diagnose.Detector) bool { return d.Kind == kind }) {
			t.Errorf("%s: there is no kind %q", s.Name, kind)
		}
	}
	for _, text := range []string{s.Says, s.Never} {
		if _, err := regexp.Compile(text); err != nil || text == "" {
			t.Errorf("%s: %q is no expression for a remedy: %v", s.Name, text, err)
		}
	}
	text := source(t, s.Name)
	for _, place := range slices.Concat(s.Places, s.AlsoPlaces) {
		place, _, _ = strings.Cut(place, ".func")
		name := place[strings.LastIndexByte(place, '.')+1:]
		if !strings.Contains(text, " "+name+"(") {
			t.Errorf("%s: no function %s in its source", s.Name, place)
		}
	}
}

// TestServices builds every program, starts it, asks for its goroutines and sends it some of its load.
func TestServices(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and starts all services")
	}
	all := services(t)
	dir := t.TempDir()
	if err := trial.Build(t.Context(), dir, all); err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			r, err := trial.Start(t.Context(), dir, s)
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := r.Stop(); err != nil {
					t.Error(err)
				}
			}()
			profile := get(t, "http://"+r.Debug+"/debug/pprof/goroutine?debug=1")
			if want := []byte("goroutine profile: total "); !bytes.HasPrefix(profile, want) {
				t.Errorf("its goroutines begin %.60q, want %q", profile, want)
			}
			if len(get(t, "http://"+r.Debug+"/debug/pprof/cmdline")) == 0 {
				t.Error("it does not tell its command line")
			}
			answers(t, r)
			if s.Restart == 0 {
				return
			}
			if err := r.Restart(t.Context()); err != nil {
				t.Fatal(err)
			}
			answers(t, r)
		})
	}
}

// answers sends some requests of each piece of the load, one piece after another, and wants an answer for each. A 404
// is an answer: some ask for what is not there.
func answers(t *testing.T, r *trial.Running) {
	t.Helper()
	for _, l := range r.Service.Load {
		l.Pace, l.From, l.Timeout = "constant 5", 0, trial.Duration(5*time.Minute)
		results, err := trial.Drive(t.Context(), r.Addr, []trial.Load{l}, time.Second)
		if err != nil {
			t.Fatal(err)
		}
		res := results[0]
		if res.Sent == 0 || res.OK+res.Errors.Status4xx != res.Sent {
			t.Errorf("%s %s: %d requests were sent, %d answered: %+v %v",
				l.Targets[0].Method, l.Targets[0].URL, res.Sent, res.OK, res.Errors, res.FirstErrors)
		}
	}
}

func get(t *testing.T, url string) []byte {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	var body []byte
	for { // the debug port may listen a moment after the other
		resp, err := http.DefaultClient.Do(req)
		if err == nil {
			body, err = io.ReadAll(resp.Body)
			resp.Body.Close()
			if err != nil || resp.StatusCode != http.StatusOK {
				t.Fatalf("GET %s: %s, %v", url, resp.Status, err)
			}
			return body
		}
		if ctx.Err() != nil {
			t.Fatalf("GET %s: %v", url, err)
		}
		time.Sleep(10 * time.Millisecond)
	}
}
