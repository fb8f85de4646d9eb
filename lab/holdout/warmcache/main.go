// Warmcache holds 300 MB of ratings without a pointer in them, and answers from there. Healthy.
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
	"sync"
	"time"
)

type rating struct {
	Stars, Votes uint32
	Sum          uint64
	Days         [4]uint64
}

const shards = 64

type shard struct {
	sync.RWMutex
	at map[uint64]rating
	_  [32]byte
}

type ratings [shards]shard

func (r *ratings) warm(n uint64) {
	for i := range r {
		r[i].at = make(map[uint64]rating, n/shards)
	}
	for k := range n {
		r[k%shards].at[k] = rating{Stars: uint32(k % 6), Votes: uint32(k), Sum: k * k}
	}
}

func (r *ratings) get(k uint64) (rating, bool) {
	s := &r[k%shards]
	s.RLock()
	defer s.RUnlock()
	v, ok := s.at[k]
	return v, ok
}

// serve answers 256 keys at a time with as many stars.
func (r *ratings) serve(c net.Conn) {
	defer c.Close()
	in, out := make([]byte, 8*256), make([]byte, 256)
	for {
		if _, err := io.ReadFull(c, in); err != nil {
			return
		}
		for i := range out {
			v, _ := r.get(binary.LittleEndian.Uint64(in[8*i:]))
			out[i] = byte(v.Stars)
		}
		if _, err := c.Write(out); err != nil {
			return
		}
	}
}

func load(addr string) {
	for w := range 2 {
		go func() {
			for {
				c, err := net.Dial("tcp", addr)
				if err != nil { // still warming up
					time.Sleep(100 * time.Millisecond)
					continue
				}
				k, b := uint64(w), make([]byte, 8*256)
				for range time.Tick(time.Millisecond) {
					for i := range 256 {
						k = k*6364136223846793005 + 1442695040888963407
						binary.LittleEndian.PutUint64(b[8*i:], (k>>40)%4_000_000)
					}
					c.Write(b)
					io.ReadFull(c, b[:256])
				}
			}
		}()
	}
	select {}
}

func main() {
	port := flag.Int("port", 7000, "")
	l := flag.Bool("load", false, "")
	flag.Parse()
	addr := fmt.Sprintf("127.0.0.1:%d", *port+1)
	if *l {
		load(addr)
	}
	r := new(ratings)
	r.warm(3_500_000)
	go func() { log.Fatal(http.ListenAndServe(fmt.Sprintf("127.0.0.1:%d", *port), nil)) }()
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		log.Fatal(err)
	}
	for {
		c, err := ln.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go r.serve(c)
	}
}
