// Gateway takes the readings of meters: a line of text each, over a TCP connection per meter.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	_ "net/http/pprof"
	"time"

	"github.com/gocasebook/casebook/lab/holdout6/internal/drive"
)

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	s := newSeries()
	l := drive.Listen("tcp", p.Second())
	go serve(l, s)
	http.HandleFunc("GET /meters/{meter}", func(w http.ResponseWriter, r *http.Request) {
		last, n := s.last(r.PathValue("meter"))
		json.NewEncoder(w).Encode(map[string]any{"last": last, "count": n})
	})
	log.Fatal(http.ListenAndServe(p.Main(), nil))
}

func serve(l net.Listener, s *series) {
	for {
		c, err := l.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go func() {
			defer c.Close()
			if err := receive(c, s); err != nil && err != io.EOF {
				log.Printf("meter %s: %v", c.RemoteAddr(), err)
			}
		}()
	}
}

// load is sixty meters, and an office that looks at them.
func load(p drive.Ports) {
	drive.Await(p.Second())
	for i := range 60 {
		go meter(p.Second(), i)
	}
	drive.Load{Rate: 40}.Run(func(i int) *http.Request { return drive.Get(p.Main(), "/meters/meter-%04d", i%60) })
}

func meter(addr string, n int) {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		log.Fatal(err)
	}
	for i := 0; ; i++ {
		var lines []byte
		for j := range 6 {
			lines = fmt.Appendf(lines, "meter-%04d %d %d.%03d %d.%02d\n", n, time.Now().UnixMilli(), 230+j%3, i%1000,
				i%16, j)
		}
		if _, err := c.Write(lines); err != nil {
			log.Fatal(err)
		}
		time.Sleep(110 * time.Millisecond)
	}
}
