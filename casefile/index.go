package casefile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"time"
)

// The index of a folder of cases is a file next to them, ".index": the Summary of each case, and how its folder and its
// case.json looked to the file system when they were read. It saves reading thousands of case.json, and is never more
// than a saving:
//
//   - Which cases there are, the folder says; and an entry is used only while the two look as they did (a stamp each).
//     A folder's time changes whenever a file in it comes, goes or is replaced, and that is the only way in which a
//     Casebook changes a case.
//   - What changed within the last two seconds is not noted: file systems count time in steps, in the worst case (FAT)
//     of two seconds, and a second change in the same step would look like the first. Git calls such entries racily
//     clean.
//   - Writers need no lock: each replaces the file in one step, entries are valid, whatever process wrote them, and
//     what the last writer did not know is read again.
//   - A file that is damaged, older, newer or unreadable is no index. If it cannot be written, there is none.
//
// Its first line is indexVersion and the CRC-32 (IEEE) of the rest. Each line of that is an ID, a space and an entry as
// JSON. Entries stay text until they are asked for: decoded all at once they take five times as much memory.
type index struct {
	dir   string
	now   time.Time
	known map[string][]byte // lines as read, by ID
	keep  [][]byte          // lines that belong into the next index, newest first
	dead  int               // lines that were read and are not in keep
	fresh int               // lines in keep that were not read
	seen  stamps            // of the case that look was asked for last
}

type indexEntry struct {
	Summary
	Stamps stamps `json:"stamps"`
}

// stamps are of the folder of a case and of its case.json.
type stamps struct {
	Folder stamp `json:"folder"`
	Case   stamp `json:"case"`
}

// A stamp is how a file looks without being opened.
type stamp struct {
	Size     int64 `json:"size"`
	Modified int64 `json:"modified"` // Unix ns
	// Unix ns: the inode's own time, which nobody can set; 0 if it is not available
	Changed int64  `json:"changed,omitempty"`
	Inode   uint64 `json:"inode,omitempty"`
}

const (
	indexName    = ".index"
	indexVersion = "casebook-index-3"
	maxIndex     = 64 << 20 // bytes: 100,000 cases
	// indexWorth is how many cases are read again and again before the index is written: reading one takes 0.2 ms, and
	// writing 10,000 entries 50 ms. A folder of a few cases has no index.
	indexWorth = 32
	// settledFor is how long nothing must have changed: the coarsest step of time of a file system.
	settledFor = 2 * time.Second
)

func openIndex(dir string, now time.Time) *index {
	x := &index{dir: dir, now: now, known: make(map[string][]byte)}
	x.read()
	x.dead = len(x.known)
	return x
}

// read takes what can be read.
func (x *index) read() {
	root, err := os.OpenRoot(x.dir)
	if err != nil {
		return
	}
	defer root.Close()
	data, err := readFile(root, indexName, maxIndex)
	if err != nil {
		return
	}
	head, body, _ := bytes.Cut(data, []byte{'\n'})
	if string(head) != indexHead(body) {
		return
	}
	for line := range bytes.Lines(body) {
		id, _, _ := bytes.Cut(line, []byte{' '})
		x.known[string(id)] = line
	}
}

func indexHead(body []byte) string {
	return fmt.Sprintf("%s %08x", indexVersion, crc32.ChecksumIEEE(body))
}

// stamps are those of a finished case; false where there is none.
func (p place) stamps() (stamps, bool) {
	if p.Unfinished {
		return stamps{}, false
	}
	folder, err1 := os.Lstat(p.Path)
	file, err2 := os.Lstat(filepath.Join(p.Path, caseName))
	if err1 != nil || err2 != nil {
		return stamps{}, false
	}
	return stamps{stampOf(folder), stampOf(file)}, true
}

func decodeEntry(line []byte) (e indexEntry, ok bool) {
	_, text, _ := bytes.Cut(line, []byte{' '})
	return e, json.Unmarshal(text, &e) == nil
}

// look returns the summary of a case if the index has it as the case is now.
func (x *index) look(p place) (Summary, bool) {
	seen, whole := p.stamps()
	x.seen = seen
	if !whole {
		return Summary{}, false
	}
	line := x.known[p.ID]
	e, ok := decodeEntry(line)
	if !ok || e.ID != p.ID || e.Stamps != x.seen {
		return Summary{}, false
	}
	x.keep = append(x.keep, line)
	x.dead--
	e.Path = p.Path
	return e.Summary, true
}

// note takes the summary of the case that look was asked for last into the next index.
func (x *index) note(s Summary) {
	if s.Err != nil || x.seen == (stamps{}) || !x.seen.settled(x.now) || len(s.Rule) > maxSummaryText {
		return
	}
	text, err := json.Marshal(indexEntry{s, x.seen})
	if err != nil {
		return
	}
	x.keep = append(x.keep, fmt.Appendf(nil, "%s %s\n", s.ID, text))
	x.fresh++
}

// save writes the index if that is worth it. Where it cannot be written, cases are read again.
func (x *index) save() {
	if x.fresh+x.dead < indexWorth {
		return
	}
	root, err := os.OpenRoot(x.dir)
	if err != nil {
		return
	}
	defer root.Close()
	if data := x.encode(); len(data) <= maxIndex {
		_ = replaceFile(root, indexName, data)
	}
}

func (x *index) encode() []byte {
	head := len(indexHead(nil)) + 1 // as long for any body
	size := head
	for _, line := range x.keep {
		size += len(line)
	}
	data := make([]byte, head, size)
	for _, line := range x.keep {
		data = append(data, line...)
	}
	copy(data, indexHead(data[head:])+"\n")
	return data
}

func (s stamps) settled(now time.Time) bool {
	limit := now.Add(-settledFor).UnixNano()
	return max(s.Folder.Modified, s.Folder.Changed, s.Case.Modified, s.Case.Changed) < limit
}

func stampOf(info os.FileInfo) stamp {
	s := stamp{Size: info.Size(), Modified: info.ModTime().UnixNano()}
	s.Changed, s.Inode = inode(info)
	return s
}
