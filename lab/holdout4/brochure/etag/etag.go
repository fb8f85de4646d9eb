// Package etag answers 304 to those who have a page already.
package etag

import (
	"crypto/md5"
	"encoding/hex"
	"net/http"
	"strings"
)

// Of is the strong tag of a content.
func Of(content []byte) string {
	sum := md5.Sum(content)
	return `"` + hex.EncodeToString(sum[:]) + `"`
}

// A Source has contents by path.
type Source interface {
	Content(path string) (content []byte, kind string, ok bool)
}

// Handler serves a source.
type Handler struct {
	Source Source
	MaxAge string
}

func (h Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	content, kind, ok := h.Source.Content(r.URL.Path)
	if !ok {
		http.NotFound(w, r)
		return
	}
	tag := Of(content)
	w.Header().Set("ETag", tag)
	w.Header().Set("Cache-Control", "max-age="+h.MaxAge)
	if match(r.Header.Get("If-None-Match"), tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.Header().Set("Content-Type", kind)
	if r.Method != http.MethodHead {
		w.Write(content)
	}
}

func match(header, tag string) bool {
	for candidate := range strings.SplitSeq(header, ",") {
		candidate = strings.TrimPrefix(strings.TrimSpace(candidate), "W/")
		if candidate == tag || candidate == "*" {
			return true
		}
	}
	return false
}
