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

// What follows is fine.

func decoded(r *http.Request, v any) error {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	return json.Unmarshal(body, v)
}

func limited(r *http.Request) ([]byte, error) { return io.ReadAll(io.LimitReader(r.Body, 1<<20)) }

func stream(r io.Reader) ([]byte, error) { return io.ReadAll(r) }

type part struct{ Body io.Reader }

func (p part) read() ([]byte, error) { return io.ReadAll(p.Body) }

func init() {
	res, err := http.Get("http://localhost")
	if err == nil {
		io.ReadAll(res.Body)
	}
}
