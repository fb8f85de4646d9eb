// Talk is a chat over plain TCP: who says a line says it to everybody in the room.
package main

import (
	"bufio"
	"fmt"
	"log"
	"maps"
	"math/rand/v2"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

type room struct {
	mu     sync.RWMutex
	people map[net.Conn]string
}

func (r *room) everybody() []net.Conn {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.Collect(maps.Keys(r.people))
}

func (r *room) leave(c net.Conn) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.people, c)
}

func (r *room) say(from, line string) {
	msg := []byte(from + ": " + line + "\n")
	for _, c := range r.everybody() {
		c.SetWriteDeadline(time.Now().Add(time.Second))
		if _, err := c.Write(msg); err != nil {
			r.leave(c)
		}
	}
}

func (r *room) handle(c net.Conn) {
	defer c.Close()
	in := bufio.NewScanner(c)
	if !in.Scan() {
		return
	}
	name := in.Text()
	r.mu.Lock()
	r.people[c] = name
	r.mu.Unlock()
	for in.Scan() {
		r.say(name, in.Text())
	}
	r.leave(c)
}

func start(o serve.Options) error {
	l, err := net.Listen("tcp", o.Own())
	if err != nil {
		return err
	}
	r := &room{people: map[net.Conn]string{}}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				log.Fatal(err)
			}
			go r.handle(c)
		}
	}()
	return nil
}

// load is 120 people; somebody says something 600 times a second.
func load(o serve.Options) {
	for i := range 120 {
		c, err := net.Dial("tcp", o.Own())
		if err != nil {
			log.Fatal(err)
		}
		fmt.Fprintf(c, "guest%d\n", i)
		go func() {
			for in := bufio.NewScanner(c); in.Scan(); {
			}
		}()
		go func() {
			time.Sleep(rand.N(200 * time.Millisecond))
			for range time.Tick(200 * time.Millisecond) {
				fmt.Fprintln(c, "hello there")
			}
		}()
	}
	select {}
}

func main() { serve.Run(serve.Service{Start: start, Load: load}) }
