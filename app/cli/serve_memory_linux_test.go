package cli_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// serverMemory is the cgroup of a small server.
const serverMemory = 400 << 20

// serverRounds is how often it is attacked, in each form.
func serverRounds() int {
	if attacks() {
		return 10
	}
	return 1
}

// A repeated piece of evidence is small in a zip.
type repeated struct {
	kind, file string
	head, line string
	bytes      int
}

// bombs are cases of some kilobytes that become as much as they can in the memory of who reads them.
func bombs(t *testing.T) (all []parcel) {
	t.Helper()
	const mb = 1 << 20
	head := `{"schema":1,"units":{"goroutines":"count"}}` + "\n"
	line := `{"t":"2026-11-21T13:25:12Z"}` + "\n" // a sample of a kilobyte
	profiles := func() (list []repeated) {
		for i, data := range []string{manySamples(), oneDeepSample(), manyAddresses(), manyStacks()} {
			list = append(list, repeated{casefile.CPU, fmt.Sprintf("during/cpu%d.pb.gz", i), data, "", 0})
		}
		return list
	}
	var vitals []repeated
	for i := range 8 {
		vitals = append(vitals, repeated{casefile.Vitals, fmt.Sprintf("before/vitals%d.jsonl", i), head, line, 4 * mb})
	}
	for _, files := range [][]repeated{
		{{casefile.Vitals, "before/vitals.jsonl", head, line, 28 * mb}},
		{{casefile.Course, "during/course.jsonl", head, line, 28 * mb}},
		vitals,
		{{casefile.HeapRefs, "during/refs.json", `{"types":[`, `{},`, 28 * mb}},
		{{casefile.GoroutineDump, "during/goroutines.txt", "goroutine 1 [running]:\n",
			"main.f(0x1)\n\t/main.go:1 +0x1\n", 28 * mb}},
		{{casefile.Trace, "during/trace.out", "go 1.22 trace\x00\x00\x00", "\x00", 100 * mb}},
		profiles(),
	} {
		all = append(all, bomb(t, files))
	}
	return all
}

func bomb(t *testing.T, files []repeated) parcel {
	t.Helper()
	at := time.Now().UTC().Truncate(time.Second)
	c := casefile.Case{Schema: casefile.Schema, ID: casefile.NewID(at, "gc-cpu"), Opened: at,
		Target:  casefile.Target{Name: "shop"},
		Trigger: casefile.Trigger{Rule: "gc-cpu", Time: at, Text: "gc_cpu was 31 %"}}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	add := func(name string, data []byte) {
		w, err := z.Create(c.ID + "/" + name)
		if err == nil {
			_, err = w.Write(data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range files {
		data := []byte(f.head)
		if f.line != "" {
			data = append(data, bytes.Repeat([]byte(f.line), f.bytes/len(f.line))...)
		}
		add(f.file, data)
		c.Evidence = append(c.Evidence, casefile.Evidence{File: f.file, Kind: f.kind, Phase: casefile.During, Taken: at,
			Bytes: int64(len(data)), SHA256: fmt.Sprintf("%x", sha256.Sum256(data)), GoFormat: f.kind == casefile.CPU})
	}
	record, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	add("case.json", record)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return parcel{id: c.ID, zip: b.Bytes()}
}

// serveIn starts a server in a cgroup.
func serveIn(t *testing.T, group, plain string, args ...string) *serving {
	t.Helper()
	return serveBy(t, exec.Command("sh", append([]string{"-c", `echo $$ >"$0"/cgroup.procs && exec "$@"`, group, bin,
		"serve", "--addr", "127.0.0.1:0"}, args...)...), args)
}

// ask asks for a page, and returns its code; 0 for none.
func (s *serving) ask(path, token string) int {
	req, err := http.NewRequest(http.MethodGet, s.url+path, nil)
	if err != nil {
		return 0
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, resp.Body) // the code says whether it came
	return resp.StatusCode
}

// readAll has all pages of cases drawn at once, some of them several times.
func (s *serving) readAll(cases []parcel, token string) {
	var all sync.WaitGroup
	for _, p := range cases {
		for _, page := range []string{"", "", "/profile", "/goroutines", "/memory", "/trace", "/pprof/during/cpu0.pb.gz/top"} {
			all.Go(func() { s.ask("/cases/"+p.id+page, token) })
		}
		all.Go(func() { s.ask("/compare?a="+p.id+"&b="+cases[0].id, token) })
	}
	all.Wait()
}

// A server in a cgroup of 400 MB survives cases that are made to take memory, in each of its forms: it diagnoses them,
// draws all their pages at once, and answers the next.
func TestServerInLittleMemory(t *testing.T) {
	needsMemory(t)
	t.Parallel()
	group := makeMemoryGroup(t, serverMemory)
	if group == "" {
		t.Skip("no cgroup can be made here: that needs root, and a writable /sys/fs/cgroup")
	}
	cases := bombs(t)
	largest := 0
	for _, p := range cases {
		largest = max(largest, len(p.zip))
	}
	alive := 0
	for range serverRounds() {
		store, dir := filepath.Join(t.TempDir(), "store"), t.TempDir()
		token := strings.TrimSpace(casebook(t, t.TempDir(), "store", "token", "create", "--store", store, "--role",
			"operator", "test").out)
		s := serveIn(t, group, bin, "--store", store)
		for _, p := range cases {
			p.putWith(t, s.url, token)
			if _, err := casefile.Dir(dir).Import(bytes.NewReader(p.zip), int64(len(p.zip))); err != nil {
				t.Fatal(err)
			}
		}
		s.readAll(cases, token)
		shelf := serveIn(t, makeMemoryGroup(t, serverMemory), bin, dir)
		shelf.readAll(cases, "")
		ok := true
		for _, s := range []*serving{s, shelf} {
			if code := s.ask("/readyz", ""); code != http.StatusOK {
				ok = false
				s.kill()
				t.Errorf("a server of %q has ended, or answers %d:\n%s", s.args, code, last(s.log.String(), 2000))
			}
			s.kill()
		}
		if ok {
			alive++
		}
	}
	t.Logf("attack: %d cases of at most %d kB × all pages at once × serve in 400 MiB, of a store and of a folder: alive "+
		"%d of %d", len(cases), largest>>10, alive, serverRounds())
}

// putWith uploads a case, which has to be taken.
func (p *parcel) putWith(t *testing.T, url, token string) {
	t.Helper()
	req, err := http.NewRequest(http.MethodPut, url+"/api/v1/cases/"+p.id, bytes.NewReader(p.zip))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusCreated {
		t.Fatalf("the case is answered %s: %s", resp.Status, text)
	}
}
