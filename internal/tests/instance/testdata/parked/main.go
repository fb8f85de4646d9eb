// Command parked takes evidence from itself while many goroutines wait, and prints for each kind how long the world
// stood still. It is a process of its own because the race detector allows 8,128 goroutines only.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"log"
	"os"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
)

// A Capture is the outcome of one. self_test.go reads it.
type Capture struct {
	Kind        string
	Pause, Cost time.Duration
	Bytes       int
	Err         string
}

// descend parks at a stack of some depth, as a handler does.
func descend(depth int, gate <-chan struct{}) {
	if depth == 0 {
		<-gate
		return
	}
	descend(depth-1, gate)
}

func main() {
	n := flag.Int("n", 100_000, "goroutines to park")
	flag.Parse()
	gate := make(chan struct{})
	for range *n {
		go descend(20, gate)
	}
	self := instance.NewSelf()
	out := json.NewEncoder(os.Stdout)
	for _, kind := range []string{casefile.Goroutine, casefile.GoroutineDump, casefile.ThreadCreate, casefile.Metrics} {
		p, err := self.Capture(context.Background(), kind, 0)
		c := Capture{Kind: kind, Pause: p.Pause, Cost: p.Cost, Bytes: len(p.Data)}
		if err != nil {
			c.Err = err.Error()
		}
		if err := out.Encode(c); err != nil {
			log.Fatal(err)
		}
	}
	if _, err := self.Census(context.Background()); err != nil {
		if err := out.Encode(Capture{Kind: "census", Err: err.Error()}); err != nil {
			log.Fatal(err)
		}
	}
	close(gate)
}
