// Websocket is a chat over gorilla/websocket (a hub, a reader and a writer a client) or coder/websocket (-kind coder).
package main

import (
	"fmt"
	"net/http"
	"time"

	coder "github.com/coder/websocket"
	"github.com/gorilla/websocket"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

type hub struct {
	join, leave chan *client
	say         chan []byte
}

type client struct{ send chan []byte }

func (h *hub) run() {
	clients := map[*client]bool{}
	for {
		select {
		case c := <-h.join:
			clients[c] = true
		case c := <-h.leave:
			delete(clients, c)
			close(c.send)
		case b := <-h.say:
			for c := range clients {
				select {
				case c.send <- b:
				default: // too slow: it misses a line
				}
			}
		}
	}
}

func (h *hub) gorilla(w http.ResponseWriter, r *http.Request) {
	up := websocket.Upgrader{ReadBufferSize: 1024, WriteBufferSize: 1024}
	conn, err := up.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	c := &client{make(chan []byte, 16)}
	h.join <- c
	go write(conn, c)
	for {
		_, b, err := conn.ReadMessage()
		if err != nil {
			h.leave <- c
			return
		}
		h.say <- b
	}
}

func write(conn *websocket.Conn, c *client) {
	ping := time.NewTicker(10 * time.Second)
	defer ping.Stop()
	defer conn.Close()
	for {
		select {
		case b, ok := <-c.send:
			if !ok || conn.WriteMessage(websocket.TextMessage, b) != nil {
				return
			}
		case <-ping.C:
			if conn.WriteMessage(websocket.PingMessage, nil) != nil {
				return
			}
		}
	}
}

func (h *hub) coder(w http.ResponseWriter, r *http.Request) {
	conn, err := coder.Accept(w, r, nil)
	if err != nil {
		return
	}
	defer conn.CloseNow()
	c := &client{make(chan []byte, 16)}
	h.join <- c
	defer func() { h.leave <- c }()
	go func() {
		for {
			_, b, err := conn.Read(r.Context())
			if err != nil {
				return
			}
			h.say <- b
		}
	}()
	for b := range c.send {
		if conn.Write(r.Context(), coder.MessageText, b) != nil {
			return
		}
	}
}

func start(o serve.Options) error {
	h := &hub{make(chan *client), make(chan *client), make(chan []byte, 64)}
	go h.run()
	if o.Kind == "coder" {
		http.HandleFunc("/chat", h.coder)
	} else {
		http.HandleFunc("/chat", h.gorilla)
	}
	return nil
}

// load is 150 people of whom one says something every 15 ms.
func load(o serve.Options) {
	var all []*websocket.Conn
	for len(all) < 150 {
		conn, _, err := websocket.DefaultDialer.Dial(fmt.Sprintf("ws://127.0.0.1:%d/chat", o.Port), nil)
		if err != nil {
			time.Sleep(100 * time.Millisecond)
			continue
		}
		all = append(all, conn)
		go func() {
			for {
				if _, _, err := conn.ReadMessage(); err != nil {
					return
				}
			}
		}()
	}
	for i := 0; ; i++ {
		all[i%len(all)].WriteMessage(websocket.TextMessage, fmt.Appendf(nil, "line %d", i))
		time.Sleep(15 * time.Millisecond)
	}
}

func main() { serve.Run(serve.Service{Start: start, Load: load}) }
