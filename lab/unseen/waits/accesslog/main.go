// Accesslog is a shop that writes what it does to standard error, which something else collects.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/gocasebook/casebook/lab/unseen/waits/web"
)

type record struct {
	at     time.Time
	level  string
	text   string
	fields []any
}

type handler interface{ Log(r *record) error }

// A streamHandler formats records and writes them.
type streamHandler struct{ w io.Writer }

func format(r *record) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%-5s[%s] %-40s", r.level, r.at.Format("01-02|15:04:05.000"), r.text)
	for i := 0; i+1 < len(r.fields); i += 2 {
		fmt.Fprintf(&b, " %v=%v", r.fields[i], r.fields[i+1])
	}
	b.WriteByte('\n')
	return b.Bytes()
}

func (h *streamHandler) Log(r *record) error {
	_, err := h.w.Write(format(r))
	return err
}

// A droppingHandler has a goroutine that writes, and drops what it cannot take.
type droppingHandler struct {
	records chan *record
}

func newDropping(to handler) *droppingHandler {
	h := &droppingHandler{records: make(chan *record, 1000)}
	go func() {
		for r := range h.records {
			to.Log(r)
		}
	}()
	return h
}

func (h *droppingHandler) Log(r *record) error {
	select {
	case h.records <- r:
	default:
	}
	return nil
}

type shop struct{ log handler }

func (s *shop) info(text string, fields ...any) {
	s.log.Log(&record{at: time.Now(), level: "INFO", text: text, fields: fields})
}

func (s *shop) item(w http.ResponseWriter, r *http.Request) {
	id := r.FormValue("id")
	s.info("request", "method", r.Method, "uri", r.RequestURI, "agent", r.UserAgent(), "from", r.RemoteAddr)
	s.info("looked up the item", "id", id, "shelf", len(id)*7, "in stock", true, "warehouse", "south")
	fmt.Fprintf(w, "item %s\n", id)
	s.info("answered", "id", id, "status", 200, "cache", "miss", "experiment", "checkout-b")
}

func main() {
	flag.Parse()
	s := &shop{log: &streamHandler{os.Stderr}}
	if *web.Fixed {
		s.log = newDropping(s.log)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/item", s.item)
	web.Serve(mux)
}
