package holmes

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
)

// trim keeps the ten largest entries of the text dump of a heap or goroutine profile, and the first 512,000 bytes of
// threads. The runtime sorts goroutines.
func trim(k kind, text []byte) []byte {
	switch k {
	case thread:
		return trimBytes(text, TrimResultMaxBytes)
	case mem, gcHeap:
		if h, ok := parseHeap(text); ok {
			h.sort()
			h.raiseMaker(TrimResultTopN)
			text = h.text(len(text))
		}
	}
	return trimEntries(text, TrimResultTopN)
}

// A heapText is the text of a heap profile in its parts.
type heapText struct {
	header, statistics []byte
	entries            []heapEntry
}

type heapEntry struct {
	text             []byte
	inUse, allocated int64
}

// parseHeap reads the text of a heap profile; false where it has another form.
func parseHeap(text []byte) (heapText, bool) {
	header, rest, _ := bytes.Cut(text, []byte("\n"))
	body, statistics, found := bytes.Cut(rest, []byte("\n\n\n"))
	if !found {
		return heapText{}, false
	}
	h := heapText{header: header, statistics: statistics}
	for part := range bytes.SplitSeq(body, []byte("\n\n")) {
		e := heapEntry{text: part}
		var objects, made int64
		if n, _ := fmt.Sscanf(string(part), "%d: %d [%d: %d] @", &objects, &e.inUse, &made, &e.allocated); n != 4 {
			return heapText{}, false
		}
		h.entries = append(h.entries, e)
	}
	return h, true
}

// sort puts the entries that hold most first, and of others those that allocated most. The runtime writes the smallest
// first (Go 1.25 and 1.26, runtime/pprof/pprof.go, writeHeapInternal): the first ten, which mosn.io/holmes keeps, are
// those that matter least.
func (h *heapText) sort() {
	slices.SortStableFunc(h.entries, func(a, b heapEntry) int {
		return cmp.Or(cmp.Compare(b.inUse, a.inUse), cmp.Compare(b.allocated, a.allocated))
	})
}

// raiseMaker makes the entry that allocated most of those from the n-th on the n-th. Memory that was freed a moment ago
// is still resident, which is what tripped, and is in use by nothing.
func (h *heapText) raiseMaker(n int) {
	if len(h.entries) <= n {
		return
	}
	rest := h.entries[n-1:]
	most := 0
	for i, e := range rest {
		if e.allocated > rest[most].allocated {
			most = i
		}
	}
	maker := rest[most]
	copy(rest[1:most+1], rest[:most])
	rest[0] = maker
}

func (h *heapText) text(size int) []byte {
	text := make([]byte, 0, size)
	text = append(append(text, h.header...), '\n')
	for _, e := range h.entries {
		text = append(append(text, e.text...), "\n\n"...)
	}
	return append(append(text, '\n'), h.statistics...)
}

// trimEntries keeps the first n entries, which empty lines divide. The statistics at the end of a heap profile are an
// entry, too.
func trimEntries(text []byte, n int) []byte {
	parts := bytes.SplitN(text, []byte("\n\n"), n+1)
	if len(parts) <= n {
		return text
	}
	return text[:len(text)-len(parts[n])-1]
}

// trimBytes keeps whole lines of at most n bytes.
func trimBytes(text []byte, n int) []byte {
	if len(text) <= n {
		return text
	}
	return text[:bytes.LastIndexByte(text[:n], '\n')+1]
}
