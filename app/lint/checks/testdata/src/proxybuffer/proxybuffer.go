package proxybuffer

import (
	"net/http"
	"net/http/httputil"
	"net/url"
)

func single(to *url.URL) http.Handler {
	return httputil.NewSingleHostReverseProxy(to) // want `give the proxy a BufferPool`
}

func rewriting(to *url.URL) http.Handler {
	return &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to) }} // want `give the proxy a BufferPool`
}

func empty() *httputil.ReverseProxy {
	return new(httputil.ReverseProxy) // want `give the proxy a BufferPool`
}

// What follows is fine.

func several() []*httputil.ReverseProxy { return []*httputil.ReverseProxy{} }
