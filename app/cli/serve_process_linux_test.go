package cli_test

import (
	"archive/zip"
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/store/storetest"
	"github.com/gocasebook/casebook/casefile"
)

// A serving is a process of casebook serve.
type serving struct {
	url   string
	links chan string // for browsers, as they are printed; closed when it has ended
	args  []string
	cmd   *exec.Cmd
	log   *strings.Builder // to be read when it has ended
	read  chan struct{}    // closed when all of its log was read
}

// serve starts casebook serve at a free port, with flags, and waits until it listens.
func serve(t *testing.T, args ...string) *serving {
	t.Helper()
	return serveBy(t, exec.Command(bin, append([]string{"serve", "--addr", "127.0.0.1:0"}, args...)...), args)
}

// serveBy is serve by a command of the test's own.
func serveBy(t *testing.T, cmd *exec.Cmd, args []string) *serving {
	t.Helper()
	s := &serving{links: make(chan string, 10), args: args, log: &strings.Builder{}, read: make(chan struct{}), cmd: cmd}
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	out, err := s.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.kill)
	at := make(chan string, 1)
	go func() {
		defer close(s.read)
		defer close(at)
		defer close(s.links)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			fmt.Fprintln(s.log, lines.Text())
			if address, ok := strings.CutPrefix(lines.Text(), "Cases at "); ok {
				at <- strings.TrimSuffix(address, "/")
			}
			if link, ok := strings.CutPrefix(lines.Text(), "Sign in once: "); ok {
				s.links <- link
			}
		}
	}()
	address, ok := <-at
	if !ok {
		t.Fatalf("casebook serve ended:\n%s", s.log)
	}
	s.url = address
	return s
}

// kill ends it as the kernel would. A second time it does nothing.
func (s *serving) kill() {
	_ = s.cmd.Process.Kill()
	<-s.read
	_ = s.cmd.Wait()
}

// teamStore starts what servers share: PostgreSQL, and an S3 bucket. The flags name both.
func teamStore(t *testing.T) (pg *storetest.Postgres, s3 *storetest.Gateway, flags []string) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds an S3 server, of 400 packages")
	}
	s3, err := storetest.StartGateway(filepath.Join("..", "store", "testdata", "gateway"))
	if errors.Is(err, storetest.ErrNoProxy) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s3.Close() })
	if pg, err = storetest.StartPostgres(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = pg.Close() })
	index, err1 := pg.Database(t.Context())
	blobs, err2 := s3.Bucket(t.Context())
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	return pg, s3, []string{"--store", index, "--blobs", blobs}
}

// A parcel is a case as a sender has it, with one piece of evidence.
type parcel struct {
	id, sum string
	zip     []byte
}

const parcelFile = "during/cpu.pb.gz"

// newParcel makes a case with so many random bytes of evidence. It has a finding, so that nobody diagnoses it.
func newParcel(t *testing.T, size int) parcel {
	t.Helper()
	at := time.Now().UTC().Truncate(time.Second)
	data := make([]byte, size)
	for i := range data {
		data[i] = byte(rand.Uint32())
	}
	copy(data, "\x1f\x8b")
	p := parcel{id: casefile.NewID(at, "gc-cpu"), sum: fmt.Sprintf("%x", sha256.Sum256(data))}
	c := casefile.Case{Schema: casefile.Schema, ID: p.id, Opened: at, Target: casefile.Target{Name: "shop"},
		Trigger: casefile.Trigger{Rule: "gc-cpu", Time: at, Text: "gc_cpu was 31 %"},
		Evidence: []casefile.Evidence{{File: parcelFile, Kind: casefile.CPU, Phase: casefile.During, Taken: at,
			Bytes: int64(size), SHA256: p.sum}},
		Diagnosis: casefile.Diagnosis{Findings: []casefile.Finding{{ID: "X001", Kind: "gc-cpu", Title: "t", Score: 50,
			Confidence: 1, Summary: "s"}}}}
	record, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range []struct {
		name string
		data []byte
	}{{"case.json", record}, {parcelFile, data}} {
		w, err := z.CreateHeader(&zip.FileHeader{Name: p.id + "/" + f.name, Method: zip.Store})
		if err == nil {
			_, err = w.Write(f.data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	p.zip = b.Bytes()
	return p
}

// put uploads a case. An error says that no answer came.
func (p *parcel) put(url string) (*http.Response, error) {
	req, err := http.NewRequest(http.MethodPut, url+"/api/v1/cases/"+p.id, bytes.NewReader(p.zip))
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	return resp, resp.Body.Close()
}

// get returns an answer, whatever its code.
func (s *serving) get(t *testing.T, path string) (resp *http.Response, body []byte) {
	t.Helper()
	resp, err := http.Get(s.url + path)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, err = io.ReadAll(resp.Body); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return resp, body
}

// wantWhole fails unless a server has all of these cases, with their evidence as it was sent.
func (s *serving) wantWhole(t *testing.T, sums map[string]string) {
	t.Helper()
	for id, sum := range sums {
		resp, data := s.get(t, "/api/v1/cases/"+id+"/evidence/"+parcelFile)
		if got := fmt.Sprintf("%x", sha256.Sum256(data)); resp.StatusCode != http.StatusOK || got != sum {
			t.Errorf("case %s was acknowledged; its evidence is answered %d with the checksum %s, want %s", id,
				resp.StatusCode, got, sum)
		}
	}
}

// Uploads send cases to a server until that is gone, or until it is ended.
type uploads struct {
	work sync.WaitGroup
	end  chan struct{}
	ack  chan struct{} // holds one: a case was acknowledged

	mu   sync.Mutex        // guards sums
	sums map[string]string // of acknowledged cases
}

const senders = 4 // at a time to one server

func startUploads(t *testing.T, url string) *uploads {
	l := &uploads{end: make(chan struct{}), ack: make(chan struct{}, 1), sums: map[string]string{}}
	for range senders {
		l.work.Go(func() { l.send(t, url) })
	}
	return l
}

func (l *uploads) send(t *testing.T, url string) {
	for {
		select {
		case <-l.end:
			return
		default:
		}
		p := newParcel(t, 20_000+rand.IntN(200_000))
		resp, err := p.put(url)
		if err != nil { // killed
			return
		}
		if resp.StatusCode != http.StatusCreated {
			t.Errorf("an upload is answered %s", resp.Status)
			return
		}
		l.mu.Lock()
		l.sums[p.id] = p.sum
		l.mu.Unlock()
		select {
		case l.ack <- struct{}{}:
		default:
		}
	}
}

// wait ends them and returns the checksums of what was acknowledged.
func (l *uploads) wait() map[string]string {
	close(l.end)
	l.work.Wait()
	return l.sums
}
