package cli_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/victimtest"
)

// Real processes with a known use of their memory: a capture from outside has it in the right row, within a tenth, and
// the rows add up to what is resident.
func TestMemoryOfPlantedProcesses(t *testing.T) {
	t.Parallel()
	const mib = 1 << 20
	for _, c := range []struct {
		plant, row string
		bytes      int
	}{
		{"live", "live", 64 * mib},
		{"garbage", "garbage", 64 * mib},
		{"holes", "holes", 64 * mib},
		{"stacks", "stacks", 100_000 * 2048},
		{"file", "files", 64 * mib},
		{"anon", "anonymous", 128 * mib},
	} {
		t.Run(c.plant, func(t *testing.T) {
			t.Parallel()
			addr, _ := victimtest.Start(t, victim, "-plant", c.plant, "-bytes", strconv.Itoa(c.bytes))
			for try := 1; ; try++ { // what is live is known when two readings after a collection came in time
				m, wrong := memoryOf(t, addr)
				if wrong == "" {
					wrong = plantedWrong(m, c.row, float64(c.bytes))
				}
				if wrong == "" {
					break
				}
				if t.Log(wrong); try == 5 {
					t.Fatal("no capture has it")
				}
			}
		})
	}
}

// memoryOf captures a process, shows the case, and returns its table of the memory. On a machine that is busy enough a
// capture gets no answer in time; then it says what the capture said.
func memoryOf(t *testing.T, addr string) (m *casefile.MemoryTable, failed string) {
	t.Helper()
	dir := t.TempDir()
	taken := inProcess(t, "capture", "--profile", "1s", "--before", "2s", "--kinds", "runtime,heap", "--dir", dir,
		"http://"+addr)
	if taken.code > 1 {
		return nil, taken.out + taken.errors
	}
	r := inProcess(t, "case", "show", "--dir", dir)
	r.want(t, 0, "\nmemory  ", " MiB resident")
	narrow(t, r.out)
	var got casefile.Case
	if err := json.Unmarshal([]byte(inProcess(t, "case", "show", "--json", "--dir", dir).out), &got); err != nil {
		t.Fatal(err)
	}
	if got.Picture == nil || got.Picture.Memory == nil {
		t.Fatal("the case has no table of the memory")
	}
	return got.Picture.Memory, ""
}

// plantedWrong says what is wrong with a table of a process with so much planted memory of a kind; "" for nothing.
func plantedWrong(m *casefile.MemoryTable, kind string, planted float64) string {
	sum, found := int64(0), math.NaN()
	for _, row := range m.Rows {
		if row.Bytes == nil {
			return row.Kind + " is not known: " + row.Text
		}
		if sum += *row.Bytes; row.Kind == kind {
			found = float64(*row.Bytes)
		}
	}
	switch {
	case sum != m.Total:
		return fmt.Sprintf("the rows add up to %d, the total is %d", sum, m.Total)
	case !(found >= 0.9*planted && found <= 1.1*planted):
		return fmt.Sprintf("%s has %.0f bytes, planted were %.0f: %s", kind, found, planted, m.Text)
	}
	return ""
}
