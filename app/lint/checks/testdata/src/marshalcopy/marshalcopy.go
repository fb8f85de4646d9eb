package marshalcopy

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
)

type answer struct{ Names []string }

func get(w http.ResponseWriter, r *http.Request) {
	data, err := json.Marshal(answer{}) // want `json.NewEncoder\(w\).Encode writes it without`
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(data)
}

func send(w io.Writer, v any) error {
	b, err := json.Marshal(v) // want `json.NewEncoder`
	if err != nil {
		return err
	}
	_, err = w.Write(b)
	return err
}

func text(w http.ResponseWriter, v any) {
	b, _ := json.Marshal(v) // want `json.NewEncoder`
	fmt.Fprint(w, string(b))
}

func line(w io.Writer, v any) {
	b, err := json.Marshal(v) // want `json.NewEncoder`
	if err == nil {
		fmt.Fprintln(w, string(b))
	}
}

func collect(buf *bytes.Buffer, all []answer) {
	for _, a := range all {
		b, err := json.Marshal(a) // want `json.NewEncoder`
		if err != nil {
			continue
		}
		buf.Write(b)
	}
}

// What follows is fine.

func sized(w http.ResponseWriter, v any) {
	b, _ := json.Marshal(v)
	w.Header().Set("Content-Length", strconv.Itoa(len(b)))
	w.Write(b)
}

func returned(v any) ([]byte, error) {
	b, err := json.Marshal(v)
	return b, err
}

func hashed(v any) []byte {
	h := sha256.New()
	b, _ := json.Marshal(v)
	h.Write(b)
	return h.Sum(nil)
}

func frame(c net.Conn, v any) {
	b, _ := json.Marshal(v)
	c.Write(b)
}

func twice(a, b io.Writer, v any) {
	data, _ := json.Marshal(v)
	a.Write(data)
	b.Write(data)
}

func encoded(w http.ResponseWriter, v any) error { return json.NewEncoder(w).Encode(v) }
