// Quotes serves the book of an instrument as a binary snapshot over TCP, to clients that ask for it: a count, and five
// numbers a level. With -kind buffered there is a bufio.Writer between.
package main

import (
	"bufio"
	"encoding/binary"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"time"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

type level struct {
	id       uint64
	price    int64
	quantity uint32
	orders   uint16
	side     uint8
}

type book [40]level

func (b *book) move() {
	for i := range b {
		b[i].price += int64(rand.IntN(11)) - 5
		b[i].quantity = rand.Uint32N(500)
	}
}

// send writes the book.
func (b *book) send(w io.Writer) error {
	if err := binary.Write(w, binary.BigEndian, uint16(len(b))); err != nil {
		return err
	}
	for i := range b {
		l := &b[i]
		if err := binary.Write(w, binary.BigEndian, l.id); err != nil {
			return err
		}
		if err := binary.Write(w, binary.BigEndian, l.price); err != nil {
			return err
		}
		if err := binary.Write(w, binary.BigEndian, l.quantity); err != nil {
			return err
		}
		if err := binary.Write(w, binary.BigEndian, l.orders); err != nil {
			return err
		}
		if err := binary.Write(w, binary.BigEndian, l.side); err != nil {
			return err
		}
	}
	return nil
}

func serveClient(c net.Conn, buffered bool) {
	defer c.Close()
	var (
		b   book
		ask [4]byte
		w   io.Writer = c
	)
	if buffered {
		w = bufio.NewWriterSize(c, 8<<10)
	}
	for {
		if _, err := io.ReadFull(c, ask[:]); err != nil {
			return
		}
		b.move()
		if err := b.send(w); err != nil {
			return
		}
		if f, ok := w.(*bufio.Writer); ok && f.Flush() != nil {
			return
		}
	}
}

func start(o serve.Options) error {
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
			go serveClient(c, o.Kind == "buffered")
		}
	}()
	return nil
}

// load is 60 clients that ask for a snapshot 25 times a second, each at its own time.
func load(o serve.Options) {
	for range 60 {
		go func() {
			c, err := net.Dial("tcp", o.Own())
			if err != nil {
				log.Fatal(err)
			}
			r := bufio.NewReader(c)
			time.Sleep(rand.N(40 * time.Millisecond))
			for range time.Tick(40 * time.Millisecond) {
				c.Write([]byte("BOOK"))
				if _, err := io.CopyN(io.Discard, r, 2+40*23); err != nil {
					log.Fatal(err)
				}
			}
		}()
	}
	select {}
}

func main() { serve.Run(serve.Service{Start: start, Load: load}) }
