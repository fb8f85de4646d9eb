// Switchboard routes calls by net/rpc. Lines to the exchange are slots of a channel.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	_ "net/http/pprof"
	"net/rpc"
	"time"
)

type Switchboard struct {
	slots    chan struct{}
	exchange string
}

type Call struct{ From, To string }

func (s *Switchboard) Connect(c Call, line *string) error {
	s.slots <- struct{}{}
	defer func() { <-s.slots }()
	conn, err := net.Dial("tcp", s.exchange)
	if err != nil {
		return err
	}
	defer conn.Close()
	fmt.Fprintf(conn, "%s %s\n", c.From, c.To)
	*line, err = bufio.NewReader(conn).ReadString('\n')
	return err
}

func exchange(addr string) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		log.Fatal(err)
	}
	for n := 0; ; n++ {
		c, err := l.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go func() {
			defer c.Close()
			bufio.NewReader(c).ReadString('\n')
			time.Sleep(10 * time.Millisecond)
			fmt.Fprintln(c, "line", n)
		}()
	}
}

func dial(addr string) {
	c, err := rpc.Dial("tcp", addr)
	if err != nil {
		log.Fatal(err)
	}
	for i := range 36 {
		go func() {
			for {
				var line string
				c.Call("Switchboard.Connect", Call{fmt.Sprint(i), "operator"}, &line)
				time.Sleep(30 * time.Millisecond)
			}
		}()
	}
	select {}
}

func main() {
	port := flag.Int("port", 7000, "pprof; calls on the next, the exchange on the one after")
	l := flag.Bool("load", false, "")
	flag.Parse()
	at := func(i int) string { return fmt.Sprintf("127.0.0.1:%d", *port+i) }
	if *l {
		go exchange(at(2))
		dial(at(1))
	}
	if err := rpc.Register(&Switchboard{make(chan struct{}, 3), at(2)}); err != nil {
		log.Fatal(err)
	}
	ln, err := net.Listen("tcp", at(1))
	if err != nil {
		log.Fatal(err)
	}
	go rpc.Accept(ln)
	log.Fatal(http.ListenAndServe(at(0), nil))
}
