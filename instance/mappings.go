package instance

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"path"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/casefile"
)

// A mapping is one line of /proc/PID/maps with what smaps adds to it.
type mapping struct {
	start, end    uint64
	used          bool // it may be read: a reservation may not
	path          string
	rss, lazyFree int64 // bytes
}

// anonymous reports whether a mapping is of no file and has no meaning that the kernel knows ([heap], [stack], [vdso]).
// Where the kernel keeps names (CONFIG_ANON_VMA_NAME), Go has named its own since 1.25.
func (m *mapping) anonymous() bool { return m.path == "" || m.ofGo() }

func (m *mapping) ofGo() bool { return strings.HasPrefix(m.path, "[anon: Go:") }

// maxMappings bounds what is read: the kernel allows 65,530 mappings (vm.max_map_count) unless told otherwise.
const maxMappings = 100_000

// parseMappings reads /proc/PID/smaps: a line like "00400000-004ac000 r-xp 00000000 fe:00 42   /bin/shop" and lines
// like "Rss:  688 kB" for each mapping.
func parseMappings(r io.Reader) ([]mapping, error) {
	var all []mapping
	for lines := bufio.NewScanner(r); ; {
		if !lines.Scan() {
			return all, lines.Err()
		}
		line := lines.Bytes()
		if m, ok := parseMapping(line); ok {
			if len(all) == maxMappings {
				return nil, fmt.Errorf("it has more than %d mappings", maxMappings)
			}
			all = append(all, m)
			continue
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		if len(all) == 0 {
			continue
		}
		switch last := &all[len(all)-1]; string(name) {
		case "Rss":
			last.rss = kilobytes(value)
		case "LazyFree":
			last.lazyFree = kilobytes(value)
		}
	}
}

// parseMapping reads the first line of a mapping. A path may have spaces.
func parseMapping(line []byte) (m mapping, ok bool) {
	span, rest, _ := strings.Cut(string(line), " ")
	from, to, isSpan := strings.Cut(span, "-")
	if !isSpan {
		return m, false
	}
	var err1, err2 error
	m.start, err1 = strconv.ParseUint(from, 16, 64)
	m.end, err2 = strconv.ParseUint(to, 16, 64)
	fields := strings.SplitN(rest, " ", 5) // permissions, offset, device, inode, path
	if err1 != nil || err2 != nil || m.end <= m.start || len(fields) < 4 {
		return m, false
	}
	m.used = strings.HasPrefix(fields[0], "r")
	if len(fields) == 5 {
		m.path = strings.TrimSpace(fields[4])
	}
	return m, true
}

// kilobytes reads "  688 kB" as bytes.
func kilobytes(b []byte) int64 {
	w, _ := word(bytes.TrimSpace(b))
	return int64(unsigned(w)) << 10
}

// addUp sorts the mappings of a process by what they are. exe is the path of its program as the kernel writes it.
func addUp(all []mapping, exe string) casefile.MappedMemory {
	var out casefile.MappedMemory
	files := make(map[string]int64)
	arena := arenas(all)
	for i := range all {
		m := &all[i]
		out.RSS += m.rss
		switch {
		case arena[i]:
			out.Heap += m.rss
			out.LazyFree += m.lazyFree
			if m.used {
				out.Arenas += int64(m.end - m.start)
			}
		case m.ofGo():
			out.Runtime += m.rss
		case m.path == "" && i > 0 && all[i-1].end == m.start && isProgram(all[i-1].path, exe): // its variables
			out.Program += m.rss
		case m.path == "" || strings.HasPrefix(m.path, "["):
			out.Anonymous += m.rss
			if m.path == "[heap]" {
				out.CHeap += m.rss
			}
		case isShared(m.path):
			out.Shared += m.rss
		case isProgram(m.path, exe):
			out.Program += m.rss
		default:
			out.Files += m.rss
			files[m.path] += m.rss
		}
	}
	out.Largest = largestFiles(files)
	return out
}

// isProgram reports whether a file is the program or a shared library: libc.so.6, plugin.so.
func isProgram(file, exe string) bool {
	base := path.Base(file)
	return file != "" && (file == exe || strings.HasSuffix(base, ".so") || strings.Contains(base, ".so."))
}

// isShared reports whether a path is one that the kernel gives to shared memory (man 5 proc, shmem in mm/shmem.c).
func isShared(file string) bool {
	return slices.ContainsFunc([]string{"/dev/shm/", "/memfd:", "/SYSV", "/dev/zero"}, func(prefix string) bool {
		return strings.HasPrefix(file, prefix)
	})
}

func largestFiles(files map[string]int64) (out []casefile.MappedFile) {
	for file, rss := range files {
		if rss > 0 {
			out = append(out, casefile.MappedFile{Name: path.Base(file), RSS: rss})
		}
	}
	slices.SortFunc(out, func(a, b casefile.MappedFile) int {
		return cmp.Or(cmp.Compare(b.RSS, a.RSS), strings.Compare(a.Name, b.Name))
	})
	return out[:min(len(out), 3)]
}

const (
	// arenaSize is what the Go heap grows by on 64-bit Linux, and what its arenas are aligned to (runtime/malloc.go,
	// heapArenaBytes).
	arenaSize = 64 << 20
	// arenasBelow bounds the addresses that the runtime asks for: since Go 1.26 a random one of 46 bits on amd64 and 47
	// elsewhere (runtime/malloc.go, randHeapAddrBits). What C and mmap get is above, at the kernel's choice.
	arenasBelow = 1 << 47
	amd64Below  = 1 << 46
	// oldArenas is where the heap begins before Go 1.26, and with the race detector: 0xc000000000, on arm64
	// 0x4000000000; the next terabyte is the heap's, too.
	oldArenas, oldArenasARM = 0xc0 << 32, 0x40 << 32
)

// arenas tells which mappings are arenas of the Go heap: whole arenas without a gap, where the runtime asks for them.
// Within one, parts that are not used yet are mappings of their own, which may not be read.
func arenas(all []mapping) []bool {
	is, below, old := make([]bool, len(all)), uint64(arenasBelow), uint64(oldArenas)
	switch runtime.GOARCH {
	case "amd64":
		below = amd64Below
	case "arm64":
		old = oldArenasARM
	}
	hasOld := slices.ContainsFunc(all, func(m mapping) bool { return m.anonymous() && m.start == old })
	for i := 0; i < len(all); {
		end := i + 1
		if !all[i].anonymous() {
			i = end
			continue
		}
		for end < len(all) && all[end].anonymous() && all[end].start == all[end-1].end {
			end++
		}
		from, to := all[i].start, all[end-1].end
		found := from%arenaSize == 0 && to%arenaSize == 0 && to <= below
		if hasOld {
			found = from%arenaSize == 0 && from >= old && from < old+1<<40
		}
		for ; i < end; i++ {
			is[i] = found
		}
	}
	return is
}
