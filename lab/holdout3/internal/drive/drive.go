// Package drive is the load of the services beside this folder: callers at a steady rate, in a process of their own.
// That process also plays what the service depends on, on the port after the next, so that none of it is in the
// service's profiles.
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

// callers bounds the requests in flight.
const callers = 64

// HTTP sends rate requests a second for ever; next makes the i-th. It leaves out what more than 64 callers would send.
func HTTP(rate int, next func(i int) *http.Request) {
	client := &http.Client{
		Transport: &http.Transport{MaxIdleConnsPerHost: callers},
		Timeout:   30 * time.Second,
	}
	jobs := make(chan int)
	for range callers {
		go func() {
			for i := range jobs {
				res, err := client.Do(next(i))
				if err != nil {
					log.Print(err)
					continue
				}
				io.Copy(io.Discard, res.Body)
				res.Body.Close()
			}
		}()
	}
	tick := time.NewTicker(time.Second / time.Duration(rate))
	for i := 0; ; i++ {
		<-tick.C
		select {
		case jobs <- i:
		default:
		}
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
