package stringbytes

import (
	"bytes"
	"hash"
	"io"
	"net/http"
	"os"
	"strings"
)

func clone(b []byte) []byte { return []byte(string(b)) } // want `copies the bytes twice`

func same(s string) string { return string([]byte(s)) } // want `copies the string twice`

func find(b []byte) bool {
	return strings.Contains(string(b), "needle") // want `bytes.Contains answers the same without a copy`
}

func both(a, b []byte) bool {
	return strings.HasPrefix(string(a), string(b)) // want `bytes.HasPrefix answers the same without a copy`
}

func at(b []byte) int {
	return strings.IndexByte(string(b), 'x') // want `bytes.IndexByte answers the same without a copy`
}

func lines(w io.Writer, rows [][]byte, sep string) {
	for _, r := range rows {
		w.Write(r)
		w.Write([]byte(sep)) // want `the loop makes this copy at each turn`
	}
}

func count(rows []string, key []byte, f func(string) int) (n int) {
	for range rows {
		n += f(string(key)) // want `the loop makes this copy at each turn`
	}
	return n
}

func initial(name string) rune {
	return []rune(name)[0] // want `decodes the whole string for its first letter`
}

func answer(w http.ResponseWriter, text string) {
	w.Write([]byte(text)) // want `io.WriteString`
}

type textWriter interface {
	io.Writer
	io.StringWriter
}

func answers(w textWriter, texts []string) {
	for _, t := range texts {
		w.Write([]byte(t)) // want `io.WriteString`
	}
}

func reader(s string) io.Reader { return bytes.NewReader([]byte(s)) } // want `strings.NewReader reads it as it is`

func bytesReader(b []byte) io.Reader { return strings.NewReader(string(b)) } // want `bytes.NewReader reads them as they are`

// What follows is fine.

func sum(h hash.Hash, w io.Writer, s string) {
	h.Write([]byte(s))
	w.Write([]byte(s)) // who knows
}

func second(name string) rune { return []rune(name)[1] }

func buffered(b *bytes.Buffer, text string) { b.Write([]byte(text)) }

func index(m map[string]int, keys [][]byte) (n int) {
	for _, k := range keys {
		n += m[string(k)]
	}
	return n
}

func compare(rows []string, key []byte) (n int) {
	for _, r := range rows {
		if r == string(key) {
			n++
		}
	}
	return n
}

func once(b []byte) string { return strings.ToUpper(string(b)) }

func variable(b []byte, s string) bool { return strings.Contains(string(b), s) }

func changes(f func(string), rows [][]byte) {
	var buf []byte
	for _, r := range rows {
		buf = append(buf[:0], r...)
		f(string(buf))
	}
}

func reads(r io.Reader, f func(string)) {
	buf := make([]byte, 10)
	for {
		n, err := r.Read(buf)
		if err != nil {
			return
		}
		f(string(buf[:n]))
	}
}

func filled(r io.Reader, f func(string)) {
	buf := make([]byte, 4)
	for {
		if _, err := io.ReadFull(r, buf); err != nil {
			return
		}
		f(string(buf))
	}
}

func keeps(rows []string, s string) (out [][]byte) {
	for range rows {
		out = append(out, []byte(s)) // each is another's to change
	}
	return out
}

func bytesOf(b []byte) bool { return bytes.Contains(b, []byte("needle")) }

func file(name string) string {
	b, _ := os.ReadFile(name)
	return string(b)
}

func seen(rows [][]byte, key string) (n int) {
	for _, r := range rows {
		n += bytes.Index(r, []byte(key)) // no copy
	}
	return n
}
