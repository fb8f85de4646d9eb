// Package bufferpool writes pieces.
package bufferpool

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

func render(names []string) string {
	var b bytes.Buffer
	for _, n := range names {
		fmt.Fprintf(&b, "%s,", n)
	}
	return b.String()
}

func answer(w http.ResponseWriter, v any) error {
	b := new(bytes.Buffer)
	if err := json.NewEncoder(b).Encode(v); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

func joined(names []string) string {
	b := &bytes.Buffer{}
	for _, n := range names {
		b.WriteString(n)
	}
	return string(b.Bytes())
}

func to(w io.Writer, name string) {
	b := bytes.NewBuffer(nil)
	b.WriteString(name)
	b.WriteTo(w)
}

// kept returns its bytes.
func kept(name string) []byte {
	var b bytes.Buffer
	b.WriteString(name)
	return b.Bytes()
}

// returned is the buffer itself.
func returned(name string) *bytes.Buffer {
	b := new(bytes.Buffer)
	b.WriteString(name)
	return b
}

// given goes to others.
func given(name string, read func(io.Reader)) {
	var b bytes.Buffer
	b.WriteString(name)
	read(&b)
}

// later is used by a function that may run later.
func later(name string) func() string {
	var b bytes.Buffer
	b.WriteString(name)
	return func() string { return b.String() }
}

// again makes one in each turn.
func again(names []string) (out []string) {
	for _, n := range names {
		var b bytes.Buffer
		b.WriteString(n)
		out = append(out, b.String())
	}
	return out
}

type holder struct{ b bytes.Buffer }

func (h *holder) add(s string) { h.b.WriteString(s) }
