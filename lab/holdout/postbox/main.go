// Postbox takes mail over a few verbs of SMTP and keeps the last hundred messages.
package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	_ "net/http/pprof"
	"strings"
	"sync"
	"time"
)

type base struct {
	net.Conn
	ctx    context.Context
	cancel context.CancelFunc
	in     *bufio.Reader
}

type session struct {
	base
	from string
	rcpt []string
}

type server struct {
	root context.Context
	mu   sync.Mutex
	last [100][32]byte
	n    int
}

func (s *server) open(c net.Conn) *session {
	ss := &session{base: base{Conn: c, in: bufio.NewReader(c)}}
	ss.ctx, ss.cancel = context.WithCancel(s.root)
	go ss.closeOnShutdown()
	return ss
}

// closeOnShutdown hangs up when the server goes down, so that nobody is left reading.
func (ss *session) closeOnShutdown() {
	<-ss.ctx.Done()
	ss.say("421 going down")
	ss.Close()
}

func (ss *session) say(line string) { io.WriteString(ss, line+"\r\n") }

func (s *server) serve(c net.Conn) {
	ss := s.open(c)
	defer ss.Close()
	ss.say("220 postbox")
	for {
		line, err := ss.in.ReadString('\n')
		if err != nil {
			return
		}
		verb, arg, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch strings.ToUpper(verb) {
		case "HELO":
			ss.say("250 hello " + arg)
		case "MAIL":
			ss.from = arg
			ss.say("250 ok")
		case "RCPT":
			ss.rcpt = append(ss.rcpt, arg)
			ss.say("250 ok")
		case "DATA":
			ss.say("354 go on")
			s.data(ss)
			ss.say("250 kept")
		case "QUIT":
			ss.say("221 bye")
			return
		default:
			ss.say("500 what?")
		}
	}
}

func (s *server) data(ss *session) {
	h := sha256.New()
	for {
		line, err := ss.in.ReadSlice('\n')
		if err != nil || string(line) == ".\r\n" {
			break
		}
		h.Write(line)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	h.Sum(s.last[s.n%100][:0])
	s.n++
}

func load(addr string) {
	body := strings.Repeat(strings.Repeat("lorem ipsum ", 6)+"\r\n", 6000) + ".\r\n"
	for range time.Tick(4 * time.Millisecond) {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			continue
		}
		go func() {
			defer c.Close()
			r := bufio.NewReader(c)
			r.ReadString('\n')
			for _, l := range []string{"HELO x\r\n", "MAIL a@x\r\n", "RCPT b@y\r\n", "DATA\r\n", body, "QUIT\r\n"} {
				io.WriteString(c, l)
				r.ReadString('\n')
			}
		}()
	}
}

func main() {
	port := flag.Int("port", 7000, "pprof; mail on the next one")
	asLoad := flag.Bool("load", false, "send mail instead")
	flag.Parse()
	mail := fmt.Sprintf("127.0.0.1:%d", *port+1)
	if *asLoad {
		load(mail)
	}
	go http.ListenAndServe(fmt.Sprintf("127.0.0.1:%d", *port), nil)
	l, err := net.Listen("tcp", mail)
	if err != nil {
		log.Fatal(err)
	}
	s := &server{root: context.Background()}
	for {
		c, err := l.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go s.serve(c)
	}
}
