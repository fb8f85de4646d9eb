package buildpercall

import (
	"database/sql"
	"net/http"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/net/idna"
	"google.golang.org/grpc"
)

var berlin, _ = time.LoadLocation("Europe/Berlin")

func local(t time.Time) time.Time {
	loc, err := time.LoadLocation("Europe/Berlin") // want `the zone is read from the disk at every call`
	if err != nil {
		return t
	}
	return t.In(loc)
}

func escape(s string) string {
	r := strings.NewReplacer("<", "&lt;", ">", "&gt;") // want `the replacer builds its tables at every call`
	return r.Replace(s)
}

func Escape(s string) string {
	return strings.NewReplacer(`"`, `\"`).Replace(s) // want `the replacer builds its tables at every call`
}

func ascii(host string) (string, error) {
	return idna.New(idna.MapForLookup(), idna.StrictDomainName(false)).ToASCII(host) // want `the profile is put together`
}

func serve(w http.ResponseWriter, r *http.Request) {
	db, err := sql.Open("pgx", "…") // want `a pool of connections is opened for each request`
	if err != nil {
		return
	}
	defer db.Close()
	conn, _ := grpc.NewClient("localhost:1") // want `a connection is opened for each request`
	conn.Close()
}

type memory struct{ total *prometheus.Desc }

func (memory) update(ch chan<- prometheus.Metric, sizes map[string]float64) {
	for name, size := range sizes {
		ch <- prometheus.MustNewConstMetric(prometheus.NewDesc(name, "", nil, nil), size) // want `at every scrape`
	}
}

// What follows is fine.

func zone(name string) (*time.Location, error) { return time.LoadLocation(name) }

func named(host string, strict bool) (string, error) {
	return idna.New(idna.StrictDomainName(strict)).ToASCII(host)
}

func replace(s, from, to string) string { return strings.NewReplacer(from, to).Replace(s) }

func main() {
	db, _ := sql.Open("pgx", "…")
	defer db.Close()
}

func init() {
	loc, _ := time.LoadLocation("UTC")
	_ = loc
}

func newMemory() *memory { return &memory{total: prometheus.NewDesc("total", "", nil, nil)} }

func describe(name string) *prometheus.Desc { return prometheus.NewDesc(name, "", nil, nil) }

func (m *memory) lazily(ch chan<- prometheus.Metric) {
	if m.total == nil {
		m.total = prometheus.NewDesc("total", "", nil, nil)
	}
	ch <- prometheus.MustNewConstMetric(m.total, 1)
}
