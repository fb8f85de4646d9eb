// Command selects runs one loop around a select for five seconds and writes its CPU profile: loops whose default lets
// them spin, and busy ones that wait when there is nothing to do.
//
//	for way in $(go run ./diagnose/testdata/selects); do go run ./diagnose/testdata/selects $way diagnose/testdata/selects/$way.pb.gz; done
package main

import (
	"bytes"
	"compress/flate"
	"context"
	"fmt"
	"log"
	"maps"
	"os"
	"runtime/pprof"
	"slices"
	"strings"
	"time"
)

type job struct {
	id   int
	body []byte
}

// A server works off jobs until it is told to stop.
type server struct {
	ctx  context.Context
	jobs chan job
	quit chan struct{}
	done int
}

// Loops that spin.

func (s *server) spinOnContext() {
	for {
		select {
		case <-s.ctx.Done():
			return
		case j := <-s.jobs:
			s.work(j)
		default:
		}
	}
}

func (s *server) spinOnQuit() {
	for {
		select {
		case j := <-s.jobs:
			s.work(j)
		case <-s.quit:
			return
		default:
			continue
		}
	}
}

func (s *server) spinBesideJobs() {
	go s.send(time.Millisecond)
	s.spinOnContext()
}

func (s *server) spinOnTicks() {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for running := true; running; {
		select {
		case <-tick.C:
			s.done++
		case <-s.quit:
			running = false
		default:
		}
	}
}

// Loops that wait.

func (s *server) wait() {
	for {
		select {
		case <-s.ctx.Done():
			return
		case j := <-s.jobs:
			s.done += j.id
		}
	}
}

func (s *server) waitFlooded() {
	go s.send(0)
	s.wait()
}

func (s *server) waitUnbuffered() {
	s.jobs = make(chan job)
	go s.send(0)
	s.wait()
}

// drainFlooded takes what there is, and waits then.
func (s *server) drainFlooded() {
	go s.send(0)
	for {
		select {
		case j := <-s.jobs:
			s.done += j.id
			continue
		case <-s.quit:
			return
		default:
		}
		j, ok := <-s.jobs
		if !ok {
			return
		}
		s.done += j.id
	}
}

// compressAndAsk asks in each turn whether it is to go on, of two channels.
func (s *server) compressAndAsk() {
	text := bytes.Repeat([]byte("a line of a log, and another one "), 30)
	for {
		select {
		case <-s.ctx.Done():
			return
		case <-s.quit:
			return
		default:
		}
		s.work(job{body: text})
	}
}

// dropWhenFull sends to whoever reads, and drops.
func (s *server) dropWhenFull() {
	go s.wait()
	for i := 0; ; i++ {
		j := job{id: i, body: fmt.Appendf(nil, "event %d of %s", i, time.Now())}
		select {
		case s.jobs <- j:
		case <-s.quit:
			return
		default:
			s.done++
		}
	}
}

func (s *server) send(pause time.Duration) {
	for i := 0; ; i++ {
		s.jobs <- job{id: i}
		time.Sleep(pause)
	}
}

func (s *server) work(j job) {
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, 1)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := w.Write(j.body); err != nil {
		log.Fatal(err)
	}
	s.done += out.Len()
}

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s := &server{ctx: ctx, jobs: make(chan job, 100), quit: make(chan struct{})}
	ways := map[string]func(){
		"spin-context": s.spinOnContext, "spin-quit": s.spinOnQuit, "spin-jobs": s.spinBesideJobs,
		"spin-ticks":   s.spinOnTicks,
		"wait-flooded": s.waitFlooded, "wait-unbuffered": s.waitUnbuffered, "wait-drain": s.drainFlooded,
		"wait-compress": s.compressAndAsk,
		"wait-drop":     s.dropWhenFull,
	}
	if len(os.Args) < 3 {
		fmt.Println(strings.Join(slices.Sorted(maps.Keys(ways)), "\n"))
		return
	}
	f, err := os.Create(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		log.Fatal(err)
	}
	go ways[os.Args[1]]()
	time.Sleep(5 * time.Second)
	pprof.StopCPUProfile()
	if err := f.Close(); err != nil {
		log.Fatal(err)
	}
}
