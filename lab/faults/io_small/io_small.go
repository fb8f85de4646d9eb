// Package io_small writes a journal of votes to a file.
//
// The fault: each vote is a system call.
package io_small

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"strconv"
	"sync"

	"github.com/gocasebook/casebook/lab/faults"
)

// A Journal is a file of votes, begun anew when it is long.
type Journal struct {
	mu       sync.Mutex
	file     *os.File
	buffer   *bufio.Writer // nil without one
	line     []byte
	votes    int
	batch    int
	rotateAt int
}

func newJournal(batch int, buffered bool) *Journal {
	f, err := os.CreateTemp("", "casebook-fault-journal-")
	if err != nil {
		panic(err) // no folder for temporary files: nothing can be shown
	}
	os.Remove(f.Name()) // it ends with the process
	j := &Journal{file: f, batch: batch, rotateAt: 200_000}
	if buffered {
		j.buffer = bufio.NewWriterSize(f, 64<<10)
	}
	return j
}

// ServeHTTP takes a batch of votes.
func (j *Journal) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for i := range j.batch {
		if err := j.record(i); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
	}
	if j.buffer != nil {
		j.buffer.Flush()
	}
	io.WriteString(w, "counted")
}

func (j *Journal) record(candidate int) error {
	if j.votes++; j.votes%j.rotateAt == 0 {
		j.file.Seek(0, io.SeekStart)
		j.file.Truncate(0)
	}
	j.line = append(j.line[:0], "vote "...)
	j.line = strconv.AppendInt(j.line, int64(j.votes), 10)
	j.line = append(j.line, " for "...)
	j.line = append(strconv.AppendInt(j.line, int64(candidate), 10), '\n')
	if j.buffer != nil {
		_, err := j.buffer.Write(j.line)
		return err
	}
	_, err := j.file.Write(j.line)
	return err
}

func service(batch int, buffered bool, perSecond float64) faults.Service {
	return faults.Service{Handler: newJournal(batch, buffered),
		Load: []faults.Call{{Method: http.MethodPost, Path: "/votes", PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "io-small", Text: "each line of a journal is written with a system call of its own",
		Culprit:  "io_small.(*Journal).record",
		Faulty:   func() faults.Service { return service(400, false, 700) },
		Repaired: func() faults.Service { return service(400, true, 700) },
		Limit:    func() faults.Service { return service(25, false, 900) },
	}
}
