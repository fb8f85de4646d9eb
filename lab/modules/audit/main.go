// Audit answers whether somebody may do something, and tells the machine's syslog of each answer: a datagram each, by
// log/syslog's kind of connection, and a line a request to its standard error.
package main

import (
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

type syslog struct {
	conn net.Conn
	host string
	pid  int
}

func (s *syslog) notice(format string, args ...any) error {
	_, err := fmt.Fprintf(s.conn, "<%d>%s %s audit[%d]: %s\n", 5|4<<3, time.Now().Format(time.Stamp), s.host, s.pid,
		fmt.Sprintf(format, args...))
	return err
}

func start(o serve.Options) error {
	c, err := net.Dial("tcp", o.Backend) // as rsyslog's imtcp has it
	if err != nil {
		return err
	}
	s := &syslog{c, "host17", os.Getpid()}
	access := log.New(os.Stderr, "", log.LstdFlags)
	http.HandleFunc("/may", func(w http.ResponseWriter, r *http.Request) {
		user, action := r.FormValue("user"), r.FormValue("do")
		ok := len(user)%3 != 0
		if err := s.notice("user=%s action=%s allowed=%t", user, action, ok); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		access.Printf("%s %s 200", r.RemoteAddr, r.URL)
		fmt.Fprint(w, ok)
	})
	return nil
}

func backend() (string, func(), error) {
	l, err := serve.Listen()
	if err != nil {
		return "", nil, err
	}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				for b := make([]byte, 64<<10); ; {
					if _, err := c.Read(b); err != nil {
						return
					}
				}
			}()
		}
	}()
	return l.Addr().String(), func() { l.Close() }, nil
}

func main() {
	serve.Run(serve.Service{Start: start, Rate: 9000, Backend: backend,
		Path: func(i int) string { return fmt.Sprintf("/may?user=u%d&do=read", i) }})
}
