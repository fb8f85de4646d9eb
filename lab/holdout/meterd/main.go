// Meterd counts what devices report over UDP, by site, device class and minute.
package main

import (
	"encoding/binary"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	_ "net/http/pprof"
	"sync"
	"time"
)

type number interface{ ~int64 | ~float64 }

// Table adds up numbers under a key.
type Table[N number] struct {
	sync.Mutex
	rows map[string]N
}

func (t *Table[N]) Add(key string, n N) {
	t.Lock()
	t.rows[key] += n
	t.Unlock()
}

type packet struct {
	site   uint16
	class  uint8
	minute uint32
	joules int64
}

const size = 15

func decode(b []byte) packet {
	return packet{binary.BigEndian.Uint16(b), b[2], binary.BigEndian.Uint32(b[3:]),
		int64(binary.BigEndian.Uint64(b[7:]))}
}

func (p packet) key() string {
	return fmt.Sprintf("site=%d/class=%02x/minute=%d", p.site, p.class, p.minute%1440)
}

type receiver struct {
	conn   net.PacketConn
	energy *Table[int64]
}

func (r *receiver) loop() {
	buf := make([]byte, 64*size)
	for {
		n, _, err := r.conn.ReadFrom(buf)
		if err != nil {
			log.Fatal(err)
		}
		for b := buf[:n]; len(b) >= size; b = b[size:] {
			p := decode(b)
			r.energy.Add(p.key(), p.joules)
		}
	}
}

func load(addr string) {
	c, err := net.Dial("udp", addr)
	if err != nil {
		log.Fatal(err)
	}
	b := make([]byte, 64*size)
	for i, t := 0, time.NewTicker(5*time.Millisecond); ; <-t.C {
		for range 60 {
			for o := 0; o < len(b); o += size {
				i++
				binary.BigEndian.PutUint16(b[o:], uint16(i%40))
				b[o+2] = byte(i % 7)
				binary.BigEndian.PutUint32(b[o+3:], uint32(i/100000))
				binary.BigEndian.PutUint64(b[o+7:], uint64(i%5000))
			}
			c.Write(b)
		}
	}
}

func main() {
	port := flag.Int("port", 7000, "")
	l := flag.Bool("load", false, "")
	flag.Parse()
	udp := fmt.Sprint("127.0.0.1:", *port+1)
	if *l {
		load(udp)
	}
	conn, err := net.ListenPacket("udp", udp)
	if err != nil {
		log.Fatal(err)
	}
	r := &receiver{conn, &Table[int64]{rows: make(map[string]int64)}}
	go r.loop()
	log.Fatal(http.ListenAndServe(fmt.Sprint("127.0.0.1:", *port), nil))
}
