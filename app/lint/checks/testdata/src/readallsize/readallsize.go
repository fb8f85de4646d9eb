package readallsize

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
)

func forward(r *http.Request, send func([]byte)) error {
	body, err := io.ReadAll(r.Body) // want `where ContentLength is known`
	if err != nil {
		return err
	}
	send(body)
	return nil
}

func answer(res *http.Response) (string, error) {
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body) // want `where ContentLength is known`
	return string(b), err
}

func drained(buf *bytes.Buffer) ([]byte, error) { return io.ReadAll(buf) } // want `the buffer has these bytes`

func limited(r *http.Request) ([]byte, error) {
	return io.ReadAll(io.LimitReader(r.Body, 1<<20)) // want `step by step from 512 bytes`
}

func stream(r io.Reader) ([]byte, error) { return io.ReadAll(r) } // want `or passed along with the reader`

type part struct{ Body io.Reader }

func (p part) read() ([]byte, error) { return io.ReadAll(p.Body) } // want `read into a buffer of that size`

// What follows is fine.

func decoded(r *http.Request, v any) error {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	return json.Unmarshal(body, v)
}

func copied(w io.Writer, r io.Reader) (int64, error) { return io.Copy(w, r) }

func full(r io.Reader, n int) ([]byte, error) {
	b := make([]byte, n)
	_, err := io.ReadFull(r, b)
	return b, err
}

func init() {
	res, err := http.Get("http://localhost")
	if err == nil {
		io.ReadAll(res.Body)
	}
}
