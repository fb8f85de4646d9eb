// Arcade lets players see each other's points while they play: a websocket each, all connected all the time.
package main

import (
	"log"
	"math/rand/v2"
	"net/http"
	_ "net/http/pprof"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"

	"github.com/gocasebook/casebook/lab/holdout4/internal/drive"
)

type arcade struct {
	upgrader websocket.Upgrader
	rooms    []*room
	nextID   atomic.Int64
}

func newArcade(n int) *arcade {
	a := &arcade{upgrader: websocket.Upgrader{ReadBufferSize: 512, WriteBufferSize: 1024, WriteBufferPool: &sync.Pool{}}}
	for range n {
		a.rooms = append(a.rooms, &room{players: map[int]*player{}, points: map[int]int{}})
	}
	return a
}

func (a *arcade) play(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.PathValue("room"))
	if err != nil || n < 0 || n >= len(a.rooms) {
		http.NotFound(w, r)
		return
	}
	conn, err := a.upgrader.Upgrade(w, r, nil)
	if err != nil {
		return // it has answered
	}
	conn.SetReadLimit(256)
	id := int(a.nextID.Add(1))
	p := &player{conn, make(chan *websocket.PreparedMessage, 4)}
	a.rooms[n].join(id, p)
	defer a.rooms[n].leave(id)
	go p.write()
	for {
		_, text, err := conn.ReadMessage()
		if err != nil {
			return
		}
		if points, err := strconv.Atoi(string(text)); err == nil {
			a.rooms[n].score(id, points)
		}
	}
}

// run has each room take its turn every two seconds, one room after the other.
func (a *arcade) run() {
	tick := time.NewTicker(2 * time.Second / time.Duration(len(a.rooms)))
	defer tick.Stop()
	for n := 0; ; n = (n + 1) % len(a.rooms) {
		<-tick.C
		if err := a.rooms[n].turn(); err != nil {
			log.Print(err)
		}
	}
}

const rooms = 50

// load is 1,500 players, who score now and then.
func load(p drive.Ports) {
	drive.Await(p.Main())
	for i := range 1500 {
		c, _, err := websocket.DefaultDialer.Dial("ws://"+p.Main()+"/rooms/"+strconv.Itoa(i%rooms), nil)
		if err != nil {
			log.Fatal(err)
		}
		go func() {
			for {
				if _, _, err := c.NextReader(); err != nil {
					log.Fatal(err)
				}
			}
		}()
		go func() {
			for {
				time.Sleep(time.Duration(500+rand.IntN(2000)) * time.Millisecond)
				c.WriteMessage(websocket.TextMessage, []byte(strconv.Itoa(rand.IntN(50))))
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
	a := newArcade(rooms)
	go a.run()
	http.HandleFunc("GET /rooms/{room}", a.play)
	log.Fatal(http.ListenAndServe(p.Main(), nil))
}
