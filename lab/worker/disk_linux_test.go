package worker

import (
	"os"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/internal/disktest"
)

// TestFullDisk: a full disk stops the groups. When there is space again, each record is stored once.
func TestFullDisk(t *testing.T) {
	if !disktest.InNamespace(t) {
		return
	}
	for _, write := range writeNames {
		t.Run(write, func(t *testing.T) {
			dir := disktest.Mount(t, 4<<20, 0)
			filler := disktest.Fill(t, dir, 64<<10)
			k := newTopic(t)
			r := startWorker(t, k, dir, "-write", write)
			k.send(t, 200) // some 250 KB in the table
			storeErrors := func() bool {
				_, body := r.get(t, "/metrics")
				return strings.Contains(body, `worker_store_errors_total{group="table"}`) &&
					!strings.Contains(body, `worker_store_errors_total{group="table"} 0`)
			}
			r.wait(t, "an error in storing", func(statsReply) bool { return storeErrors() })
			if err := os.Remove(filler); err != nil {
				t.Fatal(err)
			}
			r.waitStored(t, 200)
			r.stopped(t)
			lines := r.lines(t)
			for i := 1; i < len(lines); i++ {
				if lines[i] == lines[i-1] {
					t.Fatalf("stored twice: %s", lines[i])
				}
			}
			if len(lines) != 200*eventsEach || len(r.messages(t)) != 200 {
				t.Errorf("%d lines and %d messages, want %d and 200", len(lines), len(r.messages(t)), 200*eventsEach)
			}
			if log := r.Stderr.String(); !strings.Contains(log, "no space left on device") {
				t.Errorf("the log does not say why:\n%s", log)
			}
		})
	}
}

// TestStopWithFullDisk: a worker that cannot store still stops, and commits nothing.
func TestStopWithFullDisk(t *testing.T) {
	if !disktest.InNamespace(t) {
		return
	}
	dir := disktest.Mount(t, 1<<20, 0)
	k := newTopic(t)
	r := startWorker(t, k, dir)
	disktest.Fill(t, dir, 0)
	k.send(t, 50)
	r.wait(t, "an error in storing", func(statsReply) bool {
		_, body := r.get(t, "/metrics")
		return !strings.Contains(body, `worker_store_errors_total{group="archive"} 0`)
	})
	r.stopped(t)
	again := startWorker(t, k, t.TempDir())
	again.waitStored(t, 50)
	again.stopped(t)
}
