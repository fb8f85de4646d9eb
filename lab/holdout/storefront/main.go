// Storefront shows offers and counts who saw them, with Prometheus.
package main

import (
	"flag"
	"fmt"
	"html/template"
	"log"
	"net/http"
	_ "net/http/pprof"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

var page = template.Must(template.New("offers").Parse(
	`<h1>For you, {{.User}}</h1><ul>{{range .Offers}}<li>{{.Name}}: {{.Price}}</li>{{end}}</ul>`))

type offer struct {
	Name  string
	Price string
}

type shop struct {
	views  *prometheus.CounterVec
	took   *prometheus.HistogramVec
	offers []offer
}

func newShop(reg prometheus.Registerer) *shop {
	s := &shop{
		views: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "offer_views_total"}, []string{"user", "page"}),
		took: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "page_seconds",
			Buckets: prometheus.DefBuckets}, []string{"user"}),
	}
	reg.MustRegister(s.views, s.took)
	for i := range 20 {
		s.offers = append(s.offers, offer{fmt.Sprintf("Lamp no. %d", i), fmt.Sprintf("%d.90", 10+i)})
	}
	return s
}

func (s *shop) show(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	user := r.Header.Get("X-User")
	if err := page.Execute(w, struct {
		User   string
		Offers []offer
	}{user, s.offers}); err != nil {
		log.Print(err)
	}
	s.count(user, time.Since(start))
}

func (s *shop) count(user string, d time.Duration) {
	s.views.WithLabelValues(user, "offers").Inc()
	s.took.WithLabelValues(user).Observe(d.Seconds())
}

func load(url string) {
	t := time.NewTicker(time.Millisecond)
	for i := 0; ; i++ {
		<-t.C
		go func() {
			req, _ := http.NewRequest("GET", url, nil)
			req.Header.Set("X-User", fmt.Sprintf("u-%08x", i*2654435761))
			if res, err := http.DefaultClient.Do(req); err == nil {
				res.Body.Close()
			}
		}()
	}
}

func main() {
	port := flag.Int("port", 7000, "")
	l := flag.Bool("load", false, "")
	flag.Parse()
	addr := fmt.Sprintf("127.0.0.1:%d", *port)
	if *l {
		load("http://" + addr + "/offers")
	}
	reg := prometheus.NewRegistry()
	http.HandleFunc("/offers", newShop(reg).show)
	http.Handle("/metrics", promhttp.HandlerFor(reg, promhttp.HandlerOpts{}))
	log.Fatal(http.ListenAndServe(addr, nil))
}
