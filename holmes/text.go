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
		text = sortHeap(text)
	}
	return trimEntries(text, TrimResultTopN)
}

// sortHeap puts the entries of the text of a heap profile that hold most first, and of others those that allocated
// most. The runtime writes the smallest first (Go 1.25 and 1.26, runtime/pprof/pprof.go, writeHeapInternal): the first
// ten, which mosn.io/holmes keeps, are those that matter least. A text of another form stays as it is.
func sortHeap(text []byte) []byte {
	header, rest, _ := bytes.Cut(text, []byte("\n"))
	body, statistics, found := bytes.Cut(rest, []byte("\n\n\n"))
	if !found {
		return text
	}
	type entry struct {
		text             []byte
		inUse, allocated int64
	}
	var entries []entry
	for part := range bytes.SplitSeq(body, []byte("\n\n")) {
		e := entry{text: part}
		var objects, made int64
		if n, _ := fmt.Sscanf(string(part), "%d: %d [%d: %d] @", &objects, &e.inUse, &made, &e.allocated); n != 4 {
			return text
		}
		entries = append(entries, e)
	}
	slices.SortStableFunc(entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(b.inUse, a.inUse), cmp.Compare(b.allocated, a.allocated))
	})
	sorted := make([]byte, 0, len(text))
	sorted = append(append(sorted, header...), '\n')
	for _, e := range entries {
		sorted = append(append(sorted, e.text...), "\n\n"...)
	}
	return append(append(sorted, '\n'), statistics...)
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
