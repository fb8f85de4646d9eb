// Orders takes orders of some positions and keeps them on the disk. The form (-kind) says in what: a database, a log,
// or a file for each position; with "-each" every position is committed by itself.
package main

import (
	"encoding/binary"
	"fmt"
	"net/http"
	"os"
	"strings"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

const positions = 15

// A position is a line of an order.
type position struct{ Article, Pieces int }

func (p position) key() []byte { return binary.BigEndian.AppendUint32(nil, uint32(p.Article)) }

func (p position) value() []byte { return fmt.Append(nil, p.Pieces) }

// A store keeps positions; when keep returns they are on the disk.
type store interface{ keep(all []position) error }

type orders struct {
	store store
	each  bool
}

func (o *orders) take(all []position) error {
	if !o.each {
		return o.store.keep(all)
	}
	for i := range all {
		if err := o.store.keep(all[i : i+1]); err != nil {
			return err
		}
	}
	return nil
}

func (o *orders) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	all := make([]position, positions)
	for i := range all {
		all[i] = position{100 + i*i, 1 + i%3}
	}
	if err := o.take(all); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	fmt.Fprintln(w, "taken")
}

// stores are the ways to keep positions, each in an empty folder.
var stores = map[string]func(dir string) (store, error){
	"bbolt":         openBolt,
	"bbolt-batched": openBatched,
	"sqlite":        openSQLite,
	"badger":        openBadger,
	"pebble":        openPebble,
	"leveldb":       openLevelDB,
	"raft":          openRaft,
	"wal":           openWAL,
	"wal-timed":     openTimedWAL,
	"journal":       openJournal,
	"journal-group": openGroup,
	"files":         func(dir string) (store, error) { return &inFiles{dir}, nil },
	"renameio":      func(dir string) (store, error) { return &renamed{dir}, nil },
	"atomic":        func(dir string) (store, error) { return &replaced{dir}, nil },
}

func start(o serve.Options) error {
	of, each := strings.CutSuffix(o.Kind, "-each")
	open, ok := stores[of]
	if !ok {
		return fmt.Errorf("no store %q", of)
	}
	dir, err := os.MkdirTemp("", "modules-orders-")
	if err != nil {
		return err
	}
	s, err := open(dir)
	if err != nil {
		return err
	}
	http.Handle("POST /orders", &orders{s, each})
	return nil
}

func main() {
	serve.Run(serve.Service{Start: start, Rate: 4, Method: http.MethodPost,
		Path: func(int) string { return "/orders" }})
}
