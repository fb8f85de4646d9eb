// Rollup counts page views. Each second a job writes the counts of the second, and every five seconds the ranking of
// the last minute is made.
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"log"
	"net/http"
	_ "net/http/pprof"
	"os"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/robfig/cron/v3"

	"github.com/gocasebook/casebook/lab/holdout3/internal/drive"
)

type second map[string]int

// Counter counts in the current second, and keeps the last sixty.
type Counter struct {
	mu      sync.Mutex
	current second
	minute  [60]second
	at      int

	ranking atomic.Pointer[[]Rank]
	out     *bufio.Writer
}

type Rank struct {
	Page  string `json:"page"`
	Views int    `json:"views"`
}

func (c *Counter) Add(page string) {
	c.mu.Lock()
	c.current[page]++
	c.mu.Unlock()
}

// roll ends the second.
func (c *Counter) roll() {
	c.mu.Lock()
	done := c.current
	c.current = make(second, len(done))
	c.minute[c.at%len(c.minute)] = done
	c.at++
	c.mu.Unlock()
	var line []byte
	for page, n := range done {
		line = append(line[:0], page...)
		line = append(line, ' ')
		line = strconv.AppendInt(line, int64(n), 10)
		c.out.Write(append(line, '\n'))
	}
	if err := c.out.Flush(); err != nil {
		log.Print(err)
	}
}

func (c *Counter) window() []second {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.minute[:])
}

// rank orders the pages of the last minute: finished seconds do not change any more.
func (c *Counter) rank() {
	sum := make(map[string]int)
	for _, s := range c.window() {
		for page, n := range s {
			sum[page] += n
		}
	}
	ranks := make([]Rank, 0, len(sum))
	for page, n := range sum {
		ranks = append(ranks, Rank{page, n})
	}
	slices.SortFunc(ranks, func(a, b Rank) int {
		return cmp.Or(cmp.Compare(b.Views, a.Views), cmp.Compare(a.Page, b.Page))
	})
	ranks = slices.Clone(ranks[:min(100, len(ranks))])
	c.ranking.Store(&ranks)
}

func (c *Counter) view(w http.ResponseWriter, r *http.Request) {
	c.Add(r.PathValue("page"))
	w.WriteHeader(http.StatusNoContent)
}

func (c *Counter) top(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(*c.ranking.Load())
}

func load(p drive.Ports) {
	drive.HTTP(3000, func(i int) *http.Request {
		if i%20 == 0 {
			return drive.Get(p.Main(), "/top")
		}
		return drive.Send(http.MethodPost, p.Main(), "/views/page-"+strconv.Itoa(i*i%4001), "")
	})
}

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	f, err := os.CreateTemp("", "rollup-")
	if err != nil {
		log.Fatal(err)
	}
	os.Remove(f.Name()) // the file lives as long as the service
	c := &Counter{current: make(second), out: bufio.NewWriterSize(f, 64<<10)}
	c.rank()
	jobs := cron.New(cron.WithSeconds(), cron.WithChain(cron.SkipIfStillRunning(cron.DiscardLogger)))
	jobs.AddFunc("@every 1s", c.roll)
	jobs.AddFunc("*/5 * * * * *", c.rank)
	jobs.Start()
	time.AfterFunc(time.Minute, func() { log.Print("a minute is full") })
	http.HandleFunc("POST /views/{page}", c.view)
	http.HandleFunc("GET /top", c.top)
	log.Fatal(http.ListenAndServe(p.Main(), nil))
}
