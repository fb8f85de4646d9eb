package copybuffer

import (
	"io"
	"net/http"
	"os"
)

func save(name string, r *http.Request) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(f, r.Body) // want `give io.CopyBuffer one of a sync.Pool, and hide the ReadFrom of \*os.File`
	return err
}

func part(w io.Writer, r io.Reader, n int64) error {
	_, err := io.CopyN(w, r, n) // want `give io.CopyBuffer one of a sync.Pool$`
	return err
}

// What follows is fine.

func buffered(w io.Writer, r io.Reader, buf []byte) error {
	_, err := io.CopyBuffer(w, r, buf)
	return err
}

func init() {
	io.Copy(os.Stdout, os.Stdin)
}
