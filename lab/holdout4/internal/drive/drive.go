// Package drive is the load of the services beside this folder: calls at a steady rate, from a process of its own. That
// process also plays what a service depends on, so that none of it is in the service's profiles.
package drive

import (
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
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
	flag.IntVar(&p.Base, "port", 7000, "profiles and HTTP; a server of its own on the next, dependencies on the third")
	flag.BoolVar(&p.Load, "load", false, "be the callers and the dependencies")
	flag.Parse()
	return p
}

// Main is the address of profiles and of HTTP, Own that of a server that is not net/http's, Dependency that of what the
// service calls.
func (p Ports) Main() string       { return p.at(0) }
func (p Ports) Own() string        { return p.at(1) }
func (p Ports) Dependency() string { return p.at(2) }

func (p Ports) at(offset int) string { return fmt.Sprintf("127.0.0.1:%d", p.Base+offset) }

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

// callers bounds the calls in flight.
const callers = 48

// Every calls call rate times a second for ever, with 0, 1, 2…; it leaves out what more than 48 callers would do.
func Every(rate int, call func(i int)) {
	turns := make(chan int)
	for range callers {
		go func() {
			for i := range turns {
				call(i)
			}
		}()
	}
	tick := time.NewTicker(time.Second / time.Duration(rate))
	for i := 0; ; i++ {
		<-tick.C
		select {
		case turns <- i:
		default:
		}
	}
}

// Client keeps a connection for each caller.
var Client = &http.Client{
	Transport: &http.Transport{MaxIdleConnsPerHost: callers},
	Timeout:   30 * time.Second,
}

// HTTP sends rate requests a second for ever; next makes the i-th.
func HTTP(rate int, next func(i int) *http.Request) {
	Every(rate, func(i int) { Do(next(i)) })
}

// Do sends a request and reads the answer to its end.
func Do(r *http.Request) {
	res, err := Client.Do(r)
	if err != nil {
		log.Print(err)
		return
	}
	io.Copy(io.Discard, res.Body)
	res.Body.Close()
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
