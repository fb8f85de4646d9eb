// Sacristan rings the bells of a town, over one unix socket a bell tower.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	_ "net/http/pprof"
	"os"
	"path/filepath"
	"time"
)

type tower struct {
	keys chan *bufio.ReadWriter
}

func climb(sock string, ropes int) (*tower, error) {
	t := &tower{make(chan *bufio.ReadWriter, ropes)}
	for range ropes {
		c, err := net.Dial("unix", sock)
		if err != nil {
			return nil, err
		}
		t.keys <- bufio.NewReadWriter(bufio.NewReader(c), bufio.NewWriter(c))
	}
	return t, nil
}

var errBusy = errors.New("all ropes are in use")

func (t *tower) ring(bell string) (answer string, err error) {
	patience := time.NewTimer(3 * time.Second)
	defer patience.Stop()
	select {
	case rope := <-t.keys:
		defer func() { t.keys <- rope }()
		rope.WriteString(bell + "\n")
		if err := rope.Flush(); err != nil {
			return "", err
		}
		return rope.ReadString('\n')
	case <-patience.C:
		return "", errBusy
	}
}

func belfry(sock string) {
	os.Remove(sock)
	l, err := net.Listen("unix", sock)
	if err != nil {
		log.Fatal(err)
	}
	for {
		c, err := l.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go func() {
			for in := bufio.NewScanner(c); in.Scan(); {
				time.Sleep(12 * time.Millisecond)
				io.WriteString(c, "dong "+in.Text()+"\n")
			}
		}()
	}
}

func main() {
	port := flag.Int("port", 7000, "")
	l := flag.Bool("load", false, "")
	flag.Parse()
	addr, sock := fmt.Sprintf("127.0.0.1:%d", *port), filepath.Join(os.TempDir(), fmt.Sprintf("bells-%d", *port))
	if *l {
		client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100}}
		for i := range 45 {
			go func() {
				for {
					if resp, err := client.Post(fmt.Sprintf("http://%s/ring?bell=%d", addr, i), "", nil); err == nil {
						io.Copy(io.Discard, resp.Body)
						resp.Body.Close()
					}
					time.Sleep(40 * time.Millisecond)
				}
			}()
		}
		select {}
	}
	go belfry(sock)
	time.Sleep(300 * time.Millisecond)
	t, err := climb(sock, 5)
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("POST /ring", func(w http.ResponseWriter, r *http.Request) {
		switch answer, err := t.ring(r.FormValue("bell")); {
		case errors.Is(err, errBusy):
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
		case err != nil:
			http.Error(w, err.Error(), http.StatusBadGateway)
		default:
			io.WriteString(w, answer)
		}
	})
	log.Fatal(http.ListenAndServe(addr, nil))
}
