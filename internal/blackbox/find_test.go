package blackbox

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

func TestOwners(t *testing.T) {
	dir := t.TempDir()
	living := mustCreate(t, Config{Dir: dir})
	dead := mustCreate(t, Config{Dir: dir})
	wantFound(t, dir, 0) // two in one process do not block each other
	abandon(t, dead)

	var claims atomic.Int32
	var claimed *Record
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			records, err := Find(dir)
			if err != nil {
				t.Error(err)
			}
			if len(records) > 0 {
				claims.Add(int32(len(records)))
				claimed = records[0]
			}
		})
	}
	wg.Wait()
	if claims.Load() != 1 || claimed.Path != dead.Path() {
		t.Fatalf("%d starts claimed the ring, want one", claims.Load())
	}
	claimed.Release()
	claimed.Release()
	if err := claimed.Remove(); err != nil {
		t.Errorf("Remove after Release: %v", err)
	}
	r := mustFind(t, dir) // released, it is reported again
	for range 2 {
		if err := r.Remove(); err != nil {
			t.Error(err)
		}
	}
	wantFound(t, dir, 0)
	mustAdd(t, living, sample(1))
	wantFiles(t, dir, 1)
}

// A damaged ring is reported once, by name, and does not hide the others.
func TestDamaged(t *testing.T) {
	good := func(t *testing.T) []byte {
		r := mustCreate(t, Config{Samples: 3})
		mustAdd(t, r, sample(1), sample(2))
		data, err := os.ReadFile(r.Path())
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	for name, c := range map[string]struct {
		damage func([]byte) []byte
		want   string
	}{
		"empty": {func([]byte) []byte { return nil }, `does not begin with "CASEBBX1"`},
		"other": {func([]byte) []byte { return bytes.Repeat([]byte("x"), 1<<20) },
			`does not begin with "CASEBBX1"`},
		"header cut":  {func(b []byte) []byte { return b[:slotSize+100] }, "cut short"},
		"bit flipped": {func(b []byte) []byte { b[slotSize+slotStart+50] ^= 1; return b }, "checksum is wrong"},
		"later schema": {func(b []byte) []byte {
			return reseal(bytes.Replace(b, []byte(`"schema":1`),
				[]byte(`"schema":2`), 1))
		}, "schema 2, this version reads 1"},
		"too many": {func(b []byte) []byte {
			return reseal(bytes.Replace(b, []byte(`"records":3`), []byte(`"records":0`), 1))
		}, "lists 0 records"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			abandon(t, mustCreate(t, Config{Dir: dir}))
			path := filepath.Join(dir, ringPrefix+"bad")
			if err := os.WriteFile(path, c.damage(good(t)), 0o600); err != nil {
				t.Fatal(err)
			}
			records, err := Find(dir)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path+": ") ||
				!strings.Contains(err.Error(), "kept as .damaged-blackbox-bad for a week") {
				t.Errorf("the error is %v, want %q", err, c.want)
			}
			for _, r := range records {
				r.Release()
			}
			wantFound(t, dir, 1)
			old := time.Now().Add(-damagedAge - time.Hour)
			if err := os.Chtimes(filepath.Join(dir, damagedPrefix+"bad"), old, old); err != nil {
				t.Fatal(err)
			}
			wantFound(t, dir, 1)
			wantFiles(t, dir, 1)
		})
	}
}

// reseal makes the checksum of the second slot, which is written first, valid again.
func reseal(file []byte) []byte {
	slot := file[slotSize:ringStart]
	length := binary.LittleEndian.Uint32(slot[len(magic)+8:])
	sum := crc32.ChecksumIEEE(slot[:len(magic)+12])
	sum = crc32.Update(sum, crc32.IEEETable, slot[slotStart:slotStart+int(length)])
	binary.LittleEndian.PutUint32(slot[len(magic)+12:], sum)
	return file
}

// A torn record, or a file that ends early, loses only itself.
func TestTorn(t *testing.T) {
	for name, c := range map[string]struct {
		damage func(b []byte, record int) []byte
		want   []float64
	}{
		// the place of 4
		"torn":      {func(b []byte, n int) []byte { b[ringStart+n+100] ^= 0x10; return b }, []float64{3, 5}},
		"cut":       {func(b []byte, n int) []byte { return b[:ringStart+n+100] }, []float64{3}},
		"no record": {func(b []byte, _ int) []byte { return b[:ringStart] }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			r := mustCreate(t, Config{Dir: dir, Samples: 3})
			for i := range 6 { // 3, 4, 5 remain
				mustAdd(t, r, sample(i))
			}
			abandon(t, r)
			data, err := os.ReadFile(r.Path())
			if err == nil {
				err = os.WriteFile(r.Path(), c.damage(data, r.header.recordSize()), 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
			got := mustFind(t, dir).Samples
			if len(got) != len(c.want) {
				t.Fatalf("%d samples, want %v", len(got), c.want)
			}
			for i, want := range c.want {
				if v, _ := got[i].Get(vitals.Goroutines); v != want {
					t.Errorf("sample %d is %g, want %g", i, v, want)
				}
			}
		})
	}
}

func TestUnfinishedRing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, ringPrefix+"x"+partSuffix)
	if err := os.WriteFile(path, []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	wantFound(t, dir, 0)
	wantFiles(t, dir, 1) // its maker may still be writing it
	old := time.Now().Add(-2 * partAge)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	wantFound(t, dir, 0)
	wantFiles(t, dir, 0)
}

// A crash loop that never reports leaves many rings. Each Find takes some of them, newest first.
func TestManyRings(t *testing.T) {
	dir := t.TempDir()
	for i := range maxRings + 3 {
		r := mustCreate(t, Config{Dir: dir, Samples: 1})
		mustAdd(t, r, sample(i))
		abandon(t, r)
		when := start.Add(time.Duration(i) * time.Minute)
		if err := os.Chtimes(r.Path(), when, when); err != nil {
			t.Fatal(err)
		}
	}
	records, err := Find(dir)
	if err != nil || len(records) != maxRings {
		t.Fatalf("Find = %d records, %v; want %d", len(records), err, maxRings)
	}
	if v, _ := records[0].Samples[0].Get(vitals.Goroutines); v != maxRings+2 {
		t.Errorf("the first record is ring %g, want the newest", v)
	}
	for _, r := range records {
		if err := r.Remove(); err != nil {
			t.Error(err)
		}
	}
	wantFound(t, dir, 3)
}

// A file of another version is read by its names.
func TestOtherVersion(t *testing.T) {
	columns := []column{
		{"from_the_future", vitals.Seconds, "text"}, {"goroutines", vitals.Count, ""}, {"cpu", vitals.Share, ""},
		{"NO NAME", vitals.Count, ""},
		{"odd_unit", "furlong", ""}, {"rss", vitals.Bytes, ""}, {"from_the_future", vitals.Seconds, ""},
	}
	catalog, places := match(columns)
	if want := []vitals.ID{vitals.ID(vitals.NumSignals), vitals.Goroutines, -1, -1, -1, vitals.RSS,
		-1}; !slices.Equal(places, want) {
		t.Errorf("places are %v, want %v", places, want)
	}
	if extra := catalog.Extra(); len(extra) != 1 || extra[0].Name != "from_the_future" ||
		extra[0].Unit != vitals.Seconds || extra[0].Text != "text" {
		t.Errorf("extra signals are %v", extra)
	}
}

func FuzzReadRing(f *testing.F) {
	r := mustCreate(f, Config{Samples: 2})
	mustAdd(f, r, sample(1), sample(2))
	data, err := os.ReadFile(r.Path())
	if err != nil {
		f.Fatal(err)
	}
	slot := bytes.TrimRight(data[slotSize:ringStart], "\x00")
	f.Add(slot[slotStart:], data[ringStart:])
	f.Add([]byte(`{"schema":1,"records":36000,"signals":[{"name":"cpu","unit":"cores"}]}`),
		data[ringStart:ringStart+100])
	f.Add([]byte(`{"schema":1,"records":1,"signals":[{},{"name":"x","unit":"count"},{"name":"x","unit":"count"}]}`),
		[]byte{})
	f.Fuzz(func(t *testing.T, head, ring []byte) {
		_, _, _, _ = readRing(bytes.NewReader(append(bytes.Clone(head), ring...))) // any bytes: no panic

		file := make([]byte, ringStart, ringStart+len(ring))
		slot := file[slotSize:]
		if len(head) > slotSize-slotStart {
			return
		}
		copy(slot, magic)
		slot[len(magic)] = 1
		binary.LittleEndian.PutUint32(slot[len(magic)+8:], uint32(len(head)))
		copy(slot[slotStart:], head)
		h, catalog, samples, err := readRing(bytes.NewReader(sealRecords(append(reseal(file), ring...))))
		if err != nil {
			return
		}
		if len(samples) > h.Records || len(samples) > maxSamples || catalog.Len() > vitals.NumSignals+vitals.MaxExtra {
			t.Errorf("%d samples of %d records, %d signals", len(samples), h.Records, catalog.Len())
		}
		rec := Record{Target: h.Target, Started: h.Started, Samples: samples, Catalog: catalog, OOMKills: -1}
		if tr := rec.Trigger(); tr.Rule != Killed || tr.Text == "" {
			t.Errorf("the trigger is %+v", tr)
		}
	})
}

// sealRecords makes the checksums of all records valid.
func sealRecords(file []byte) []byte {
	h, _, err := decodeSlot(file[slotSize:ringStart])
	if err != nil {
		return file
	}
	size := h.recordSize()
	for at := ringStart; at+size <= len(file); at += size {
		end := at + size - recordTail
		binary.LittleEndian.PutUint32(file[end:], crc32.ChecksumIEEE(file[at:end]))
	}
	return file
}

func TestRoundTrip(t *testing.T) {
	queue := vitals.Signal{Name: "queue_length", Unit: vitals.Count, Text: "jobs that wait"}
	catalog, err := vitals.NewCatalog(queue)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ samples, added int }{{5, 0}, {5, 1}, {5, 5}, {5, 6}, {5, 23}, {1, 3}} {
		dir := t.TempDir()
		r := mustCreate(t, Config{Dir: dir, Target: phones(), Catalog: catalog, Samples: c.samples, Interval: 7})
		for i := range c.added {
			s := sample(i)
			s.Set(vitals.ID(vitals.NumSignals), float64(-i))
			mustAdd(t, r, s)
		}
		abandon(t, r)
		got := mustFind(t, dir)
		if want := min(c.samples, c.added); len(got.Samples) != want {
			t.Fatalf("%d of %d samples came back, want %d", len(got.Samples), c.added, want)
		}
		for i := range got.Samples {
			n := c.added - len(got.Samples) + i
			want := sample(n)
			want.Set(vitals.ID(vitals.NumSignals), float64(-n))
			wantSample(t, &got.Samples[i], &want)
		}
		if s := got.Catalog.Extra(); len(s) != 1 || s[0] != queue {
			t.Errorf("the extra signals are %v", s)
		}
		if !reflect.DeepEqual(got.Target, phones()) || got.Interval != 7 || got.PID != os.Getpid() ||
			!got.Started.Equal(r.header.Started) || got.Rebooted {
			t.Errorf("the record is %+v", got)
		}
	}
}

func wantSample(t *testing.T, got, want *vitals.Sample) {
	t.Helper()
	if !got.Time.Equal(want.Time) {
		t.Errorf("a sample of %s came back as of %s", want.Time, got.Time)
	}
	for id := range got.Values {
		if g, w := got.Values[id], want.Values[id]; g != w && !(math.IsNaN(g) && math.IsNaN(w)) {
			t.Errorf("at %s signal %d came back as %g, want %g", want.Time, id, g, w)
		}
	}
}

func TestCleanEndLeavesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "not", "there", "yet")
	r := mustCreate(t, Config{Dir: dir, Target: phones()})
	info, err := os.Stat(r.Path())
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 || !strings.HasPrefix(info.Name(), ".blackbox-phones-") ||
		info.Size() != r.header.size() {
		t.Errorf("the ring is %s %s, %d bytes", info.Name(), info.Mode(), info.Size())
	}
	s := sample(0)
	for range 2 {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		if err := errors.Join(r.Add(&s)); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("Add after Close: %v", err)
		}
		if err := r.SetTarget(phones()); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("SetTarget after Close: %v", err)
		}
	}
	wantFiles(t, dir, 0)
	wantFound(t, dir, 0)
}

func TestSetTarget(t *testing.T) {
	dir := t.TempDir()
	r := mustCreate(t, Config{Dir: dir, Target: phones()})
	for pid := range 5 {
		mustAdd(t, r, sample(pid))
		if err := r.SetTarget(casefile.Target{Name: "phones", PID: pid}); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.SetTarget(casefile.Target{Name: strings.Repeat("x", slotSize)}); err == nil ||
		!strings.Contains(err.Error(), "shorten the target's name") {
		t.Errorf("SetTarget of a name that is too long: %v", err)
	}
	mustAdd(t, r, sample(5))
	abandon(t, r)
	if got := mustFind(t, dir); got.Target.PID != 4 || len(got.Samples) != 6 {
		t.Errorf("the record has pid %d and %d samples, want 4 and 6", got.Target.PID, len(got.Samples))
	}
}

// The header has space for the largest number of extra signals, with the longest names and texts.
func TestFullCatalog(t *testing.T) {
	var extra []vitals.Signal
	for i := range vitals.MaxExtra {
		name := strings.Repeat(string(rune('a'+i%26)), 58) + string(rune('0'+i/26)) + "x"
		extra = append(extra, vitals.Signal{Name: name, Unit: vitals.BytesPerSecond, Text: strings.Repeat("<é", 5000)})
	}
	catalog, err := vitals.NewCatalog(extra...)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	abandon(t, mustCreate(t, Config{Dir: dir, Catalog: catalog}))
	if got := mustFind(t, dir).Catalog.Extra(); len(got) != len(extra) || got[31].Name != extra[31].Name {
		t.Errorf("%d extra signals came back, want %d", len(got), len(extra))
	}
}
