// Dispatch sends taxis: positions come in, the nearest free taxi is named.
package main

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	_ "net/http/pprof"
	"os"
	"sync"
	"time"
)

type Logger struct{ out *log.Logger }

func (l Logger) Debugf(format string, args ...any) { l.out.Output(2, fmt.Sprintf(format, args...)) }

type taxi struct {
	X, Y int32
	Busy bool
}

type fleet struct {
	Logger
	mu   sync.Mutex
	cabs [200]taxi
}

func (f *fleet) move(id uint16, x, y int32) {
	f.mu.Lock()
	defer f.mu.Unlock()
	t := &f.cabs[int(id)%len(f.cabs)]
	f.Debugf("taxi %d moves from %+v to (%d, %d)", id, *t, x, y)
	t.X, t.Y, t.Busy = x, y, x&3 == 0
}

func (f *fleet) nearest(x, y int32) (best int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	least := int64(1) << 62
	for i, t := range f.cabs {
		dx, dy := int64(t.X-x), int64(t.Y-y)
		if d := dx*dx + dy*dy; !t.Busy && d < least {
			best, least = i, d
		}
	}
	return best
}

func (f *fleet) positions(w http.ResponseWriter, r *http.Request) {
	b, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	if err != nil {
		http.Error(w, err.Error(), 400)
		return
	}
	for ; len(b) >= 10; b = b[10:] {
		f.move(binary.LittleEndian.Uint16(b), int32(binary.LittleEndian.Uint32(b[2:])),
			int32(binary.LittleEndian.Uint32(b[6:])))
	}
}

func (f *fleet) call(w http.ResponseWriter, r *http.Request) {
	var x, y int32
	fmt.Sscan(r.FormValue("x"), &x)
	fmt.Sscan(r.FormValue("y"), &y)
	fmt.Fprintln(w, f.nearest(x, y))
}

func load(base string) {
	b := make([]byte, 10*500)
	k := uint32(1)
	for range time.Tick(5 * time.Millisecond) {
		for o := 0; o < len(b); o += 10 {
			k = k*1664525 + 1013904223
			binary.LittleEndian.PutUint16(b[o:], uint16(k>>16))
			binary.LittleEndian.PutUint32(b[o+2:], k>>12)
			binary.LittleEndian.PutUint32(b[o+6:], k>>10)
		}
		if r, err := http.Post(base+"/positions", "", bytes.NewReader(b)); err == nil {
			r.Body.Close()
		}
		if r, err := http.Get(base + fmt.Sprintf("/call?x=%d&y=%d", k>>12, k>>11)); err == nil {
			r.Body.Close()
		}
	}
}

func main() {
	port := flag.Int("port", 7000, "")
	l := flag.Bool("load", false, "")
	flag.Parse()
	addr := fmt.Sprintf("127.0.0.1:%d", *port)
	if *l {
		load("http://" + addr)
	}
	out, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		log.Fatal(err)
	}
	f := &fleet{Logger: Logger{log.New(out, "", log.LstdFlags|log.Lmicroseconds|log.Lshortfile)}}
	http.HandleFunc("/positions", f.positions)
	http.HandleFunc("/call", f.call)
	log.Fatal(http.ListenAndServe(addr, nil))
}
