// Wishlist shows the articles of a customer's list, which a store in another zone keeps. The form (-kind) says which
// store, over which client: redis (go-redis), memcached (gomemcache), postgres (pgxpool), http (net/http) or grpc. A
// second word says how: "each" asks for each article by itself, "slow" has a store that takes 300 ms; without one the
// list is asked for at once.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

// articles is how long a list is.
const articles = 20

// A store knows what articles are called.
type store interface {
	one(ctx context.Context, id int) (string, error)
	all(ctx context.Context, ids []int) ([]string, error)
}

type wishlist struct {
	store store
	each  bool
}

func (l *wishlist) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	names, err := l.names(r.Context(), idsOf(r.FormValue("c")))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	fmt.Fprintln(w, strings.Join(names, "\n"))
}

func idsOf(customer string) []int {
	ids := make([]int, articles)
	for i := range ids {
		ids[i] = (len(customer)*131 + i*7) % 997
	}
	return ids
}

func (l *wishlist) names(ctx context.Context, ids []int) ([]string, error) {
	if !l.each {
		return l.store.all(ctx, ids)
	}
	var names []string
	for _, id := range ids {
		name, err := l.store.one(ctx, id)
		if err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
}

// form is the store and how it is asked.
func form(kind string) (of, how string) {
	of, how, _ = strings.Cut(kind, "-")
	return of, how
}

func start(o serve.Options) error {
	of, how := form(o.Kind)
	s, err := open(of, o.Backend)
	if err != nil {
		return err
	}
	http.Handle("GET /wishes", &wishlist{s, how == "each"})
	return nil
}

// backend is the store of a form, as far away as the form says.
func backend(kind string) (string, func(), error) {
	of, how := form(kind)
	network, addr, stop, err := begin(of)
	if err != nil {
		return "", nil, err
	}
	delay := time.Millisecond
	if how == "slow" {
		delay = 300 * time.Millisecond
	}
	l, err := serve.Listen()
	if err != nil {
		return "", nil, err
	}
	go distant(l, network, addr, delay)
	return l.Addr().String(), stop, nil
}

// distant passes connections on to an address, and what comes back so much later.
func distant(l net.Listener, network, addr string, delay time.Duration) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		up, err := net.Dial(network, addr)
		if err != nil {
			log.Fatal(err)
		}
		go io.Copy(up, c)
		go later(c, up, delay)
	}
}

// A chunk is what came at a time.
type chunk struct {
	bytes []byte
	due   time.Time
}

func later(to io.WriteCloser, from io.Reader, delay time.Duration) {
	defer to.Close()
	chunks := make(chan chunk, 1000)
	go func() {
		defer close(chunks)
		for {
			b := make([]byte, 32<<10)
			n, err := from.Read(b)
			if err != nil {
				return
			}
			chunks <- chunk{b[:n], time.Now().Add(delay)}
		}
	}()
	for c := range chunks {
		time.Sleep(time.Until(c.due))
		if _, err := to.Write(c.bytes); err != nil {
			return
		}
	}
}

func main() {
	serve.Run(serve.Service{Start: start, Rate: 100, BackendOf: backend,
		Path: func(i int) string { return fmt.Sprint("/wishes?c=", i%5000) }})
}
