// Package alloc_oversized takes short messages.
//
// The fault: each is read into a buffer of the largest size that is allowed.
package alloc_oversized

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/lab/faults"
)

const maxMessage = 256 << 10

// An Inbox takes messages.
type Inbox struct {
	read func(r *http.Request) ([]byte, error)
}

// ServeHTTP answers how many lines the message has.
func (in *Inbox) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b, err := in.read(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	io.WriteString(w, strconv.Itoa(bytes.Count(b, []byte("\n"))))
}

func readMost(r *http.Request) ([]byte, error) {
	b := make([]byte, maxMessage)
	n, err := io.ReadFull(r.Body, b)
	if err == io.ErrUnexpectedEOF {
		err = nil
	}
	return b[:n], err
}

func readLength(r *http.Request) ([]byte, error) {
	if r.ContentLength < 0 || r.ContentLength > maxMessage {
		return nil, http.ErrContentLength
	}
	b := make([]byte, r.ContentLength)
	_, err := io.ReadFull(r.Body, b)
	return b, err
}

func service(read func(*http.Request) ([]byte, error), perSecond float64) faults.Service {
	sent := []byte(strings.Repeat("a short line\n", 60))
	return faults.Service{Handler: &Inbox{read}, Load: []faults.Call{{Method: http.MethodPost, Path: "/message",
		Body: func(int) []byte { return sent }, PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "alloc-oversized", Text: "each short message is read into 256 KiB",
		Culprit:  "alloc_oversized.readMost",
		Faulty:   func() faults.Service { return service(readMost, 1500) },
		Repaired: func() faults.Service { return service(readLength, 1500) },
		Limit:    func() faults.Service { return service(readMost, 150) },
	}
}
