// Vod sends segments of films, which it has in memory, over plain TCP, 64 KiB at a time.
package main

import (
	"crypto/rand"
	"encoding/binary"
	"io"
	"log"
	"net"
	"time"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

const piece = 64 << 10

type library struct{ films [8][]byte }

func (l *library) send(c net.Conn) error {
	var ask [4]byte
	for {
		if _, err := io.ReadFull(c, ask[:]); err != nil {
			return err
		}
		film := l.films[binary.BigEndian.Uint32(ask[:])%uint32(len(l.films))]
		for len(film) > 0 {
			n, err := c.Write(film[:min(piece, len(film))])
			if err != nil {
				return err
			}
			film = film[n:]
		}
	}
}

func start(o serve.Options) error {
	var lib library
	for i := range lib.films {
		lib.films[i] = make([]byte, 4<<20)
		rand.Read(lib.films[i])
	}
	l, err := net.Listen("tcp", o.Own())
	if err != nil {
		return err
	}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				log.Fatal(err)
			}
			go func() {
				defer c.Close()
				lib.send(c)
			}()
		}
	}()
	return nil
}

func load(o serve.Options) {
	for range 4 {
		go func() {
			c, err := net.Dial("tcp", o.Own())
			if err != nil {
				log.Fatal(err)
			}
			b := make([]byte, 256<<10)
			for i := uint32(0); ; i++ {
				binary.Write(c, binary.BigEndian, i)
				for got := 0; got < 4<<20; {
					n, err := c.Read(b)
					if err != nil {
						log.Fatal(err)
					}
					got += n
				}
				time.Sleep(6 * time.Millisecond)
			}
		}()
	}
	select {}
}

func main() { serve.Run(serve.Service{Start: start, Load: load}) }
