// Geo tells the country of an address; what it does not know it asks a registry, and remembers.
package main

import (
	"bufio"
	"crypto/sha1"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	_ "net/http/pprof"
	"strings"
	"sync"
	"time"
)

const registryTimeout = 2 * time.Hour // the registry is slow on Sundays

type registry struct{ addr string }

func (r registry) ask(ip string) (string, error) {
	c, err := net.Dial("tcp", r.addr)
	if err != nil {
		return "", err
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(registryTimeout))
	fmt.Fprintf(c, "%s\n", ip)
	return bufio.NewReader(c).ReadString('\n')
}

type cache struct {
	mu    sync.Mutex
	known map[[20]byte]string
}

type service struct {
	registry
	cache
}

func (s *service) country(ip string) (string, error) {
	k := sha1.Sum([]byte(ip))
	s.mu.Lock()
	c, ok := s.known[k]
	s.mu.Unlock()
	if ok {
		return c, nil
	}
	c, err := s.ask(ip)
	if err == nil {
		s.mu.Lock()
		s.known[k] = c
		s.mu.Unlock()
	}
	return c, err
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var out strings.Builder
	for ip := range strings.SplitSeq(r.FormValue("ip"), ",") {
		c, err := s.country(ip)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		out.WriteString(ip + " " + c)
	}
	fmt.Fprint(w, out.String())
}

// slowRegistry answers, but for addresses that end in 13.
func slowRegistry(addr string) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		log.Fatal(err)
	}
	var mu sync.Mutex
	var lost []net.Conn // kept, or the collector would close them
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			line, _ := bufio.NewReader(c).ReadString('\n')
			if strings.HasSuffix(line, ".13\n") {
				mu.Lock()
				defer mu.Unlock()
				lost = append(lost, c)
				return
			}
			fmt.Fprintln(c, "NO")
			c.Close()
		}()
	}
}

func load(port int) {
	go slowRegistry(fmt.Sprintf("127.0.0.1:%d", port+2))
	time.Sleep(100 * time.Millisecond)
	for i, t := 0, time.Tick(5*time.Millisecond); ; i++ {
		<-t
		go func() {
			var ips []string
			for k := range 200 {
				ips = append(ips, fmt.Sprintf("10.1.%d.%d", k, i%12))
			}
			if i%25 == 0 {
				ips[3] = fmt.Sprintf("10.9.%d.13", i%200)
			}
			if res, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d/?ip=%s", port,
				strings.Join(ips, ","))); err == nil {
				res.Body.Close()
			}
		}()
	}
}

func main() {
	port := flag.Int("port", 7000, "")
	l := flag.Bool("load", false, "")
	flag.Parse()
	if *l {
		load(*port)
	}
	s := &service{registry{fmt.Sprintf("127.0.0.1:%d", *port+2)}, cache{known: map[[20]byte]string{}}}
	http.Handle("/", s)
	log.Fatal(http.ListenAndServe(fmt.Sprintf("127.0.0.1:%d", *port), nil))
}
