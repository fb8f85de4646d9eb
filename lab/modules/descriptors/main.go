// Descriptors has services that may have 1,024 files and connections open, and their loads. The form (-kind) says what
// they open: a log for each tenant, jobs in processes of their own, answers of a backend, websockets, or connections
// that are kept alive; "-closed" gives back what is not used, and "-few" has fewer.
package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/golang/groupcache/lru"
	"github.com/gorilla/websocket"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

// allowed is what many distributions allow a service if nobody sets more.
const allowed = 1024

// logs has the open log of each tenant.
type logs struct {
	dir string

	mu   sync.Mutex // guards what follows
	open map[string]*os.File
	last *lru.Cache // instead of open; nil: none is ever closed
}

func newLogs(closed bool) (*logs, error) {
	dir, err := os.MkdirTemp("", "modules-descriptors-")
	l := &logs{dir: dir, open: make(map[string]*os.File)}
	if closed {
		l.last = lru.New(100)
		l.last.OnEvicted = func(_ lru.Key, f any) { f.(*os.File).Close() }
	}
	return l, err
}

func (l *logs) of(tenant string) (*os.File, error) {
	if f := l.open[tenant]; f != nil {
		return f, nil
	}
	if l.last != nil {
		if f, ok := l.last.Get(tenant); ok {
			return f.(*os.File), nil
		}
	}
	f, err := os.OpenFile(filepath.Join(l.dir, tenant), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	if l.last != nil {
		l.last.Add(tenant, f)
	} else {
		l.open[tenant] = f
	}
	return f, nil
}

func (l *logs) note(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f, err := l.of(r.FormValue("n"))
	if err == nil {
		_, err = fmt.Fprintln(f, time.Now(), r.RemoteAddr)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

// jobs are processes that make thumbnails, or would.
type jobs struct {
	closed bool

	mu  sync.Mutex // guards all
	all map[string]*exec.Cmd
}

func (j *jobs) start(w http.ResponseWriter, r *http.Request) {
	cmd := exec.Command("true")
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	if j.closed {
		io.Copy(io.Discard, out)
		cmd.Wait()
		return
	}
	j.mu.Lock()
	j.all[r.FormValue("n")] = cmd // for those who ask how it ended
	j.mu.Unlock()
}

// A status asks a backend how it is.
type status struct {
	client  *http.Client
	backend string
	closed  bool
}

func (s *status) ask(w http.ResponseWriter, r *http.Request) {
	res, err := s.client.Get("http://" + s.backend)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	if s.closed {
		defer res.Body.Close()
	}
	fmt.Fprintln(w, res.Status)
}

func backend(string) (addr string, stop func(), err error) {
	l, err := serve.Listen()
	if err != nil {
		return "", nil, err
	}
	go http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, strings.Repeat("all is well\n", 1000))
	}))
	return l.Addr().String(), func() { l.Close() }, nil
}

func follow(w http.ResponseWriter, r *http.Request) {
	up := websocket.Upgrader{}
	conn, err := up.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer conn.Close()
	for {
		_, text, err := conn.ReadMessage()
		if err != nil || conn.WriteMessage(websocket.TextMessage, text) != nil {
			return
		}
	}
}

func start(o serve.Options) error {
	limit := syscall.Rlimit{Cur: allowed, Max: allowed}
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return err
	}
	what, closed := strings.CutSuffix(o.Kind, "-closed")
	l, err := newLogs(closed)
	if err != nil {
		return err
	}
	j := &jobs{closed: closed, all: make(map[string]*exec.Cmd)}
	s := &status{&http.Client{Transport: &http.Transport{}}, o.Backend, closed}
	for path, handler := range map[string]http.HandlerFunc{"/logs": l.note, "/jobs": j.start, "/answers": s.ask,
		"/websockets": follow} {
		http.HandleFunc(path, handler)
	}
	own := &http.Server{Addr: o.Own()}
	if closed {
		own.IdleTimeout = 2 * time.Second
	}
	if what == "idle" {
		go func() { log.Fatal(own.ListenAndServe()) }()
	}
	return nil
}

// load sends a request a tick with a number of its own, over a connection of its own where these are what is open.
func load(o serve.Options) {
	what, _, _ := strings.Cut(o.Kind, "-")
	base := fmt.Sprintf("127.0.0.1:%d/%s", o.Port, what)
	var conns []*websocket.Conn
	var clients []*http.Client
	shared := &http.Client{}
	for i, t := 0, time.Tick(25*time.Millisecond); ; i++ {
		<-t
		switch what {
		case "websockets":
			if most := map[bool]int{false: 900, true: 250}[strings.HasSuffix(o.Kind, "-few")]; i < most/5 {
				for range 5 {
					if c, _, err := websocket.DefaultDialer.Dial("ws://"+base, nil); err == nil {
						conns = append(conns, c)
					}
				}
			} else if err := conns[i%len(conns)].WriteMessage(websocket.TextMessage, []byte("hello")); err == nil {
				conns[i%len(conns)].ReadMessage()
			}
		case "idle":
			c := &http.Client{Transport: &http.Transport{}}
			clients = append(clients, c)
			get(c, "http://"+o.Own()+"/logs?n=1")
		default:
			get(shared, fmt.Sprintf("http://%s?n=%d", base, i))
		}
	}
}

func get(c *http.Client, url string) {
	if res, err := c.Get(url); err == nil {
		io.Copy(io.Discard, res.Body)
		res.Body.Close()
	}
}

func main() {
	serve.Run(serve.Service{Start: start, Load: load, BackendOf: backend})
}
