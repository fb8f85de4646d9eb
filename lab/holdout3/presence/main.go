// Presence tells friends who is online, over WebSockets.
package main

import (
	"log/slog"
	"math/rand/v2"
	"net/http"
	_ "net/http/pprof"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"github.com/gocasebook/casebook/lab/holdout3/internal/drive"
)

type Status struct {
	User   int       `json:"user"`
	State  string    `json:"state"`
	SeenAt time.Time `json:"seen_at"`
}

type session struct {
	user int
	conn *websocket.Conn
	send chan Status
}

// Hub knows who is connected.
type Hub struct {
	mu       sync.RWMutex
	sessions map[int]*session
	seen     map[int]time.Time
}

func NewHub() *Hub {
	return &Hub{sessions: make(map[int]*session), seen: make(map[int]time.Time)}
}

func (h *Hub) join(s *session) {
	h.mu.Lock()
	h.sessions[s.user] = s
	h.mu.Unlock()
}

func (h *Hub) leave(s *session) {
	h.mu.Lock()
	if h.sessions[s.user] == s {
		delete(h.sessions, s.user)
	}
	h.mu.Unlock()
}

func (h *Hub) touch(user int) {
	h.mu.Lock()
	h.seen[user] = time.Now()
	h.mu.Unlock()
}

// tell sends a status to the twenty neighbours that a user has for friends.
func (h *Hub) tell(st Status) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	for f := st.User - 10; f <= st.User+10; f++ {
		if s := h.sessions[f]; s != nil {
			select {
			case s.send <- st:
			default:
			}
		}
	}
}

// heartbeat keeps the user's mark fresh.
func (h *Hub) heartbeat(s *session) {
	ticker := time.NewTicker(700 * time.Millisecond)
	for range ticker.C {
		h.touch(s.user)
	}
}

func (h *Hub) writer(s *session) {
	for st := range s.send {
		if err := s.conn.WriteJSON(st); err != nil {
			return
		}
	}
}

func (h *Hub) reader(s *session) {
	for {
		var st Status
		if err := s.conn.ReadJSON(&st); err != nil {
			return
		}
		st.User, st.SeenAt = s.user, time.Now()
		h.tell(st)
	}
}

func (h *Hub) serve(w http.ResponseWriter, r *http.Request) {
	user, err := strconv.Atoi(r.FormValue("user"))
	if err != nil {
		http.Error(w, "user?", http.StatusBadRequest)
		return
	}
	up := websocket.Upgrader{ReadBufferSize: 1024, WriteBufferSize: 1024}
	conn, err := up.Upgrade(w, r, nil)
	if err != nil {
		slog.Warn("upgrade", "error", err)
		return
	}
	s := &session{user, conn, make(chan Status, 64)}
	h.join(s)
	go h.heartbeat(s)
	go h.writer(s)
	h.reader(s)
	h.leave(s)
	close(s.send)
	conn.Close()
}

// visit is one user's stay of two to six seconds.
func visit(addr string, user int) {
	conn, _, err := websocket.DefaultDialer.Dial("ws://"+addr+"/ws?user="+strconv.Itoa(user), nil)
	if err != nil {
		slog.Warn("dial", "error", err)
		time.Sleep(time.Second)
		return
	}
	defer conn.Close()
	go func() {
		for {
			if _, _, err := conn.ReadMessage(); err != nil {
				return
			}
		}
	}()
	for range 4 + rand.IntN(8) {
		if err := conn.WriteJSON(Status{State: "typing"}); err != nil {
			return
		}
		time.Sleep(500 * time.Millisecond)
	}
}

func load(p drive.Ports) {
	for user := range 250 {
		go func() {
			time.Sleep(time.Duration(rand.IntN(3000)) * time.Millisecond)
			for {
				visit(p.Main(), user)
			}
		}()
	}
	select {}
}

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	h := NewHub()
	http.HandleFunc("/ws", h.serve)
	http.HandleFunc("/online", func(w http.ResponseWriter, _ *http.Request) {
		h.mu.RLock()
		defer h.mu.RUnlock()
		w.Write(strconv.AppendInt(nil, int64(len(h.sessions)), 10))
	})
	slog.Error("ended", "error", http.ListenAndServe(p.Main(), nil))
	os.Exit(1)
}
