// Shop with a cart in a session cookie.
package main

import (
	stdcontext "context"
	"flag"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"

	"github.com/gorilla/context"
	"github.com/gorilla/sessions"
)

type userKey struct{}

type shop struct {
	store *sessions.CookieStore
	clear bool
}

// withUser says who asks, in the request's context.
func withUser(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx := stdcontext.WithValue(r.Context(), userKey{}, r.Header.Get("X-User"))
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

func (s *shop) cart(w http.ResponseWriter, r *http.Request) {
	if s.clear {
		defer context.Clear(r)
	}
	cart, err := s.store.Get(r, "cart")
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	n, _ := cart.Values["items"].(int)
	cart.Values["items"] = n + 1
	if err := cart.Save(r, w); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	fmt.Fprintf(w, "%v has %d items\n", r.Context().Value(userKey{}), n+1)
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8306", "address to serve on")
	fixed := flag.Bool("fixed", false, "clear the request that the session knows")
	flag.Parse()
	s := &shop{store: sessions.NewCookieStore([]byte("a key of thirty-two bytes, or so")), clear: *fixed}
	pages := http.NewServeMux()
	pages.HandleFunc("POST /cart", s.cart)
	http.Handle("/cart", context.ClearHandler(withUser(pages)))
	log.Fatal(http.ListenAndServe(*addr, nil))
}
