// Atlas puts together a page about a place: its people, its weather, its height. Three services know them.
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	_ "net/http/pprof"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

// source speaks "QUESTION place\n", "answer\n". It keeps idle connections.
type source struct {
	addr string
	idle chan net.Conn
}

func newSource(addr string) *source { return &source{addr: addr, idle: make(chan net.Conn, 64)} }

func (s *source) conn(ctx context.Context) (net.Conn, error) {
	select {
	case c := <-s.idle:
		return c, nil
	default:
		return (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "tcp", s.addr)
	}
}

func (s *source) ask(ctx context.Context, question, place string) (string, error) {
	c, err := s.conn(ctx)
	if err != nil {
		return "", err
	}
	c.SetDeadline(time.Now().Add(3 * time.Second))
	if _, err := fmt.Fprintf(c, "%s %s\n", question, place); err != nil {
		c.Close()
		return "", err
	}
	line, err := bufio.NewReader(c).ReadString('\n')
	if err != nil {
		c.Close()
		return "", err
	}
	select {
	case s.idle <- c:
	default:
		c.Close()
	}
	return strings.TrimSpace(line), nil
}

type atlas struct{ people, weather, height *source }

func (a *atlas) population(ctx context.Context, place string) (string, error) {
	return a.people.ask(ctx, "POPULATION", place)
}

func (a *atlas) forecast(ctx context.Context, place string) (string, error) {
	return a.weather.ask(ctx, "FORECAST", place)
}

func (a *atlas) elevation(ctx context.Context, place string) (string, error) {
	return a.height.ask(ctx, "ELEVATION", place)
}

func (a *atlas) page(w http.ResponseWriter, r *http.Request) {
	place := r.FormValue("place")
	var out [3]string
	g, ctx := errgroup.WithContext(r.Context())
	for i, f := range []func(context.Context, string) (string, error){a.population, a.forecast, a.elevation} {
		g.Go(func() (err error) {
			out[i], err = f(ctx, place)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	fmt.Fprintf(w, "%s: %s people, %s, %s m\n", place, out[0], out[1], out[2])
}

// upstream is all three services.
func upstream(c net.Conn) {
	for in := bufio.NewScanner(c); in.Scan(); {
		switch verb, _, _ := strings.Cut(in.Text(), " "); verb {
		case "FORECAST":
			time.Sleep(450 * time.Millisecond)
		default:
			time.Sleep(3 * time.Millisecond)
		}
		fmt.Fprintln(c, len(in.Text())*111)
	}
}

func load(url, up string) {
	ln, err := net.Listen("tcp", up)
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 200}}
		for i := 0; ; i++ {
			time.Sleep(10 * time.Millisecond)
			go func() {
				if res, err := client.Get(fmt.Sprintf("%s/page?place=village-%d", url, i%700)); err == nil {
					io.Copy(io.Discard, res.Body)
					res.Body.Close()
				}
			}()
		}
	}()
	for {
		c, err := ln.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go upstream(c)
	}
}

func main() {
	port := flag.Int("port", 7000, "")
	l := flag.Bool("load", false, "")
	flag.Parse()
	addr, up := fmt.Sprintf("127.0.0.1:%d", *port), fmt.Sprintf("127.0.0.1:%d", *port+1)
	if *l {
		load("http://"+addr, up)
	}
	a := &atlas{newSource(up), newSource(up), newSource(up)}
	http.HandleFunc("/page", a.page)
	log.Fatal(http.ListenAndServe(addr, nil))
}
