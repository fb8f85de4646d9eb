// Podcasts polls the feeds of podcasts, eight at a time, and serves what is new.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/gocasebook/casebook/lab/holdout4/internal/drive"
)

type directory struct {
	fetcher *fetcher
	feeds   []string

	mu       sync.RWMutex
	episodes map[string][]Episode
}

// poll visits all feeds once.
func (d *directory) poll(ctx context.Context) {
	var g errgroup.Group
	g.SetLimit(8)
	for _, url := range d.feeds {
		g.Go(func() error {
			list, err := d.fetcher.episodes(ctx, url)
			if err != nil {
				log.Print(err)
				return nil // the others are read all the same
			}
			d.mu.Lock()
			defer d.mu.Unlock()
			d.episodes[url] = list
			return nil
		})
	}
	g.Wait()
}

func (d *directory) run(ctx context.Context, every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		d.poll(ctx)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

func (d *directory) latest(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.PathValue("feed"))
	if err != nil || n < 0 || n >= len(d.feeds) {
		http.NotFound(w, r)
		return
	}
	d.mu.RLock()
	list := d.episodes[d.feeds[n]]
	d.mu.RUnlock()
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(list)
}

// rss is what a podcast publishes.
func rss(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<?xml version="1.0"?><rss version="2.0"><channel><title>Podcast %d</title>`, n)
	for i := range 60 {
		fmt.Fprintf(&b, `<item><guid>%d-%d</guid><title>Episode %d &amp; more</title><pubDate>Tue, 03 Mar 2026 06:00:00 GMT`+
			`</pubDate><description><![CDATA[<p>%s</p>]]></description><enclosure url="https://cdn.example/%d/%d.mp3" `+
			`length="%d" type="audio/mpeg"/></item>`, n, i, i, strings.Repeat("In this episode we talk. ", 8), n, i, i*1000)
	}
	b.WriteString("</channel></rss>")
	return b.String()
}

func load(p drive.Ports) {
	mux := http.NewServeMux()
	texts := make([]string, feeds)
	for n := range texts {
		texts[n] = rss(n)
	}
	mux.HandleFunc("/feeds/{n}", func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(r.PathValue("n"))
		time.Sleep(time.Duration(2+n%9) * time.Millisecond)
		fmt.Fprint(w, texts[n%feeds])
	})
	go func() { log.Fatal(http.ListenAndServe(p.Dependency(), mux)) }()
	drive.HTTP(60, func(i int) *http.Request { return drive.Get(p.Main(), "/latest/%d", i%feeds) })
}

const feeds = 240

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	d := &directory{fetcher: &fetcher{&http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 8}}, 25},
		episodes: map[string][]Episode{}}
	for n := range feeds {
		d.feeds = append(d.feeds, fmt.Sprintf("http://%s/feeds/%d", p.Dependency(), n))
	}
	go func() {
		drive.Await(p.Dependency())
		d.run(context.Background(), time.Second)
	}()
	http.HandleFunc("GET /latest/{feed}", d.latest)
	log.Fatal(http.ListenAndServe(p.Main(), nil))
}
