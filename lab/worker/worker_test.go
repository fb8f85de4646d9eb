package worker

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/gocasebook/casebook/lab/draw"
	"github.com/gocasebook/casebook/lab/serve"
	"github.com/gocasebook/casebook/lab/serve/servetest"
)

// A running worker, and where its files are.
type running struct {
	*servetest.Process
	where serve.Addresses
	dir   string
}

func startWorker(t *testing.T, k *topic, dir string, flags ...string) *running {
	t.Helper()
	r := &running{dir: dir}
	args := append([]string{"-listen", "127.0.0.1:0", "-pprof", "", "-brokers", k.address(), "-items", "1000",
		"-linger", "20ms", "-gc", "runtime", "-dir", dir}, flags...)
	r.Process = servetest.Start(t, Main, &r.where, args...)
	return r
}

// get is the body of a page of the worker.
func (r *running) get(t *testing.T, path string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+r.where.Listen+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Close = true
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatalf("%v; the worker's log:\n%s", err, r.Stderr)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

// patience limits the wait for what comes at any speed of the machine.
const patience = 5 * time.Minute

// wait asks for the numbers until ok says that they are there.
func (r *running) wait(t *testing.T, what string, ok func(statsReply) bool) statsReply {
	t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		_, body := r.get(t, "/stats")
		var got statsReply
		if err := json.Unmarshal([]byte(body), &got); err != nil {
			t.Fatalf("decoding %q: %v", body, err)
		}
		if ok(got) {
			return got
		}
		if time.Now().After(deadline) {
			t.Fatalf("after %v not %s: %s", patience, what, body)
		}
	}
}

// waitStored waits until each group has stored n records.
func (r *running) waitStored(t *testing.T, n int) {
	t.Helper()
	r.wait(t, "stored "+strconv.Itoa(n)+" records in each group", func(s statsReply) bool {
		for _, g := range s.Groups {
			if g.Done < uint64(n) {
				return false
			}
		}
		return true
	})
}

// stopped ends the worker and wants it to end well.
func (r *running) stopped(t *testing.T) {
	t.Helper()
	r.Stop()
	if code := <-r.Code; code != 0 {
		t.Errorf("exit code %d, want 0; its log:\n%s", code, r.Stderr)
	}
}

// lines are those of the table, sorted.
func (r *running) lines(t *testing.T) []string {
	t.Helper()
	lines := strings.SplitAfter(strings.Join(contents(t, filepath.Join(r.dir, "table")), ""), "\n")
	lines = lines[:len(lines)-1]
	slices.Sort(lines)
	return lines
}

// messages are those of the archive, sorted.
func (r *running) messages(t *testing.T) []string {
	t.Helper()
	var all []string
	rest := []byte(strings.Join(contents(t, filepath.Join(r.dir, "archive")), ""))
	for len(rest) > 0 {
		length, sum := binary.LittleEndian.Uint32(rest), binary.LittleEndian.Uint32(rest[4:])
		block := rest[8:][:length]
		if crc32.Checksum(block, castagnoli) != sum {
			t.Fatal("a block of the archive has the wrong checksum")
		}
		raw := inflated(t, new(inflater), block)
		for len(raw) > 0 {
			n, used := binary.Uvarint(raw)
			all = append(all, string(raw[used:][:n]))
			raw = raw[used+int(n):]
		}
		rest = rest[8+length:]
	}
	slices.Sort(all)
	return all
}

// sums are the counts of each key, in the files of a folder.
func (r *running) sums(t *testing.T, folder string) map[string]int {
	t.Helper()
	sums := map[string]int{}
	for line := range strings.Lines(strings.Join(contents(t, filepath.Join(r.dir, folder)), "")) {
		key, number, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		n, err := strconv.Atoi(number)
		if err != nil {
			t.Fatalf("the counts have the line %q", line)
		}
		sums[key] += n
	}
	return sums
}

// TestFormsAgree: whatever the worker is run with, it stores the same.
func TestFormsAgree(t *testing.T) {
	k := newTopic(t)
	k.send(t, 120)
	var first *running
	for i, flags := range [][]string{
		nil, // the healthy form
		{"-compression", "zlib-9"},
		{"-proto", "dynamic"},
		{"-write", "direct"},
		{"-format", "fmt", "-buffers", "new"},
		{"-catalogue", "flat", "-buffers", "pool"},
		{"-proto", "golang", "-compression", "zlib-6", "-gc", "gctune"},
	} {
		r := startWorker(t, k, t.TempDir(), append(flags, "-group-prefix", strconv.Itoa(i)+"-")...)
		r.waitStored(t, 120)
		if code, body := r.get(t, "/readyz"); code != http.StatusOK {
			t.Errorf("%v: not ready after it has stored: %s", flags, body)
		}
		r.stopped(t)
		if first == nil {
			first = r
			if got := len(r.lines(t)); got != 120*eventsEach {
				t.Fatalf("the table has %d lines, want %d", got, 120*eventsEach)
			}
			continue
		}
		if !slices.Equal(r.lines(t), first.lines(t)) {
			t.Errorf("%v: the table differs", flags)
		}
		if !slices.Equal(r.messages(t), first.messages(t)) {
			t.Errorf("%v: the archive differs", flags)
		}
		want := first.sums(t, "counts")
		for key, n := range r.sums(t, "counts") {
			if want[key] != n {
				t.Errorf("%v: %s is counted %d times, want %d", flags, key, n, want[key])
			}
		}
	}
}

// TestContinue: a worker that starts again begins where the last one has committed, or at the end when told so.
func TestContinue(t *testing.T) {
	k, dir := newTopic(t), t.TempDir()
	k.send(t, 30)
	r := startWorker(t, k, dir)
	r.waitStored(t, 30)
	r.stopped(t)
	k.send(t, 20)
	r = startWorker(t, k, dir)
	r.waitStored(t, 20)
	r.stopped(t)
	if got := len(r.lines(t)); got != 50*eventsEach {
		t.Errorf("the table has %d lines, want %d: each record once", got, 50*eventsEach)
	}
	k.send(t, 40) // which the next one skips
	r = startWorker(t, k, t.TempDir(), "-start", "end")
	for n := 0; len(r.lines(t)) == 0; n++ { // the position of the end is decided when a group has joined
		k.send(t, 1)
		time.Sleep(50 * time.Millisecond)
	}
	r.stopped(t)
	if old := strings.Contains(strings.Join(r.lines(t), ""), strconv.FormatUint(draw.Mix(50*eventsEach), 10)); old {
		t.Error("an event from before the start was stored, want only what came later")
	}
}

// TestBadRecords: what cannot be read is left out and counted, the rest is stored.
func TestBadRecords(t *testing.T) {
	k := newTopic(t)
	var wrong bytes.Buffer
	d, err := newDeflater("zlib-1")
	if err != nil {
		t.Fatal(err)
	}
	d.Reset(&wrong)
	if _, err := d.Write([]byte{0x0a, 0x7f, 1}); err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	k.produce(t, kgo.StringRecord("not compressed"), kgo.StringRecord(""), kgo.SliceRecord(wrong.Bytes()))
	k.send(t, 10)
	r := startWorker(t, k, t.TempDir())
	r.waitStored(t, 10)
	got := r.wait(t, "three bad records in each group", func(s statsReply) bool { return s.Failed == 9 })
	if got.Done != 30 {
		t.Errorf("%d records are stored, want 10 in each group", got.Done)
	}
	if _, body := r.get(t, "/metrics"); !strings.Contains(body, `worker_records_failed_total{group="table"} 3`) {
		t.Error("the metrics do not count the bad records")
	}
	r.stopped(t)
	if log := r.Stderr.String(); !strings.Contains(log, "decompressing") || !strings.Contains(log, "offset") {
		t.Errorf("the log does not say which records and why:\n%s", log)
	}
}
