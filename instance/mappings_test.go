package instance

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

// The mappings of programs built with several versions of Go, with cgo, and with the race detector: the heap's arenas
// are found where the runtime has its account of them, and nothing else is.
func TestMappingsOfPrograms(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("the recordings are of amd64")
	}
	files, _ := filepath.Glob("testdata/smaps/*.txt")
	if len(files) == 0 {
		t.Fatal("no recordings")
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			all, err := parseMappings(bytes.NewReader(data))
			if err != nil {
				t.Fatal(err)
			}
			m := addUp(all, "/tmp/mprobe/x."+strings.TrimSuffix(filepath.Base(file), ".txt"))
			sum := m.Heap + m.Runtime + m.Program + m.Files + m.Shared + m.Anonymous
			if sum != m.RSS || m.RSS == 0 {
				t.Errorf("parts add up to %d, want %d", sum, m.RSS)
			}
			heap, planted := heapOf(t, data), int64(64<<20)
			if d := m.Heap - heap; d < -2<<20 || d > 1<<20 {
				t.Errorf("%d resident in the arenas, the runtime counts %d", m.Heap, heap)
			}
			if bytes.Contains(data, []byte("malloc")) {
				planted += 32 << 20
			}
			if m.Anonymous < planted || !strings.Contains(file, "race") && m.Anonymous > planted+6<<20 {
				t.Errorf("%d of C and mmap, planted are %d", m.Anonymous, planted)
			}
			if m.Program < 1<<20 || m.Files != 0 || m.Shared != 0 {
				t.Errorf("program %d, files %d, shared %d", m.Program, m.Files, m.Shared)
			}
		})
	}
}

// heapOf is the runtime's account of what it holds of its heap, from the lines "# /memory/classes/heap/… N".
func heapOf(t *testing.T, data []byte) (sum int64) {
	t.Helper()
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		var name string
		var n int64
		if _, err := fmt.Sscanf(lines.Text(), "# %s %d", &name, &n); err == nil && !strings.Contains(name, "released") {
			sum += n
		}
	}
	if sum == 0 {
		t.Fatal("the recording has no account")
	}
	return sum
}

func TestAddUpFiles(t *testing.T) {
	const smaps = `00400000-004ac000 r-xp 00000000 fe:00 42     /opt/my shop/shop (deleted)
Rss:                1000 kB
004ac000-00500000 rw-p 00000000 00:00 0
Rss:                  12 kB
0f8e2000-0f903000 rw-p 00000000 00:00 0      [heap]
Rss:                  20 kB
c000000000-c004000000 rw-p 00000000 00:00 0  [anon: Go: heap]
Rss:                 400 kB
LazyFree:            100 kB
7f0000000000-7f0000100000 rw-p 00000000 00:00 0   [anon: Go: gc bits]
Rss:                  30 kB
7f1000000000-7f1000100000 r--s 00000000 fe:00 7   /data/bolt.db
Rss:                 200 kB
7f2000000000-7f2000100000 r-xp 00000000 fe:00 8   /lib/libc.so.6
Rss:                 300 kB
7f3000000000-7f3000100000 rw-s 00000000 00:01 9   /memfd:queue (deleted)
Rss:                  40 kB
7f4000000000-7f4000100000 rw-p 00000000 00:00 0
Rss:                  50 kB
`
	all, err := parseMappings(strings.NewReader(smaps))
	if err != nil {
		t.Fatal(err)
	}
	got := addUp(all, "/opt/my shop/shop (deleted)")
	if len(got.Largest) != 1 || got.Largest[0] != (casefile.MappedFile{Name: "bolt.db", RSS: 200 << 10}) {
		t.Errorf("files %+v, want bolt.db", got.Largest)
	}
	got.Largest = nil
	want := fmt.Sprintf("%+v", casefile.MappedMemory{RSS: 2052 << 10, Heap: 400 << 10, Runtime: 30 << 10,
		Program: 1312 << 10, Files: 200 << 10, Shared: 40 << 10, Anonymous: 70 << 10, CHeap: 20 << 10,
		LazyFree: 100 << 10, Arenas: 64 << 20})
	if fmt.Sprintf("%+v", got) != want {
		t.Errorf("got  %+v\nwant %s", got, want)
	}
}

func TestParseMemory(t *testing.T) {
	got, err := parseMemory([]byte("Name:\tshop\nVmRSS:\t  900 kB\nRssAnon:\t  600 kB\nRssFile:\t  200 kB\n" +
		"RssShmem:\t  100 kB\nVmSwap:\t    7 kB\n"))
	want := casefile.ProcessMemory{RSS: 900 << 10, Anonymous: 600 << 10, File: 200 << 10, Shared: 100 << 10,
		Swapped: 7 << 10}
	if err != nil || got != want {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	if _, err := parseMemory([]byte("Name:\tkthreadd\n")); err == nil {
		t.Error("a process without memory has some")
	}
}

func FuzzParseMappings(f *testing.F) {
	f.Add([]byte("00400000-004ac000 r-xp 00000000 fe:00 42 /bin/x\nRss: 12 kB\n"))
	f.Add([]byte("c000000000-c004000000 rw-p 0 0 0\nRss: 99999999999999999999 kB\nLazyFree:\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		all, err := parseMappings(bytes.NewReader(data))
		if err == nil {
			addUp(all, "/bin/x")
		}
	})
}

func TestSelfMemory(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs /proc")
	}
	var e environment
	e.setMemory("", "self")
	m := e.Memory
	if m == nil || m.RSS < 1<<20 || m.Mapped == nil || m.Mapped.Program < 1<<20 || m.Mapped.Arenas == 0 {
		t.Errorf("of this process the memory is %+v, absent %v", m, e.Absent)
	}
	if got := memoryMetrics(); got["/memory/classes/heap/objects:bytes"] == 0 || got["/memory/classes/other:bytes"] == 0 {
		t.Errorf("the metrics of memory are %v", got)
	}
}
