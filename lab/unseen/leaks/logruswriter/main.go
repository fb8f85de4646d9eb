// Gateway in front of an origin; what goes wrong is logged with the request's fields.
package main

import (
	"flag"
	stdlog "log"
	"net/http"
	"net/http/httputil"
	_ "net/http/pprof"
	"net/url"
	"strconv"
	"sync/atomic"

	"github.com/sirupsen/logrus"
)

type gateway struct {
	origin *url.URL
	log    *logrus.Logger
	last   atomic.Int64
	close  bool
}

func (g *gateway) proxy(w http.ResponseWriter, r *http.Request) {
	entry := g.log.WithFields(logrus.Fields{"request": strconv.FormatInt(g.last.Add(1), 10), "path": r.URL.Path, "client": r.RemoteAddr})
	errors := entry.WriterLevel(logrus.ErrorLevel)
	if g.close {
		defer errors.Close()
	}
	p := httputil.ReverseProxy{
		Rewrite: func(out *httputil.ProxyRequest) {
			out.SetURL(g.origin)
			out.SetXForwarded()
		},
		ErrorLog: stdlog.New(errors, "", 0),
	}
	p.ServeHTTP(w, r)
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8304", "address to serve on")
	back := flag.String("origin", "http://127.0.0.1:9201", "address of the origin")
	fixed := flag.Bool("fixed", false, "close the writer")
	flag.Parse()
	origin, err := url.Parse(*back)
	if err != nil {
		stdlog.Fatal(err)
	}
	g := &gateway{origin: origin, log: logrus.New(), close: *fixed}
	http.HandleFunc("/pages/", g.proxy)
	stdlog.Fatal(http.ListenAndServe(*addr, nil))
}
