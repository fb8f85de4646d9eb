package blackbox

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// For the child of TestKill: the size of its ring, how often it changes the header, and the file with its count.
const (
	killedSamples = 200
	retarget      = 25
	countName     = "added"
)

// writeWithoutEnd adds samples at full speed, and counts them in a file beside the ring's folder.
func writeWithoutEnd(dir string) error {
	count, err := os.Create(filepath.Join(dir, countName))
	if err != nil {
		return err
	}
	r, err := Create(Config{Dir: filepath.Join(dir, "cases"), Samples: killedSamples})
	if err != nil {
		return err
	}
	fmt.Println("begun")
	var buf [8]byte
	for i := uint64(1); ; i++ {
		s := sample(int(i))
		for id := range vitals.ID(vitals.NumSignals) {
			s.Set(id, float64(i))
		}
		if err := r.Add(&s); err != nil {
			return err
		}
		binary.LittleEndian.PutUint64(buf[:], i)
		if _, err := count.WriteAt(buf[:], 0); err != nil {
			return err
		}
		if i%retarget == 0 {
			if err := r.SetTarget(casefile.Target{PID: int(i)}); err != nil {
				return err
			}
		}
	}
}

// TestKill kills a recorder at random moments. The ring must always be readable and contain everything that Add
// reported as written, except for at most the record that the next Add was about to overwrite.
func TestKill(t *testing.T) {
	lengths, moments := map[int]int{}, map[uint64]bool{}
	for moment := range 50 {
		dir := t.TempDir()
		added := killWriter(t, dir, moment)
		r := mustFind(t, filepath.Join(dir, "cases"))
		n := len(r.Samples)
		lengths[n]++
		moments[added] = true
		if wanted := min(int(added), killedSamples); n < wanted-1 || n > killedSamples {
			t.Errorf("moment %d: %d samples of %d added", moment, n, added)
		}
		for i := range r.Samples {
			wantUntorn(t, &r.Samples[i])
			if v := r.Samples[i].Values[0]; i > 0 && v != r.Samples[i-1].Values[0]+1 {
				t.Errorf("moment %d: sample %g follows sample %g", moment, v, r.Samples[i-1].Values[0])
			}
		}
		if added > 0 {
			if last := uint64(r.Samples[n-1].Values[0]); last != added && last != added+1 {
				t.Errorf("moment %d: the last sample is %d, %d were added", moment, last, added)
			}
		}
		if pid := uint64(r.Target.PID); pid%retarget != 0 || pid > added+1 || added >= retarget &&
			pid+2*retarget < added {
			t.Errorf("moment %d: the target is of sample %d, %d were added", moment, pid, added)
		}
		if err := r.Remove(); err != nil {
			t.Error(err)
		}
		wantFiles(t, filepath.Join(dir, "cases"), 0)
	}
	t.Log("kills by samples in the ring:", lengths)
	if len(moments) == 1 {
		t.Error("all kills came at the same moment: the test proves little")
	}
}

// killWriter lets a child write, kills it at a random moment and returns how many samples it had added.
func killWriter(t *testing.T, dir string, seed int) uint64 {
	t.Helper()
	random := rand.New(rand.NewPCG(uint64(seed), 1))
	cmd := child(t, "write", dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		t.Fatalf("the child said nothing: %v", cmd.Wait())
	}
	longest := 400 << (seed % 5) // µs: some before the ring is full, most after
	time.AfterFunc(time.Duration(random.IntN(longest))*time.Microsecond, func() { _ = cmd.Process.Kill() })
	for lines.Scan() {
	}
	_ = cmd.Wait() // killed, as the test wants
	if s := cmd.ProcessState.String(); s != "signal: killed" {
		t.Fatalf("the child ended by %q", s)
	}
	data, err := os.ReadFile(filepath.Join(dir, countName))
	if err != nil {
		t.Fatal(err)
	}
	if len(data) < 8 {
		return 0
	}
	return binary.LittleEndian.Uint64(data)
}

// wantUntorn wants all values to be from one Add.
func wantUntorn(t *testing.T, s *vitals.Sample) {
	t.Helper()
	for id := range vitals.ID(vitals.NumSignals) {
		if v, _ := s.Get(id); v != s.Values[0] {
			t.Errorf("signal %d of sample %g is %g", id, s.Values[0], v)
		}
	}
}
