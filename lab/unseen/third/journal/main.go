// Journal keeps the events of devices, and shows the latest of them.
package main

import (
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	_ "net/http/pprof"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"github.com/gocasebook/casebook/lab/unseen/third/form"
	"github.com/gocasebook/casebook/lab/unseen/third/web"
)

const latest = 5

type journal struct {
	db   *pebble.DB
	last atomic.Uint64
}

// key orders the events of a device, the newest first.
func (j *journal) key(device string, at uint64) []byte {
	return binary.BigEndian.AppendUint64(append([]byte(device), '/'), ^at)
}

func (j *journal) write(w http.ResponseWriter, r *http.Request) {
	event, err := io.ReadAll(io.LimitReader(r.Body, 64<<10))
	if err == nil {
		err = j.db.Set(j.key(r.PathValue("device"), uint64(time.Now().UnixNano())+j.last.Add(1)), event, pebble.NoSync)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

// newest are the latest events of the device.
func (j *journal) newest(device string) ([]string, error) {
	it, err := j.db.NewIter(&pebble.IterOptions{LowerBound: []byte(device + "/"), UpperBound: []byte(device + "0")})
	if err != nil {
		return nil, err
	}
	var events []string
	for it.First(); it.Valid(); it.Next() {
		events = append(events, string(it.Value()[:40]))
		if len(events) == latest {
			if form.Fixed {
				return events, it.Close()
			}
			return events, nil
		}
	}
	return events, it.Close()
}

func (j *journal) read(w http.ResponseWriter, r *http.Request) {
	events, err := j.newest(r.PathValue("device"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	fmt.Fprintln(w, events)
}

func main() {
	flag.Parse()
	db, err := pebble.Open(filepath.Join(*web.Dir, "journal"), &pebble.Options{Logger: quiet{}})
	if err != nil {
		log.Fatal(err)
	}
	j := &journal{db: db}
	http.HandleFunc("POST /devices/{device}/events", j.write)
	http.HandleFunc("GET /devices/{device}/events", j.read)
	log.Fatal(http.ListenAndServe(*web.Addr, nil))
}

// quiet logs nothing but what ends the process.
type quiet struct{}

func (quiet) Infof(string, ...any)           {}
func (quiet) Errorf(string, ...any)          {}
func (quiet) Fatalf(format string, a ...any) { log.Fatalf(format, a...) }
