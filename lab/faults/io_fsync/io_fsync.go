// Package io_fsync takes votes and keeps them in a journal on the disk.
//
// The fault: the journal is synced after each vote of a batch, and not once for all.
package io_fsync

import (
	"io"
	"net/http"
	"os"
	"strconv"

	"github.com/gocasebook/casebook/lab/faults"
)

// A Ballot is a journal of votes, a file for each batch in turn.
type Ballot struct {
	files chan *os.File
	votes int
	once  bool // one sync for a batch
}

func newBallot(votes int, once bool) *Ballot {
	b := &Ballot{make(chan *os.File, 8), votes, once}
	for range cap(b.files) {
		f, err := os.CreateTemp("", "casebook-fault-ballot-")
		if err != nil {
			panic(err) // no folder for temporary files: nothing can be shown
		}
		os.Remove(f.Name()) // it ends with the process
		b.files <- f
	}
	return b
}

// ServeHTTP takes a batch of votes.
func (b *Ballot) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	f := <-b.files
	defer func() { b.files <- f }()
	for i := range b.votes {
		if err := b.record(f, i, !b.once || i == b.votes-1); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
	}
	io.WriteString(w, "counted")
}

func (b *Ballot) record(f *os.File, candidate int, durable bool) error {
	if _, err := f.WriteAt(append(strconv.AppendInt([]byte("vote for "), int64(candidate), 10), '\n'), 0); err != nil {
		return err
	}
	if !durable {
		return nil
	}
	return f.Sync()
}

func service(votes int, once bool, perSecond float64) faults.Service {
	return faults.Service{Handler: newBallot(votes, once),
		Load: []faults.Call{{Method: http.MethodPost, Path: "/votes", PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "io-fsync", Text: "a journal is synced after each vote of a batch, and not once",
		Culprit:  "io_fsync.(*Ballot).record",
		Faulty:   func() faults.Service { return service(40, false, 60) },
		Repaired: func() faults.Service { return service(40, true, 60) },
		Limit:    func() faults.Service { return service(3, false, 60) },
		Trace:    true,
	}
}
