// Meters takes readings of meters, a line each, over TCP, and answers a batch with its sum: the modems at the other end
// send one line after the other.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"log"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

type lines interface{ next() (string, error) }

// A wire reads lines that end with CR LF.
type wire struct{ net.Conn }

func (w wire) next() (string, error) {
	var line []byte
	b := make([]byte, 1)
	for {
		if _, err := w.Read(b); err != nil {
			return "", err
		}
		if b[0] == '\n' {
			return strings.TrimSuffix(string(line), "\r"), nil
		}
		if line = append(line, b[0]); len(line) > 512 {
			return "", errors.New("line too long")
		}
	}
}

type buffered struct{ *bufio.Reader }

func (b buffered) next() (string, error) {
	s, err := b.ReadString('\n')
	return strings.TrimRight(s, "\r\n"), err
}

type session struct {
	in   lines
	out  net.Conn
	sums map[string]float64
}

func (s *session) run() error {
	for {
		line, err := s.in.next()
		if err != nil {
			return err
		}
		f := strings.Fields(line)
		switch {
		case len(f) == 1 && f[0] == "END":
			total := 0.0
			for _, v := range s.sums {
				total += v
			}
			clear(s.sums)
			fmt.Fprintf(s.out, "SUM %.3f\r\n", total)
		case len(f) == 2:
			v, err := strconv.ParseFloat(f[1], 64)
			if err != nil {
				return err
			}
			s.sums[f[0]] += v
		default:
			return fmt.Errorf("what is %q?", line)
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
			s := &session{in: wire{c}, out: c, sums: map[string]float64{}}
			if o.Kind == "buffered" {
				s.in = buffered{bufio.NewReader(c)}
			}
			go func() {
				defer c.Close()
				if err := s.run(); err != nil {
					log.Print(err)
				}
			}()
		}
	}()
	return nil
}

func load(o serve.Options) {
	for m := range 20 {
		go func() {
			c, err := net.Dial("tcp", o.Own())
			if err != nil {
				log.Fatal(err)
			}
			answers := bufio.NewReader(c)
			for t := range time.Tick(16 * time.Millisecond) {
				var b strings.Builder
				for i := range 60 {
					fmt.Fprintf(&b, "meter-%d-%d %.2f\r\n", m, i, float64(t.Nanosecond()%9999)/100)
				}
				b.WriteString("END\r\n")
				c.Write([]byte(b.String()))
				if _, err := answers.ReadString('\n'); err != nil {
					log.Fatal(err)
				}
			}
		}()
	}
	select {}
}

func main() { serve.Run(serve.Service{Start: start, Load: load}) }
