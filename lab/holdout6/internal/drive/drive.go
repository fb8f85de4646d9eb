// Package drive is the load of the services beside this folder: callers at a steady rate, in a process of their own.
// That process also plays what the service depends on, on the ports after the service's, so that none of it is in the
// service's profiles. It prints what the callers saw, which is how the truth in holdout.json was measured.
package drive

import (
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// Ports are the flags that every service has.
type Ports struct {
	Load bool
	Base int
}

// Flags parses -port and -load.
func Flags() Ports {
	var p Ports
	flag.IntVar(&p.Base, "port", 7000, "profiles and HTTP; dependencies on the next two")
	flag.BoolVar(&p.Load, "load", false, "be the callers and the dependencies")
	flag.Parse()
	return p
}

// Main is the address of the service, Second and Dependency those of what it calls.
func (p Ports) Main() string       { return p.at(0) }
func (p Ports) Second() string     { return p.at(1) }
func (p Ports) Dependency() string { return p.at(2) }

func (p Ports) at(offset int) string { return fmt.Sprintf("127.0.0.1:%d", p.Base+offset) }

// Serve serves a dependency for ever.
func Serve(addr string, h http.Handler) {
	go func() { log.Fatal(http.ListenAndServe(addr, h)) }()
}

// Listen is a listener for a dependency that is not HTTP.
func Listen(network, addr string) net.Listener {
	l, err := net.Listen(network, addr)
	if err != nil {
		log.Fatal(err)
	}
	return l
}

// Await returns when somebody listens on addr.
func Await(addr string) {
	for {
		c, err := net.Dial("tcp", addr)
		if err == nil {
			c.Close()
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// A Load is callers that send Rate requests a second for ever. It leaves out what more than Callers would send.
type Load struct {
	Rate    int
	Burst   int           // so many at a time; 0 means one
	Callers int           // 0 means 64
	Timeout time.Duration // of a request; 0 means 30 s
}

// Run sends the requests that next makes: the i-th by the i-th call.
func (l Load) Run(next func(i int) *http.Request) {
	if l.Callers == 0 {
		l.Callers = 64
	}
	l.Burst = max(l.Burst, 1)
	if l.Timeout == 0 {
		l.Timeout = 30 * time.Second
	}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: l.Callers}, Timeout: l.Timeout}
	jobs := make(chan int)
	var seen seen
	go seen.print()
	for range l.Callers {
		go func() {
			for i := range jobs {
				seen.call(client, next(i))
			}
		}()
	}
	tick := time.NewTicker(time.Second * time.Duration(l.Burst) / time.Duration(l.Rate))
	for i := 0; ; i++ {
		if i%l.Burst == 0 {
			<-tick.C
		}
		select {
		case jobs <- i:
		default:
			seen.skip()
		}
	}
}

// seen is what the callers of the last seconds saw.
type seen struct {
	mu              sync.Mutex
	took            []time.Duration
	failed, skipped int
}

func (s *seen) call(client *http.Client, req *http.Request) {
	start := time.Now()
	res, err := client.Do(req)
	ok := err == nil
	if ok {
		_, err = io.Copy(io.Discard, res.Body)
		ok = err == nil && res.StatusCode < 500
		res.Body.Close()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !ok {
		s.failed++
		return
	}
	s.took = append(s.took, time.Since(start))
}

func (s *seen) skip() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.skipped++
}

func (s *seen) print() {
	for range time.Tick(5 * time.Second) {
		s.mu.Lock()
		took, failed, skipped := s.took, s.failed, s.skipped
		s.took, s.failed, s.skipped = nil, 0, 0
		s.mu.Unlock()
		if slices.Sort(took); len(took) == 0 {
			took = []time.Duration{0}
		}
		log.Printf("%d answers, p50 %v p90 %v p99 %v; %d failed, %d skipped", len(took), took[len(took)/2],
			took[len(took)*9/10], took[len(took)*99/100], failed, skipped)
	}
}

// Get is a request for a page of the service at addr.
func Get(addr, format string, args ...any) *http.Request {
	return Send(http.MethodGet, addr, fmt.Sprintf(format, args...), "")
}

// Send is a request with a body of JSON.
func Send(method, addr, path, body string) *http.Request {
	req, err := http.NewRequest(method, "http://"+addr+path, strings.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	return req
}
