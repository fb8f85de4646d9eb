package buffergrows

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"html/template"
	"io"
	"net/http"
)

var page = template.Must(template.New("page").Parse("{{.}}"))

func show(w http.ResponseWriter, data any) {
	var buf bytes.Buffer // want `grows from nothing at every call`
	if err := page.Execute(&buf, data); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Write(buf.Bytes())
}

func text(v any) (string, error) {
	buf := &bytes.Buffer{} // want `grows from nothing at every call`
	enc := json.NewEncoder(buf)
	if err := enc.Encode(v); err != nil {
		return "", err
	}
	return buf.String(), nil
}

func joined(w io.Writer, parts [][]byte) {
	b := new(bytes.Buffer) // want `grows from nothing at every call`
	for _, p := range parts {
		b.Write(p)
		b.WriteByte('\n')
	}
	b.WriteTo(w)
}

func packed(data []byte) int {
	b := bytes.NewBuffer(nil) // want `grows from nothing at every call`
	z := gzip.NewWriter(b)
	z.Write(data)
	z.Close()
	return b.Len()
}

func compared(a, b [][]byte) bool {
	x := bytes.NewBuffer(make([]byte, 0)) // want `grows from nothing at every call`
	for _, p := range a {
		x.Write(p)
	}
	return len(b) > 0 && bytes.Equal(x.Bytes(), b[0])
}

// What follows is fine.

func returned(v any) []byte {
	var buf bytes.Buffer
	json.NewEncoder(&buf).Encode(v)
	return buf.Bytes()
}

func grown(w io.Writer, parts [][]byte) {
	var b bytes.Buffer
	b.Grow(len(parts) * 100)
	for _, p := range parts {
		b.Write(p)
	}
	w.Write(b.Bytes())
}

func posted(v any) (*http.Request, error) {
	var buf bytes.Buffer
	json.NewEncoder(&buf).Encode(v)
	return http.NewRequest("POST", "http://localhost", &buf)
}

type message struct{ body *bytes.Buffer }

func kept(p []byte) *message {
	b := &bytes.Buffer{}
	b.Write(p)
	return &message{b}
}

func full(p []byte) *bytes.Buffer { return bytes.NewBuffer(p) }

var shared bytes.Buffer

func nothing() []byte { return nil }

// ofCall has no arguments in the call that gives the bytes.
func ofCall(w io.Writer) {
	b := bytes.NewBuffer(nothing())
	b.WriteTo(w)
}
