package main

import (
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/hashicorp/raft"
	raftboltdb "github.com/hashicorp/raft-boltdb/v2"
	"github.com/tidwall/wal"
)

// Logs that are replayed after a crash.

type inRaft struct {
	log *raftboltdb.BoltStore

	mu    sync.Mutex // guards index
	index uint64
}

func openRaft(dir string) (store, error) {
	log, err := raftboltdb.NewBoltStore(dir + "/raft.db")
	return &inRaft{log: log}, err
}

func (s *inRaft) keep(all []position) error {
	logs := make([]*raft.Log, len(all))
	s.mu.Lock()
	for i, p := range all {
		s.index++
		logs[i] = &raft.Log{Index: s.index, Term: 1, Data: append(p.key(), p.value()...)}
	}
	s.mu.Unlock()
	return s.log.StoreLogs(logs)
}

type inWAL struct {
	mu   sync.Mutex // guards what follows; entries are written in their order
	log  *wal.Log
	last uint64
}

func openWAL(dir string) (store, error) {
	log, err := wal.Open(dir+"/wal", nil)
	return &inWAL{log: log}, err
}

// openTimedWAL is synced each second, whatever comes.
func openTimedWAL(dir string) (store, error) {
	options := *wal.DefaultOptions
	options.NoSync = true
	log, err := wal.Open(dir+"/wal", &options)
	if err != nil {
		return nil, err
	}
	go func() {
		for range time.Tick(time.Second) {
			log.Sync()
		}
	}()
	return &inWAL{log: log}, nil
}

func (s *inWAL) keep(all []position) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := new(wal.Batch)
	for _, p := range all {
		s.last++
		b.Write(s.last, append(p.key(), p.value()...))
	}
	return s.log.WriteBatch(b)
}

// A group commits the orders of all requests that have come while it wrote the ones before.
type group struct{ incoming chan entry }

type entry struct {
	all  []position
	done chan error
}

func openGroup(dir string) (store, error) {
	f, err := os.Create(dir + "/journal")
	if err != nil {
		return nil, err
	}
	g := &group{make(chan entry, 1024)}
	go g.write(f)
	return g, nil
}

func (g *group) keep(all []position) error {
	e := entry{all, make(chan error, 1)}
	g.incoming <- e
	return <-e.done
}

func (g *group) write(f *os.File) {
	for e := range g.incoming {
		entries := []entry{e}
		for len(g.incoming) > 0 {
			entries = append(entries, <-g.incoming)
		}
		var err error
		for _, e := range entries {
			if _, failed := fmt.Fprintln(f, e.all); failed != nil {
				err = failed
			}
		}
		if failed := f.Sync(); failed != nil {
			err = failed
		}
		for _, e := range entries {
			e.done <- err
		}
	}
}
