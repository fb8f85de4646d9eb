// Ladder is the leaderboard of a game, on fasthttp.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
	"sort"
	"strconv"
	"sync"
	"time"

	"github.com/valyala/fasthttp"

	"github.com/gocasebook/casebook/lab/holdout3/internal/drive"
)

type Player struct {
	ID     int       `json:"id"`
	Name   string    `json:"name"`
	Clan   string    `json:"clan"`
	Score  int64     `json:"score"`
	Played int       `json:"played"`
	Since  time.Time `json:"since"`
}

type Ladder struct {
	mu      sync.RWMutex
	players map[int]*Player
}

// Record adds the points of a match.
func (l *Ladder) Record(id int, points int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p, ok := l.players[id]
	if !ok {
		p = &Player{ID: id, Name: "player-" + strconv.Itoa(id), Clan: "c" + strconv.Itoa(id%40), Since: time.Now()}
		l.players[id] = p
	}
	p.Score += points
	p.Played++
}

func (l *Ladder) ranking() []Player {
	l.mu.RLock()
	all := make([]Player, 0, len(l.players))
	for _, p := range l.players {
		all = append(all, *p)
	}
	l.mu.RUnlock()
	sort.Slice(all, func(i, j int) bool {
		if all[i].Score != all[j].Score {
			return all[i].Score > all[j].Score
		}
		return all[i].Since.Before(all[j].Since)
	})
	return all
}

// Top is the first n of the ladder.
func (l *Ladder) Top(n int) []Player {
	all := l.ranking()
	return all[:min(n, len(all))]
}

// Profile is a player with his matches' average, for his own page.
func (l *Ladder) Profile(id int) (map[string]any, bool) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	p, ok := l.players[id]
	if !ok {
		return nil, false
	}
	return map[string]any{"player": *p, "average": float64(p.Score) / float64(max(1, p.Played)),
		"badges": []string{"founder", "night owl"}}, true
}

func (l *Ladder) handle(ctx *fasthttp.RequestCtx) {
	switch path := string(ctx.Path()); {
	case path == "/top":
		reply(ctx, l.Top(100))
	case path == "/match":
		id, points := ctx.QueryArgs().GetUintOrZero("player"), ctx.QueryArgs().GetUintOrZero("points")
		l.Record(id, int64(points))
		ctx.SetStatusCode(fasthttp.StatusNoContent)
	case path == "/player":
		profile, ok := l.Profile(ctx.QueryArgs().GetUintOrZero("id"))
		if !ok {
			ctx.Error("unknown player", fasthttp.StatusNotFound)
			return
		}
		reply(ctx, profile)
	default:
		ctx.NotFound()
	}
}

func reply(ctx *fasthttp.RequestCtx, v any) {
	ctx.SetContentType("application/json")
	if err := json.NewEncoder(ctx).Encode(v); err != nil {
		ctx.Error(err.Error(), fasthttp.StatusInternalServerError)
	}
}

func load(p drive.Ports) {
	drive.HTTP(1800, func(i int) *http.Request {
		switch {
		case i%14 == 0:
			return drive.Get(p.Own(), "/top")
		case i%2 == 0:
			return drive.Get(p.Own(), "/player?id=%d", i*13%6000)
		}
		return drive.Send(http.MethodPost, p.Own(), fmt.Sprintf("/match?player=%d&points=%d", i*13%6000, i%97), "")
	})
}

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	l := &Ladder{players: make(map[int]*Player)}
	for id := range 6000 {
		l.Record(id, int64(id*7919%100000))
	}
	go http.ListenAndServe(p.Main(), nil)
	s := fasthttp.Server{Handler: l.handle, Name: "ladder", ReadTimeout: 30 * time.Second}
	log.Fatal(s.ListenAndServe(p.Own()))
}
