// Turbine renders quotes for wind turbines, one page a request.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"html/template"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/pprof"
	"os"
	"os/signal"
	"strconv"
	"sync"
	"syscall"
	"time"
)

var page = template.Must(template.New("quote").Parse(`<h1>Quote {{.Site}}</h1>
<table>{{range .Months}}<tr><td>{{.Name}}</td><td>{{printf "%.1f" .Energy}} MWh</td></tr>
{{end}}</table><p>In a year {{printf "%.1f" .Total}} MWh</p>
`))

type month struct {
	Name   string
	Energy float64
}

type quote struct {
	Site   string
	Months []month
	Total  float64
}

// weibull is the share of time with wind of speed v.
func weibull(v, shape, scale float64) float64 {
	return shape / scale * math.Pow(v/scale, shape-1) * math.Exp(-math.Pow(v/scale, shape))
}

// power of the turbine at wind speed v, in MW.
func power(v float64) float64 {
	switch {
	case v < 3 || v > 25:
		return 0
	case v > 12:
		return 3
	}
	return 3 * math.Pow((v-3)/9, 3)
}

// step is that of the integration, in m/s.
const step = 0.0015

func calculate(site int) quote {
	q := quote{Site: strconv.Itoa(site)}
	for m := time.January; m <= time.December; m++ {
		scale := 7 + 2*math.Cos(float64(m)/2) + float64(site%10)/10
		energy := 0.0
		for v := step; v < 30; v += step {
			energy += power(v) * weibull(v, 2, scale) * step * 730
		}
		q.Months = append(q.Months, month{m.String(), energy})
		q.Total += energy
	}
	return q
}

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func serveQuote(w http.ResponseWriter, r *http.Request) {
	site, err := strconv.Atoi(r.PathValue("site"))
	if err != nil {
		http.Error(w, "no such site", http.StatusNotFound)
		return
	}
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.Reset()
	if err := page.Execute(b, calculate(site)); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	b.WriteTo(w)
}

func run(ctx context.Context, addr string) error {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /quote/{site}", serveQuote)
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	s := &http.Server{Addr: addr, Handler: mux, BaseContext: func(net.Listener) context.Context { return ctx }}
	stop := context.AfterFunc(ctx, func() { s.Close() })
	defer stop()
	if err := s.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// load is 60 offices that ask again as soon as they have an answer.
func load(url string) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 60}}
	for office := range 60 {
		go func() {
			for i := office; ; i += 60 {
				if res, err := client.Get(fmt.Sprintf("%s/quote/%d", url, i)); err == nil {
					io.Copy(io.Discard, res.Body)
					res.Body.Close()
				}
				time.Sleep(5 * time.Millisecond)
			}
		}()
	}
	select {}
}

func main() {
	port := flag.Int("port", 7000, "")
	l := flag.Bool("load", false, "")
	flag.Parse()
	addr := "127.0.0.1:" + strconv.Itoa(*port)
	if *l {
		load("http://" + addr)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	if err := run(ctx, addr); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
