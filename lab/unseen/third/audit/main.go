// Audit takes the audit events of tenants, and writes them to a file each.
package main

import (
	"flag"
	"io"
	"log"
	"net/http"
	_ "net/http/pprof"
	"path/filepath"
	"sync"

	"gopkg.in/natefinch/lumberjack.v2"

	"github.com/gocasebook/casebook/lab/unseen/third/form"
	"github.com/gocasebook/casebook/lab/unseen/third/web"
)

type audit struct {
	dir  string
	mu   sync.Mutex
	logs map[string]*log.Logger
}

func (a *audit) open(tenant string) *log.Logger {
	return log.New(&lumberjack.Logger{
		Filename:   filepath.Join(a.dir, tenant+".log"),
		MaxSize:    50,
		MaxBackups: 3,
	}, tenant+" ", log.LstdFlags)
}

// tenant is the log of the tenant.
func (a *audit) tenant(name string) *log.Logger {
	if !form.Fixed {
		return a.open(name)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	l, ok := a.logs[name]
	if !ok {
		l = a.open(name)
		a.logs[name] = l
	}
	return l
}

func (a *audit) event(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(io.LimitReader(r.Body, 16<<10))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	a.tenant(r.PathValue("tenant")).Printf("%s %s", r.RemoteAddr, text)
	w.WriteHeader(http.StatusAccepted)
}

func main() {
	flag.Parse()
	a := &audit{dir: *web.Dir, logs: make(map[string]*log.Logger)}
	http.HandleFunc("POST /tenants/{tenant}/events", a.event)
	http.HandleFunc("GET /ready", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "ready") })
	log.Fatal(http.ListenAndServe(*web.Addr, nil))
}
