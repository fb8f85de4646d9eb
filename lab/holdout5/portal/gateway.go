package main

import (
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"time"
)

// buffers are what answers are copied with.
type buffers struct{ pool sync.Pool }

func (b *buffers) Get() []byte {
	if buf, ok := b.pool.Get().(*[]byte); ok {
		return *buf
	}
	return make([]byte, 32<<10)
}

func (b *buffers) Put(buf []byte) { b.pool.Put(&buf) }

// transport keeps enough connections to each service for what it is asked at once.
func transport() *http.Transport {
	return &http.Transport{
		DialContext:           (&net.Dialer{Timeout: time.Second, KeepAlive: 30 * time.Second}).DialContext,
		MaxIdleConns:          512,
		MaxIdleConnsPerHost:   256,
		IdleConnTimeout:       90 * time.Second,
		ResponseHeaderTimeout: 10 * time.Second,
	}
}

// newGateway passes /api/NAME/… on to the service of that name.
func newGateway(services map[string]string, log *slog.Logger) http.Handler {
	via, pool := transport(), &buffers{}
	mux := http.NewServeMux()
	for name, addr := range services {
		target := &url.URL{Scheme: "http", Host: addr}
		mux.Handle("/api/"+name+"/", &httputil.ReverseProxy{
			Rewrite: func(r *httputil.ProxyRequest) {
				r.SetURL(target)
				r.Out.URL.Path = strings.TrimPrefix(r.In.URL.Path, "/api/"+name)
				r.SetXForwarded()
				r.Out.Header.Del("X-Signature")
			},
			Transport:  via,
			BufferPool: pool,
			ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
				log.Error("service failed", "service", name, "path", r.URL.Path, "err", err)
				w.WriteHeader(http.StatusBadGateway)
			},
		})
	}
	return mux
}
