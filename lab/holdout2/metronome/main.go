// Metronome sends frames of sound to listeners by UDP, one every 5 ms. They must leave on time.
package main

import (
	"encoding/binary"
	"flag"
	"fmt"
	"log"
	"math"
	"net"
	"net/http"
	_ "net/http/pprof"
	"sync"
	"time"
)

const (
	frame = 5 * time.Millisecond
	rate  = 48000
)

type pacer struct{ next time.Time }

// wait returns when the next frame is due. Sleep is not exact enough.
func (p *pacer) wait() {
	for time.Until(p.next) > 0 {
	}
	p.next = p.next.Add(frame)
	if late := time.Since(p.next); late > 10*frame {
		p.next = time.Now()
	}
}

type listeners struct {
	mu sync.Mutex
	at map[string]*net.UDPAddr
}

func (l *listeners) hear(c *net.UDPConn) {
	b := make([]byte, 64)
	for {
		_, from, err := c.ReadFromUDP(b)
		if err != nil {
			return
		}
		l.mu.Lock()
		l.at[from.String()] = from
		l.mu.Unlock()
	}
}

func (l *listeners) all() []*net.UDPAddr {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := make([]*net.UDPAddr, 0, len(l.at))
	for _, a := range l.at {
		out = append(out, a)
	}
	return out
}

func synth(seq uint32, b []byte) []byte {
	b = binary.BigEndian.AppendUint32(b[:0], seq)
	for i := range rate / 200 {
		t := float64(int(seq)*rate/200+i) / rate
		b = binary.BigEndian.AppendUint16(b, uint16(int16(9000*math.Sin(2*math.Pi*440*t))))
	}
	return b
}

func broadcast(c *net.UDPConn, l *listeners) {
	p := pacer{next: time.Now()}
	var b []byte
	for seq := uint32(0); ; seq++ {
		b = synth(seq, b)
		p.wait()
		for _, a := range l.all() {
			c.WriteToUDP(b, a)
		}
	}
}

func load(addr string) {
	for range 12 {
		go func() {
			c, err := net.Dial("udp", addr)
			if err != nil {
				log.Fatal(err)
			}
			c.Write([]byte("hello"))
			for b := make([]byte, 2000); ; {
				c.Read(b)
			}
		}()
	}
	select {}
}

func main() {
	port := flag.Int("port", 7000, "pprof; sound on the next")
	l := flag.Bool("load", false, "listen")
	flag.Parse()
	addr := fmt.Sprintf("127.0.0.1:%d", *port+1)
	if *l {
		load(addr)
	}
	ua, err := net.ResolveUDPAddr("udp", addr)
	if err != nil {
		log.Fatal(err)
	}
	c, err := net.ListenUDP("udp", ua)
	if err != nil {
		log.Fatal(err)
	}
	all := &listeners{at: make(map[string]*net.UDPAddr)}
	go all.hear(c)
	go broadcast(c, all)
	log.Fatal(http.ListenAndServe(fmt.Sprintf("127.0.0.1:%d", *port), nil))
}
