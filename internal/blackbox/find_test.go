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
	"testing"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

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

// tree writes a recorded system.
func tree(t *testing.T, files map[string]string) system {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return system{filepath.Join(root, "proc"), filepath.Join(root, "cgroup")}
}

func TestOOMCounter(t *testing.T) {
	const v1 = "oom_kill_disable 0\nunder_oom 0\noom_kill 3\n"
	const v2 = "low 0\nhigh 9\nmax 4711\noom 8\noom_kill 3\noom_group_kill 0\n"
	for _, c := range []struct {
		name, cgroup, file, text string
		want                     bool
	}{
		{"v1", "5:devices:/\n4:memory:/a/b\n0::/\n", "memory/a/b/memory.oom_control", v1, true},
		{"v1 in a container", "4:memory:/docker/3f2a\n", "memory/memory.oom_control", v1, true},
		{"v1 before Linux 4.13", "4:memory:/\n", "memory/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\n",
			false},
		{"v2", "0::/system.slice/phones.service\n", "system.slice/phones.service/memory.events", v2, true},
		{"v2 in a container", "0::/../../pod\n", "memory.events", v2, true},
		{"both", "1:name=systemd:/\n0::/user\n", "unified/user/memory.events", v2, true},
		{"garbage", "memory\n::\n4:memory:\n", "other", v1, false},
		{"not a number", "0::/\n", "memory.events", "oom_kill many\n", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			sys := tree(t, map[string]string{"proc/self/cgroup": c.cgroup, "cgroup/" + c.file: c.text})
			got := sys.findOOMCounter()
			if !c.want {
				if got != nil {
					t.Errorf("found %+v, want nothing", got)
				}
				return
			}
			file := filepath.Join(sys.cgroups, c.file)
			if got == nil || got.Kills != 3 || got.File != file {
				t.Fatalf("found %+v, want 3 in %s", got, file)
			}
			if got.Inode == 0 {
				t.Skip("no inodes here")
			}
			wantKills(t, sys, *got, 0, true)
			if err := os.WriteFile(file, []byte("oom_kill 5\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			wantKills(t, sys, *got, 2, true)
			other := *got
			other.Inode++
			wantKills(t, sys, other, 0, false)
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
			wantKills(t, sys, *got, 0, false)
		})
	}
}

func wantKills(t *testing.T, sys system, c oomCounter, want int64, ok bool) {
	t.Helper()
	if n, known := sys.killsSince(&c); n != want || known != ok {
		t.Errorf("killsSince = %d, %v; want %d, %v", n, known, want, ok)
	}
}

// The path comes from a file, so nothing but a counter is read.
func TestCounterPaths(t *testing.T) {
	sys := system{"/proc", "/sys/fs/cgroup"}
	for path, want := range map[string]bool{
		"/sys/fs/cgroup/a/memory.events": true, "/sys/fs/cgroup/memory/memory.oom_control": true,
		"/etc/passwd": false, "/sys/fs/cgroup/../../../etc/memory.events": false, "/sys/fs/cgroup/cgroup.kill": false,
		"":                   false,
		"/dev/memory.events": false, "memory.events": false,
	} {
		if got := sys.isCounter(path); got != want {
			t.Errorf("isCounter(%q) = %v, want %v", path, got, want)
		}
	}
}

func TestBoot(t *testing.T) {
	here, there := tree(t, map[string]string{"proc/sys/kernel/random/boot_id": "aaaa-1\n"}),
		tree(t, map[string]string{"proc/sys/kernel/random/boot_id": "bbbb-2\n"})
	for _, c := range []struct {
		name, boot string
		sys        system
		want       bool
	}{
		{"same", "aaaa-1", here, false}, {"another", "aaaa-1", there, true}, {"unknown then", "", there, false},
		{"unknown now", "aaaa-1", system{}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := mustCreate(t, Config{Samples: 1})
			r.header.Boot = c.boot
			if err := r.SetTarget(phones()); err != nil {
				t.Fatal(err)
			}
			abandon(t, r)
			got, err := claim(r.Path(), c.sys)
			if err != nil || got.Rebooted != c.want {
				t.Fatalf("claim = %+v, %v; want rebooted %v", got, err, c.want)
			}
			got.Release()
		})
	}
}
