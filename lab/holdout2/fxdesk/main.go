// Fxdesk converts amounts at the cross rates of 90 currencies.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"math"
	"net/http"
	_ "net/http/pprof"
	"sync"
	"time"
)

const currencies = 90

type matrix [currencies][currencies]float64

type cached[T any] struct {
	mu    sync.RWMutex
	value T
	until time.Time
	ttl   time.Duration
	fill  func() T
}

func (c *cached[T]) get() T {
	c.mu.RLock()
	v, until := c.value, c.until
	c.mu.RUnlock()
	if time.Now().Before(until) {
		return v
	}
	v = c.fill()
	c.mu.Lock()
	c.value, c.until = v, time.Now().Add(c.ttl)
	c.mu.Unlock()
	return v
}

// crossRates closes the quoted rates: the best way from each currency to each.
func crossRates() *matrix {
	m := new(matrix)
	for i := range currencies {
		for j := range currencies {
			m[i][j] = 0.5 + math.Abs(math.Sin(float64(i*currencies+j)+float64(time.Now().Unix()%60)))/2
		}
	}
	for range 56 {
		for k := range currencies {
			for i := range currencies {
				for j := range currencies {
					if r := m[i][k] * m[k][j]; r > m[i][j] {
						m[i][j] = r
					}
				}
			}
		}
	}
	return m
}

type desk struct{ rates *cached[*matrix] }

func (d *desk) convert(w http.ResponseWriter, r *http.Request) {
	var from, to int
	var amount float64
	q := r.URL.Query()
	fmt.Sscan(q.Get("from"), &from)
	fmt.Sscan(q.Get("to"), &to)
	fmt.Sscan(q.Get("amount"), &amount)
	if from < 0 || to < 0 || from >= currencies || to >= currencies {
		http.Error(w, "no such currency", http.StatusNotFound)
		return
	}
	fmt.Fprintf(w, "%.4f\n", amount*d.rates.get()[from][to])
}

func load(url string) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 500}}
	for i := 0; ; i++ {
		time.Sleep(4 * time.Millisecond)
		go func() {
			res, err := client.Get(fmt.Sprintf("%s/convert?from=%d&to=%d&amount=%d.50", url, i%90, i*7%90, i%1000))
			if err == nil {
				io.Copy(io.Discard, res.Body)
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
		load("http://" + addr)
	}
	d := &desk{&cached[*matrix]{ttl: 3 * time.Second, fill: crossRates}}
	http.HandleFunc("/convert", d.convert)
	log.Fatal(http.ListenAndServe(addr, nil))
}
