// Metersrv takes readings of electricity meters by UDP and answers for the last ones by HTTP. Once in a while the
// readings are rolled up for billing.
package main

import (
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	_ "net/http/pprof"
	"sort"
	"strconv"
	"sync"
	"time"
)

type sample struct {
	at    int64
	watts uint32
}

type store struct {
	mu     sync.Mutex
	meters map[uint32][]sample
	bill   map[uint32]float64
}

const kept = 1200

func (s *store) add(meter, watts uint32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := append(s.meters[meter], sample{time.Now().UnixMilli(), watts})
	if len(all) > kept {
		all = append(all[:0], all[1:]...)
	}
	s.meters[meter] = all
}

func (s *store) last(meter uint32) (sample, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.meters[meter]
	if len(all) == 0 {
		return sample{}, false
	}
	return all[len(all)-1], true
}

// rollup sums what each meter has used, without its extremes.
func (s *store) rollup() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for meter, all := range s.meters {
		w := make([]int, 0, len(all))
		for _, x := range all {
			w = append(w, int(x.watts))
		}
		sort.Ints(w)
		sum := 0
		for _, x := range w[len(w)/20 : len(w)-len(w)/20] {
			sum += x
		}
		s.bill[meter] = float64(sum) / 3.6e6
	}
}

func (s *store) listen(c *net.UDPConn) {
	b := make([]byte, 1500)
	for {
		n, err := c.Read(b)
		if err != nil {
			return
		}
		for p := b[:n]; len(p) >= 8; p = p[8:] {
			s.add(binary.BigEndian.Uint32(p), binary.BigEndian.Uint32(p[4:]))
		}
	}
}

func (s *store) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id, _ := strconv.ParseUint(r.FormValue("meter"), 10, 32)
	x, ok := s.last(uint32(id))
	if !ok {
		http.NotFound(w, r)
		return
	}
	fmt.Fprintln(w, x.watts, time.UnixMilli(x.at).Format(time.RFC3339))
}

func load(port int) {
	c, err := net.Dial("udp", fmt.Sprintf("127.0.0.1:%d", port+1))
	if err != nil {
		log.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 200}}
	for i := uint32(0); ; i++ {
		var p []byte
		for k := range uint32(20) {
			p = binary.BigEndian.AppendUint32(p, (i*20+k)%4000)
			p = binary.BigEndian.AppendUint32(p, i*7919%3000)
		}
		c.Write(p)
		if i%2 == 0 {
			go func() {
				res, err := client.Get(fmt.Sprintf("http://127.0.0.1:%d/last?meter=%d", port, i%4000))
				if err == nil {
					io.Copy(io.Discard, res.Body)
					res.Body.Close()
				}
			}()
		}
		time.Sleep(4 * time.Millisecond)
	}
}

func main() {
	port := flag.Int("port", 7000, "HTTP; UDP on the next")
	l := flag.Bool("load", false, "be the meters and a reader")
	flag.Parse()
	if *l {
		load(*port)
	}
	s := &store{meters: make(map[uint32][]sample), bill: make(map[uint32]float64)}
	for i := range uint32(4000 * kept) {
		s.meters[i%4000] = append(s.meters[i%4000], sample{0, i * 2654435761 % 3000})
	}
	c, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: *port + 1})
	if err != nil {
		log.Fatal(err)
	}
	go s.listen(c)
	go func() {
		for range time.Tick(2 * time.Second) {
			s.rollup()
		}
	}()
	http.Handle("/last", s)
	log.Fatal(http.ListenAndServe(fmt.Sprintf("127.0.0.1:%d", *port), nil))
}
