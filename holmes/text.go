package holmes

import "bytes"

// trim keeps the beginning of a text dump: the ten largest entries of a heap or goroutine profile, which the runtime
// sorts, and the first 512,000 bytes of threads.
func trim(k kind, text []byte) []byte {
	if k == thread {
		return trimBytes(text, TrimResultMaxBytes)
	}
	return trimEntries(text, TrimResultTopN)
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
