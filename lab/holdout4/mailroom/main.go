// Mailroom passes messages on: quota, spam, signature, archive.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	_ "net/http/pprof"
	"os"
	"strings"

	"github.com/gocasebook/casebook/lab/holdout4/internal/drive"
)

func receive(inbox chan<- Message) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var messages []Message
		if err := json.NewDecoder(r.Body).Decode(&messages); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		for _, m := range messages {
			select {
			case inbox <- m:
			case <-r.Context().Done():
				return
			}
		}
		w.WriteHeader(http.StatusAccepted)
	}
}

func messages(i int) string {
	var b strings.Builder
	b.WriteByte('[')
	for k := range 10 {
		if k > 0 {
			b.WriteByte(',')
		}
		about := "the minutes of Tuesday"
		if k == 3 && i%5 == 0 {
			about = "your lottery"
		}
		fmt.Fprintf(&b, `{"id":"m%d-%d","tenant":"tenant-%d","from":"a@example","to":"b@example","text":"Hello, %s. %s"}`,
			i, k, i%50, about, strings.Repeat("Kind regards from all of us. ", 10))
	}
	b.WriteByte(']')
	return b.String()
}

func main() {
	p := drive.Flags()
	if p.Load {
		drive.HTTP(90, func(i int) *http.Request {
			return drive.Send(http.MethodPost, p.Main(), "/messages", messages(i))
		})
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	inbox := make(chan Message, 1000)
	q, a := &quota{map[string]int{}}, &archive{last: make([]Message, 500)}
	w := &worker{name: "mailroom-1", inbox: inbox, log: log,
		steps: []step{{"quota", q.check}, {"spam", spam}, {"sign", sign}, {"archive", a.keep}}}
	go w.run(context.Background())
	http.HandleFunc("POST /messages", receive(inbox))
	http.HandleFunc("GET /stats", func(rw http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(rw, "done %d\nbad %d\nwaiting %d\n", w.done.Load(), w.bad.Load(), len(inbox))
	})
	log.Error("serving", "err", http.ListenAndServe(p.Main(), nil))
	os.Exit(1)
}
