// Package mem_giant counts the lines of uploads.
//
// The fault: an upload of 24 MB is read into memory as a whole, in a slice that grows to its size.
package mem_giant

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/gocasebook/casebook/lab/faults"
)

// An Upload counts lines.
type Upload struct{ stream bool }

// read counts the lines of a body that it reads as a whole.
func (u *Upload) read(body io.Reader) (int, error) {
	all, err := io.ReadAll(body)
	return bytes.Count(all, []byte("\n")), err
}

// scan counts them one by one.
func (u *Upload) scan(body io.Reader) (lines int, err error) {
	s := bufio.NewScanner(body)
	for s.Scan() {
		lines++
	}
	return lines, s.Err()
}

// ServeHTTP takes an upload.
func (u *Upload) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	count := u.read
	if u.stream {
		count = u.scan
	}
	lines, err := count(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	fmt.Fprint(w, lines)
}

const uploadSize = 24 << 20

func service(stream bool, perSecond float64) faults.Service {
	var file []byte
	body := func(int) []byte {
		if file == nil {
			file = bytes.Repeat([]byte("2026-11-21;4711;chair;red;79.90;in stock;Utrecht;0012345678901\n"),
				uploadSize/64)
		}
		return file
	}
	return faults.Service{Handler: &Upload{stream},
		Load: []faults.Call{{Method: http.MethodPost, Path: "/upload", Body: body, PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "mem-giant", Text: "uploads of 24 MB are read with io.ReadAll",
		Culprit:  "mem_giant.(*Upload).read",
		Faulty:   func() faults.Service { return service(false, 0.7) },
		Repaired: func() faults.Service { return service(true, 0.7) },
		Limit:    func() faults.Service { return service(false, 0.25) },
		Twice:    20 * time.Second,
	}
}
