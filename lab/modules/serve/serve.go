// Package serve is what the services beside this folder share: their flags, the process that they depend on, and their
// load.
//
// A service is started as `NAME -port N`, its load as `NAME -load -port N`. Profiles and, where the service speaks HTTP
// by net/http, the service itself are on port N; a service with a server of its own listens on N+1. What it depends on
// runs in a process of its own (`NAME -backend`), so that its work is not in the service's profiles.
package serve

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	_ "net/http/pprof" // on the default mux, which is what people do
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// A Service is a program of this module.
type Service struct {
	// registers with http.DefaultServeMux, and returns when it is ready
	Start   func(Options) error
	Path    func(i int) string                           // of the i-th request of the load; not used with Load
	Method  string                                       // of the load's requests; GET if empty
	Rate    int                                          // requests a second
	Load    func(o Options)                              // a load that is no HTTP; it does not return
	Backend func() (addr string, stop func(), err error) // what it depends on, in a process of its own
	// BackendOf is the same where it depends on the form.
	BackendOf func(kind string) (addr string, stop func(), err error)
}

// Options are the flags.
type Options struct {
	Port    int
	Sick    bool   // with the fault
	Kind    string // which of several forms
	Backend string // the address of what it depends on
	Rate    int    // of the load
}

// Own is the address for a server that is not net/http's.
func (o Options) Own() string { return fmt.Sprintf("127.0.0.1:%d", o.Port+1) }

// Run is a service's main.
func Run(s Service) {
	var o Options
	flag.IntVar(&o.Port, "port", 7400, "")
	flag.BoolVar(&o.Sick, "sick", false, "with the fault")
	flag.StringVar(&o.Kind, "kind", "", "which of several forms")
	flag.IntVar(&s.Rate, "rate", s.Rate, "requests a second of the load")
	load := flag.Bool("load", false, "load the service")
	backend := flag.Bool("backend", false, "be what the service depends on")
	flag.Parse()
	o.Rate = s.Rate
	switch {
	case *load && s.Load != nil:
		s.Load(o)
	case *load:
		get(fmt.Sprintf("http://127.0.0.1:%d", o.Port), s)
	case *backend:
		addr, stop, err := s.backend(o.Kind)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(addr)
		io.Copy(io.Discard, os.Stdin) // until the service is gone
		stop()
		return
	}
	runtime.SetBlockProfileRate(10_000) // ns; both as services set them that want these profiles
	runtime.SetMutexProfileFraction(10)
	if s.Backend != nil || s.BackendOf != nil {
		o.Backend = child(o.Kind)
	}
	if err := s.Start(o); err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.ListenAndServe(fmt.Sprintf("127.0.0.1:%d", o.Port), nil))
}

func (s Service) backend(kind string) (addr string, stop func(), err error) {
	if s.BackendOf != nil {
		return s.BackendOf(kind)
	}
	return s.Backend()
}

// child starts the backend, which ends when this process does.
func child(kind string) (addr string) {
	cmd := exec.Command(os.Args[0], "-backend", "-kind", kind)
	cmd.Stderr = os.Stderr
	r, w, err := os.Pipe() // w is never closed before the process ends
	if err != nil {
		log.Fatal(err)
	}
	cmd.Stdin = r
	out, err := cmd.StdoutPipe()
	if err != nil {
		log.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		log.Fatal(err)
	}
	r.Close()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		log.Fatalf("the backend said nothing: %v", err)
	}
	held = w
	return strings.TrimSpace(line)
}

var held *os.File // the backend's stdin: the collector would close it

// get sends requests at a steady rate.
func get(base string, s Service) {
	client := &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	Steady(s.Rate, func(i int) {
		req, err := http.NewRequest(s.Method, base+s.Path(i), nil)
		if err != nil {
			log.Fatal(err)
		}
		if res, err := client.Do(req); err == nil {
			io.Copy(io.Discard, res.Body)
			res.Body.Close()
		}
	})
}

// Steady calls a function at a steady rate, at most 256 at a time. It does not return.
func Steady(rate int, once func(i int)) {
	slots := make(chan struct{}, 256)
	for i, t := 0, time.Tick(time.Second/time.Duration(rate)); ; i++ {
		<-t
		slots <- struct{}{}
		go func() {
			defer func() { <-slots }()
			once(i)
		}()
	}
}

// Listen is a listener on a free port of the loopback.
func Listen() (net.Listener, error) { return net.Listen("tcp", "127.0.0.1:0") }
