// Chorus asks six stocks at once how many of an article they have.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	_ "net/http/pprof"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

const stocks = 6

type chorus struct {
	client *http.Client
	base   string
}

func (c *chorus) stock(ctx context.Context, i int, article string) (int, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("%s/%d/%s", c.base, i, article), nil)
	if err != nil {
		return 0, err
	}
	res, err := c.client.Do(req)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(io.LimitReader(res.Body, 20))
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(string(text)))
}

func (c *chorus) total(ctx context.Context, article string) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	g, ctx := errgroup.WithContext(ctx)
	var counts [stocks]int
	for i := range stocks {
		g.Go(func() (err error) {
			counts[i], err = c.stock(ctx, i, article)
			return err
		})
	}
	err := g.Wait()
	sum := 0
	for _, n := range counts {
		sum += n
	}
	return sum, err
}

func (c *chorus) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n, err := c.total(r.Context(), r.PathValue("article"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	fmt.Fprintln(w, n)
}

func load(self, stock string) {
	go http.ListenAndServe(stock, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(2 * time.Millisecond)
		fmt.Fprintln(w, len(r.URL.Path))
	}))
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}}
	for n := range 8 {
		go func() {
			for i := n; ; i++ {
				if res, err := client.Get(fmt.Sprintf("http://%s/article/a%d", self, i%900)); err == nil {
					io.Copy(io.Discard, res.Body)
					res.Body.Close()
				}
				time.Sleep(40 * time.Millisecond)
			}
		}()
	}
	select {}
}

func main() {
	port := flag.Int("port", 7000, "")
	l := flag.Bool("load", false, "")
	flag.Parse()
	self, stock := fmt.Sprintf("127.0.0.1:%d", *port), fmt.Sprintf("127.0.0.1:%d", *port+1)
	if *l {
		load(self, stock)
	}
	t := &http.Transport{MaxIdleConns: 200, MaxIdleConnsPerHost: 100, IdleConnTimeout: time.Minute}
	http.Handle("GET /article/{article}", &chorus{&http.Client{Transport: t}, "http://" + stock})
	log.Fatal(http.ListenAndServe(self, nil))
}
