package foreign

import (
	"fmt"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gocasebook/casebook/lab/trial"
)

// Behind is what the services behind one do: an HTTP server, which is a page of metrics too, and a DNS server.
type Behind struct {
	Latency     trial.Duration `json:"latency"` // of HTTP answers; 0: 5 ms
	After       trial.Duration `json:"after"`   // when what follows begins; 0: never
	ThenLatency trial.Duration `json:"then_latency"`
	ThenSilent  bool           `json:"then_silent"` // the DNS server answers no more
	Series      int            `json:"series"`      // of the page of metrics
	ThenNew     int            `json:"then_new"`    // series that come with every scrape, for ever
}

// A behind is those servers, as they run. Stop must be called.
type behind struct {
	Behind
	began  atomic.Pointer[time.Time] // nil until the watch begins
	http   net.Listener
	server *http.Server
	dns    net.PacketConn
	wait   sync.WaitGroup

	scrapes, grown atomic.Int64
}

// start starts the servers on free ports of loopback.
func (b Behind) start() (*behind, error) {
	if b.Latency == 0 {
		b.Latency = trial.Duration(5 * time.Millisecond)
	}
	r := &behind{Behind: b}
	var err error
	if r.http, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		return nil, err
	}
	if r.dns, err = net.ListenPacket("udp", "127.0.0.1:0"); err != nil {
		r.http.Close()
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/metrics", r.metrics)
	mux.HandleFunc("/", r.answer)
	r.server = &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	r.wait.Go(func() { r.server.Serve(r.http) }) // until it is closed
	r.wait.Go(r.resolve)
	return r, nil
}

func (b *behind) stop() {
	b.server.Close()
	b.dns.Close()
	b.wait.Wait()
}

// changed says that After is over.
func (b *behind) changed() bool {
	began := b.began.Load()
	return b.After > 0 && began != nil && time.Since(*began) > time.Duration(b.After)
}

// begin starts the time of After.
func (b *behind) begin() {
	now := time.Now()
	b.began.Store(&now)
}

// answer is a page of 2 KiB, after the latency.
func (b *behind) answer(w http.ResponseWriter, r *http.Request) {
	latency := time.Duration(b.Latency)
	if b.changed() {
		latency = max(latency, time.Duration(b.ThenLatency))
	}
	select {
	case <-time.After(latency):
	case <-r.Context().Done():
		return
	}
	w.Header().Set("Content-Type", "text/plain")
	for i := range 32 {
		fmt.Fprintf(w, "line %02d of the answer to %-40.40s\n", i, r.URL.Path)
	}
}

// metrics is a page as an instrumented service has it. The series that come with a scrape stay, as those of a label
// with a user's name in it do.
func (b *behind) metrics(w http.ResponseWriter, _ *http.Request) {
	n := b.scrapes.Add(1)
	fmt.Fprintln(w, "# TYPE shop_requests_total counter")
	for i := range b.Series {
		fmt.Fprintf(w, "shop_requests_total{path=\"/items/%d\",status=\"200\",zone=\"eu-%d\"} %d\n", i, i%3,
			n*int64(i%17))
	}
	if !b.changed() {
		return
	}
	for i := range b.grown.Add(int64(b.ThenNew)) {
		fmt.Fprintf(w, "shop_requests_total{path=\"/login\",status=\"200\",user=\"user-%d@example.com\"} 1\n", i)
	}
}

// resolve answers each question with one address, until it is silent.
func (b *behind) resolve() {
	buf := make([]byte, 1500)
	for {
		n, from, err := b.dns.ReadFrom(buf)
		if err != nil {
			return
		}
		if b.ThenSilent && b.changed() {
			continue
		}
		if answer := dnsAnswer(buf[:n]); answer != nil {
			b.dns.WriteTo(answer, from) // who asked may be gone
		}
	}
}
