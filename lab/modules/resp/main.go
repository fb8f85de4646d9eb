// Resp is a key-value server that speaks a part of Redis's protocol: a command, and an answer of a few bytes.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

type store struct {
	mu     sync.RWMutex
	values map[string]string
}

var errProtocol = errors.New("protocol error")

func readCommand(r *bufio.Reader) ([]string, error) {
	line, err := r.ReadString('\n')
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(strings.TrimSpace(strings.TrimPrefix(line, "*")))
	if err != nil || n < 1 || n > 16 {
		return nil, errProtocol
	}
	args := make([]string, n)
	for i := range args {
		if line, err = r.ReadString('\n'); err != nil {
			return nil, err
		}
		size, err := strconv.Atoi(strings.TrimSpace(strings.TrimPrefix(line, "$")))
		if err != nil || size < 0 || size > 1<<16 {
			return nil, errProtocol
		}
		b := make([]byte, size+2)
		if _, err := io.ReadFull(r, b); err != nil {
			return nil, err
		}
		args[i] = string(b[:size])
	}
	return args, nil
}

func (s *store) do(c net.Conn, args []string) (err error) {
	switch cmd := strings.ToUpper(args[0]); {
	case cmd == "PING":
		_, err = io.WriteString(c, "+PONG\r\n")
	case cmd == "GET" && len(args) == 2:
		s.mu.RLock()
		v, ok := s.values[args[1]]
		s.mu.RUnlock()
		if !ok {
			_, err = io.WriteString(c, "$-1\r\n")
			break
		}
		_, err = fmt.Fprintf(c, "$%d\r\n%s\r\n", len(v), v)
	case cmd == "SET" && len(args) == 3:
		s.mu.Lock()
		s.values[args[1]] = args[2]
		s.mu.Unlock()
		_, err = io.WriteString(c, "+OK\r\n")
	case cmd == "INCR" && len(args) == 2:
		s.mu.Lock()
		n, _ := strconv.Atoi(s.values[args[1]])
		s.values[args[1]] = strconv.Itoa(n + 1)
		s.mu.Unlock()
		_, err = fmt.Fprintf(c, ":%d\r\n", n+1)
	default:
		_, err = fmt.Fprintf(c, "-ERR unknown command '%s'\r\n", args[0])
	}
	return err
}

func (s *store) serve(c net.Conn) {
	defer c.Close()
	for r := bufio.NewReader(c); ; {
		args, err := readCommand(r)
		if err == nil {
			err = s.do(c, args)
		}
		if err != nil {
			return
		}
	}
}

func start(o serve.Options) error {
	l, err := net.Listen("tcp", o.Own())
	if err != nil {
		return err
	}
	s := &store{values: map[string]string{}}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				log.Fatal(err)
			}
			go s.serve(c)
		}
	}()
	return nil
}

func command(args ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "*%d\r\n", len(args))
	for _, a := range args {
		fmt.Fprintf(&b, "$%d\r\n%s\r\n", len(a), a)
	}
	return b.String()
}

// load is 24 clients that send a command after the other, 80,000 a second at the most.
func load(o serve.Options) {
	var sent atomic.Int64
	for range 24 {
		go func() {
			c, err := net.Dial("tcp", o.Own())
			if err != nil {
				log.Fatal(err)
			}
			r := bufio.NewReader(c)
			for range time.Tick(300 * time.Microsecond) {
				i := sent.Add(1)
				key := "user:" + strconv.FormatInt(i%5000, 10)
				cmd := []string{command("GET", key), command("SET", key, "v"+key), command("INCR", "n"+key),
					command("PING")}[i%4]
				io.WriteString(c, cmd)
				line, err := r.ReadString('\n')
				if err != nil {
					log.Fatal(err)
				}
				if strings.HasPrefix(line, "$") && !strings.HasPrefix(line, "$-1") {
					r.ReadString('\n')
				}
			}
		}()
	}
	select {}
}

func main() { serve.Run(serve.Service{Start: start, Load: load}) }
