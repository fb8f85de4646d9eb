// Beads scores moves of a game: a stream of positions comes in over TCP, and a line of scores goes back for each.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	_ "net/http/pprof"
	"os"
	"strings"
	"time"
)

// Future is a value that comes later.
type Future[T any] chan T

// Get waits for it.
func (f Future[T]) Get() T { return <-f }

// task is one cell of a position.
type task struct {
	cell   byte
	weight int
	out    Future[int]
}

// Stage is a row of workers with the same function.
type Stage struct{ in chan task }

func newStage(workers int, f func(task) int) *Stage {
	s := &Stage{in: make(chan task)}
	for range workers {
		go func() {
			for t := range s.in {
				t.out <- f(t)
			}
		}()
	}
	return s
}

func (s *Stage) Submit(cell byte, weight int) Future[int] {
	f := make(Future[int], 1)
	s.in <- task{cell, weight, f}
	return f
}

func score(t task) int {
	switch t.cell {
	case 'x':
		return t.weight
	case 'o':
		return -t.weight
	}
	return 0
}

type engine struct{ cells *Stage }

func (e *engine) evaluate(position string) int {
	futures := make([]Future[int], 0, len(position))
	for i := range len(position) {
		futures = append(futures, e.cells.Submit(position[i], 1+i%8))
	}
	sum := 0
	for _, f := range futures {
		sum += f.Get()
	}
	return sum
}

func (e *engine) play(c net.Conn) {
	defer c.Close()
	in, out := bufio.NewScanner(c), bufio.NewWriter(c)
	for in.Scan() {
		if in.Text() == "." {
			out.Flush()
			continue
		}
		fmt.Fprintln(out, e.evaluate(in.Text()))
	}
}

func load(addr string) {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		log.Fatal(err)
	}
	var game strings.Builder
	for i := range 400 {
		for k := range 64 {
			game.WriteByte("xo."[(i*k+k/3)%3])
		}
		game.WriteByte('\n')
	}
	game.WriteString(".\n")
	in := bufio.NewReader(c)
	for {
		if _, err := c.Write([]byte(game.String())); err != nil {
			os.Exit(1)
		}
		for range 400 {
			in.ReadString('\n')
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func main() {
	port := flag.Int("port", 7000, "pprof; games on the next")
	l := flag.Bool("load", false, "play")
	flag.Parse()
	addr := fmt.Sprintf("127.0.0.1:%d", *port+1)
	if *l {
		load(addr)
	}
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		log.Fatal(err)
	}
	go http.ListenAndServe(fmt.Sprintf("127.0.0.1:%d", *port), nil)
	e := &engine{newStage(4, score)}
	for {
		c, err := ln.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go e.play(c)
	}
}
