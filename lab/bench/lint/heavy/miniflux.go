package heavy

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"math/rand/v2"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"time"
)

// miniflux reads feeds that bring new articles at each look, shows them to readers, in a browser and through its API, and
// fetches the pages of some.
func miniflux() Service {
	return Service{
		Name: "miniflux", Module: "miniflux.app/v2", Version: "v2.3.5", Main: ".",
		Env: []string{"LISTEN_ADDR=127.0.0.1:{port}", "RUN_MIGRATIONS=1", "CREATE_ADMIN=1", "ADMIN_USERNAME=admin",
			"ADMIN_PASSWORD=" + minifluxPassword, "FETCHER_ALLOW_PRIVATE_NETWORKS=1", "METRICS_COLLECTOR=1", "LOG_LEVEL=error",
			"WORKER_POOL_SIZE=4"},
		Prepare: func(string) ([]string, func(), error) {
			dsn, end, err := startPostgres()
			return []string{"DATABASE_URL=" + dsn + " sslmode=disable"}, end, err
		},
		Ready: "/healthcheck",
		Load:  loadMiniflux,
	}
}

// minifluxPassword is of an instance that lives for two minutes, on loopback.
const minifluxPassword = "a-password-of-two-minutes"

const minifluxFeeds = 24

func loadMiniflux(ctx context.Context, on Target) error {
	feeds := &feedServer{}
	server := &http.Server{Addr: on.Other, Handler: feeds, ReadHeaderTimeout: time.Second}
	go server.ListenAndServe() // until it is closed
	defer server.Close()
	base := "http://" + on.Addr
	key, err := minifluxSetup(ctx, base, on.Other)
	if err != nil {
		return err
	}
	asks := func(q request) request {
		if q.header == nil {
			q.header = make(map[string]string)
		}
		q.header["X-Auth-Token"] = key
		return q
	}
	clients := times(2, browser(on, base, func(r *rand.Rand) request {
		return asks(request{method: http.MethodPut, path: fmt.Sprintf("/v1/feeds/%d/refresh", 1+r.IntN(minifluxFeeds))})
	}))
	clients = append(clients, times(2, browser(on, base, func(r *rand.Rand) request { return asks(minifluxAPI(r, on)) }))...)
	clients = append(clients, times(2, func(ctx context.Context, i int) error { return minifluxReader(ctx, on, i) })...)
	return together(ctx, clients...)
}

// minifluxSetup makes an API key and subscribes to the feeds.
func minifluxSetup(ctx context.Context, base, feeds string) (string, error) {
	client := &http.Client{}
	auth := func(q request) request {
		// Basic authentication is for this only: each costs a bcrypt.
		r, _ := http.NewRequest(http.MethodGet, base, nil) // the address is right
		r.SetBasicAuth("admin", minifluxPassword)
		q.header = map[string]string{"Authorization": r.Header.Get("Authorization"), "Content-Type": "application/json"}
		return q
	}
	_, body, err := send(ctx, client, base, auth(post("/v1/api-keys", `{"description":"load"}`)))
	if err != nil {
		return "", err
	}
	var key struct{ Token string }
	if err := json.Unmarshal(body, &key); err != nil || key.Token == "" {
		return "", fmt.Errorf("making an API key: %w: %s", err, body)
	}
	for i := range minifluxFeeds {
		status, body, err := send(ctx, client, base, auth(post("/v1/feeds", fmt.Sprintf(
			`{"feed_url":"http://%s/feed/%d","category_id":1}`, feeds, i))))
		if err != nil || status >= 400 {
			return "", errors.Join(err, fmt.Errorf("subscribing: %d: %s", status, body))
		}
	}
	return key.Token, nil
}

// minifluxAPI is what clients on telephones ask.
func minifluxAPI(r *rand.Rand, on Target) request {
	switch r.IntN(12) {
	case 0:
		return get("/v1/feeds")
	case 1:
		return get("/v1/feeds/counters")
	case 2:
		return get("/v1/entries?search=" + pick(r, []string{"kernel", "budget", "galaxy"}) + "&limit=50")
	case 3:
		return get("/v1/export")
	case 4:
		return get(fmt.Sprintf("/v1/entries/%d/fetch-content", 1+r.IntN(400)))
	case 5:
		return post("/v1/discover", fmt.Sprintf(`{"url":"http://%s/page/%d"}`, on.Other, r.IntN(1000)))
	case 6:
		return request{method: http.MethodPut, path: "/v1/entries", body: fmt.Sprintf(`{"entry_ids":[%d,%d],"status":"read"}`,
			1+r.IntN(400), 1+r.IntN(400)), header: map[string]string{"Content-Type": "application/json"}}
	case 7:
		return get(fmt.Sprintf("/v1/entries/%d", 1+r.IntN(400)))
	case 8:
		return get(fmt.Sprintf("/v1/feeds/%d/entries?limit=100&order=published_at&direction=desc", 1+r.IntN(minifluxFeeds)))
	}
	return get(fmt.Sprintf("/v1/entries?status=unread&limit=100&offset=%d&order=published_at&direction=desc", r.IntN(200)))
}

var csrfField = regexp.MustCompile(`name="csrf" value="([^"]*)"`)

// minifluxReader signs in, and reads in a browser.
func minifluxReader(ctx context.Context, on Target, i int) error {
	base := "http://" + on.Addr
	jar, err := cookiejar.New(nil)
	if err != nil {
		return err
	}
	client := &http.Client{Jar: jar}
	_, page, err := send(ctx, client, base, get("/"))
	if err != nil {
		return err
	}
	form := url.Values{"username": {"admin"}, "password": {minifluxPassword}}
	if m := csrfField.FindSubmatch(page); m != nil {
		form.Set("csrf", html.UnescapeString(string(m[1])))
	}
	if _, _, err = send(ctx, client, base, request{method: http.MethodPost, path: "/login", body: form.Encode(),
		header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}}); err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(uint64(i), 3))
	for ctx.Err() == nil {
		path := pick(r, []string{"/unread", "/history", "/feeds", "/categories", "/search?q=river", "/settings",
			fmt.Sprintf("/feed/%d/entries", 1+r.IntN(minifluxFeeds)), fmt.Sprintf("/unread?offset=%d", r.IntN(300)),
			fmt.Sprintf("/feed/%d/entries/all", 1+r.IntN(minifluxFeeds)), "/category/1/entries", "/about"})
		status, page, err := send(ctx, client, base, get(path))
		if ctx.Err() == nil {
			on.Seen.Is(err == nil && status == http.StatusOK && !strings.Contains(string(page), `action="/login"`))
		}
	}
	return nil
}

// A feedServer has feeds of three formats with an article more at each look, and the pages of articles.
type feedServer struct{ looks atomic.Int64 }

func (f *feedServer) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	n := f.looks.Add(1)
	r := rand.New(rand.NewPCG(uint64(n), 4))
	var i int
	fmt.Sscanf(q.URL.Path, "/feed/%d", &i) // 0 for pages
	switch {
	case strings.HasPrefix(q.URL.Path, "/page/"):
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<html><head><title>%s</title><link rel="alternate" type="application/rss+xml" href="/feed/0">`+
			`</head><body><nav>%s</nav><article>%s</article><aside>%s</aside></body></html>`, text(r, 5), links(r, q.Host),
			article(r, q.Host), links(r, q.Host))
	case i%3 == 0:
		f.rss(w, r, q.Host, i, n)
	case i%3 == 1:
		f.atom(w, r, q.Host, i, n)
	default:
		f.json(w, r, q.Host, i, n)
	}
}

// shown is how many articles a feed has.
const shown = 25

func escaped(s string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(s)) // a Builder takes all
	return b.String()
}

func (f *feedServer) rss(w http.ResponseWriter, r *rand.Rand, host string, i int, n int64) {
	w.Header().Set("Content-Type", "application/rss+xml")
	fmt.Fprintf(w, `<?xml version="1.0" encoding="utf-8"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" `+
		`xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>RSS %d</title><link>http://%s/</link>`, i,
		host)
	for k := range shown {
		id := n/8 - int64(k)
		fmt.Fprintf(w, `<item><title>%s</title><link>http://%s/page/%d?utm_source=rss&amp;utm_medium=feed</link>`+
			`<guid>rss-%d-%d</guid><pubDate>%s</pubDate><dc:creator>%s</dc:creator><category>%s</category>`+
			`<content:encoded>%s</content:encoded></item>`, escaped(text(r, 6)), host, id, i, id,
			time.Now().Add(-time.Duration(k)*time.Minute).Format(time.RFC1123Z), escaped(text(r, 2)), escaped(text(r, 1)),
			escaped(article(r, host)))
	}
	fmt.Fprint(w, `</channel></rss>`)
}

func (f *feedServer) atom(w http.ResponseWriter, r *rand.Rand, host string, i int, n int64) {
	w.Header().Set("Content-Type", "application/atom+xml")
	fmt.Fprintf(w, `<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Atom %d</title>`+
		`<link href="http://%s/"/><id>atom-%d</id>`, i, host, i)
	for k := range shown {
		id := n/8 - int64(k)
		fmt.Fprintf(w, `<entry><title>%s</title><link href="http://%s/page/%d"/><id>atom-%d-%d</id><updated>%s</updated>`+
			`<author><name>%s</name></author><content type="html">%s</content></entry>`, escaped(text(r, 6)), host, id, i, id,
			time.Now().Add(-time.Duration(k)*time.Minute).Format(time.RFC3339), escaped(text(r, 2)), escaped(article(r, host)))
	}
	fmt.Fprint(w, `</feed>`)
}

func (f *feedServer) json(w http.ResponseWriter, r *rand.Rand, host string, i int, n int64) {
	type item struct {
		ID    string `json:"id"`
		URL   string `json:"url"`
		Title string `json:"title"`
		HTML  string `json:"content_html"`
		Date  string `json:"date_published"`
	}
	var items []item
	for k := range shown {
		id := n/8 - int64(k)
		items = append(items, item{fmt.Sprintf("json-%d-%d", i, id), fmt.Sprintf("http://%s/page/%d", host, id), text(r, 6),
			article(r, host), time.Now().Add(-time.Duration(k) * time.Minute).Format(time.RFC3339)})
	}
	w.Header().Set("Content-Type", "application/feed+json")
	json.NewEncoder(w).Encode(map[string]any{"version": "https://jsonfeed.org/version/1.1", "title": "JSON " + fmt.Sprint(i),
		"home_page_url": "http://" + host + "/", "items": items}) // who does not read is gone
}

func links(r *rand.Rand, host string) string {
	var b strings.Builder
	for range 15 {
		fmt.Fprintf(&b, `<a href="http://%s/page/%d?fbclid=%d" onclick="track()">%s</a> `, host, r.IntN(1000), r.IntN(1e6),
			text(r, 3))
	}
	return b.String()
}

// article is HTML as publishers write it, with what a reader takes out.
func article(r *rand.Rand, host string) string {
	var b strings.Builder
	for range 8 {
		fmt.Fprintf(&b, `<h2 class="x">%s</h2><p style="color:red">%s <a href="/page/%d?utm_campaign=c&id=%d">%s</a> %s</p>`,
			text(r, 4), text(r, 30), r.IntN(1000), r.IntN(1000), text(r, 3), text(r, 30))
		fmt.Fprintf(&b, `<figure><img src="http://%s/i/%d.jpg" srcset="http://%s/i/%d-2x.jpg 2x" width="600" loading="lazy">`+
			`<figcaption>%s</figcaption></figure>`, host, r.IntN(1000), host, r.IntN(1000), text(r, 6))
	}
	fmt.Fprintf(&b, `<script>track()</script><img src="http://pixel.example.com/p.gif" width="1" height="1"><ul><li>%s</li>`+
		`<li><code>%s</code></li></ul><iframe src="https://www.youtube.com/embed/%d"></iframe><table><tr><td>%s</td></tr>`+
		`</table>`, text(r, 8), text(r, 5), r.IntN(1e6), text(r, 4))
	return b.String()
}
