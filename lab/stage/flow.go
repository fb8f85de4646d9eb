package stage

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/app/prove"
)

// A flow is how many bytes go through a service while it is loaded: those of the stream that it works on, which it
// counts itself, and those that it writes, which the kernel counts. The flow of a service that counts none is nil.
type flow struct {
	stage *Stage
	begun bytesCounted // at the beginning of the round
}

// bytesCounted is what was counted since the process started.
type bytesCounted struct {
	stream  float64 // the service's own count
	written float64 // by system calls (wchar), connections included
	disk    float64 // that the kernel has to bring to a disk (write_bytes): none for a file system in memory
}

func newFlow(s *Stage) *flow {
	if s.cfg.Bytes == "" {
		return nil
	}
	return &flow{stage: s}
}

// begin is called when a round begins.
func (f *flow) begin(ctx context.Context) (err error) {
	if f != nil {
		f.begun, err = f.read(ctx)
	}
	return err
}

// end is called when the round has gone on for so many seconds. It adds what went through to r, and begins the next.
func (f *flow) end(ctx context.Context, seconds float64, r prove.Round) error {
	if f == nil {
		return nil
	}
	now, err := f.read(ctx)
	if err != nil {
		return err
	}
	stream, written := now.stream-f.begun.stream, now.written-f.begun.written
	if seconds > 0 {
		r[prove.Stream], r[prove.WriteRate] = stream/seconds, (now.disk-f.begun.disk)/seconds
	}
	if stream > 0 {
		r[prove.WrittenPer] = written / stream
	}
	f.begun = now
	return nil
}

// read asks the service and the kernel.
func (f *flow) read(ctx context.Context) (c bytesCounted, err error) {
	status, body, err := f.stage.get(ctx, f.stage.cfg.Bytes)
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("status %d", status)
	}
	var counted struct{ Bytes float64 }
	if err == nil {
		err = json.Unmarshal(body, &counted)
	}
	if err != nil {
		return c, fmt.Errorf("asking %s for its bytes at %s: %w", f.stage.Name, f.stage.cfg.Bytes, err)
	}
	c.stream = counted.Bytes
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/io", f.stage.PID()))
	if err != nil {
		return c, fmt.Errorf("what %s writes is not known: %w", f.stage.Name, err)
	}
	c.written, c.disk = ioCount(string(text), "wchar"), ioCount(string(text), "write_bytes")
	return c, nil
}

// ioCount is a line of /proc/PID/io (proc(5)); 0 without it.
func ioCount(text, name string) float64 {
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, name+":"); ok {
			n, _ := strconv.ParseFloat(strings.TrimSpace(rest), 64)
			return n
		}
	}
	return 0
}
