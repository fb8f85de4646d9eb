package backend

import (
	"bufio"
	"fmt"
	"net"
	"sync"
	"time"
)

// Lines answers each line that it gets over TCP with a line, in order, each after a delay: as a store does that speaks
// a protocol of its own. Its zero value listens at the first use.
type Lines struct {
	Delay time.Duration

	once sync.Once
	addr string
}

// Addr is its address. It begins to listen, for the life of the process, at the first call.
func (b *Lines) Addr() string {
	b.once.Do(func() {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			panic("the loopback has no free port: " + err.Error()) // a lab without a network
		}
		b.addr = l.Addr().String()
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				go b.answer(c)
			}
		}()
	})
	return b.addr
}

func (b *Lines) answer(c net.Conn) {
	defer c.Close()
	for in := bufio.NewScanner(c); in.Scan(); {
		time.Sleep(b.Delay)
		if _, err := fmt.Fprintf(c, "%s is in stock\n", in.Text()); err != nil {
			return
		}
	}
}
