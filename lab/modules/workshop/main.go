// Workshop is a server whose requests are work for the CPU, over one of several frameworks (-kind): source that chroma
// highlights (echo), Markdown that goldmark renders (chi), pictures that x/image makes smaller (fasthttp), passwords
// that bcrypt compares (gRPC), words that are looked for with typing errors (redcon, the protocol of Redis), and names
// that are answered with a signature (dns, over UDP). A second word says how it is used:
//
//   - "throttled" lets four requests in at a time, and refuses the others, by chi's middleware;
//   - "upstream" asks another service, which takes its time, instead of working;
//   - "batch" works through a list in a pool of ants, and nobody waits;
//   - "closed" has as many clients as -rate says, each of which waits for its answer before it asks again;
//   - "bursts" is asked for 40 at once, every two seconds;
//   - "one" and "many" call runtime.GOMAXPROCS(1) and (32), as some programs do at their start, and "auto" lets
//     automaxprocs do it.
package main

import (
	"fmt"
	"log"
	"runtime"
	"strings"
	"sync"
	"time"

	"go.uber.org/automaxprocs/maxprocs"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

// A framework is a server, and a client that asks it once.
type framework struct {
	begin func(o serve.Options, how string) error
	ask   func(o serve.Options) (func(i int) error, error)
}

var frameworks = map[string]framework{
	"echo":     {beginEcho, askHTTP("/highlight?f=%d")},
	"chi":      {beginChi, askHTTP("/pages/%d")},
	"fasthttp": {beginFasthttp, askOwn("/thumbs?n=%d")},
	"grpc":     {beginGRPC, askGRPC},
	"redcon":   {beginRedcon, askRedcon},
	"dns":      {beginDNS, askDNS},
}

// form is the framework and how it is used.
func form(kind string) (of, how string) {
	of, how, _ = strings.Cut(kind, "-")
	return of, how
}

func start(o serve.Options) error {
	of, how := form(o.Kind)
	f, ok := frameworks[of]
	if !ok {
		return fmt.Errorf("no framework %q", of)
	}
	switch how {
	case "one":
		runtime.GOMAXPROCS(1)
	case "many":
		runtime.GOMAXPROCS(32)
	case "auto":
		if _, err := maxprocs.Set(); err != nil {
			return err
		}
	}
	return f.begin(o, how)
}

// patience is for how long a client waits for an answer, and room for how many it has open.
const (
	patience = 10 * time.Second
	room     = 256
)

func load(o serve.Options) {
	of, how := form(o.Kind)
	f := frameworks[of]
	ask, err := f.ask(o)
	if err != nil {
		log.Fatal(err)
	}
	once := func(i int) { ask(i) } // who gets no answer asks for the next
	switch how {
	case "closed":
		closed(o.Rate, once)
	case "bursts":
		bursts(40, once)
	}
	serve.Steady(o.Rate, once)
}

// closed has so many clients.
func closed(clients int, once func(i int)) {
	for c := range clients {
		go func() {
			for i := c; ; i += clients {
				once(i)
			}
		}()
	}
	select {}
}

func bursts(many int, once func(i int)) {
	for range time.Tick(2 * time.Second) {
		var wg sync.WaitGroup
		for i := range many {
			wg.Go(func() { once(i) })
		}
		wg.Wait()
	}
}

func main() { serve.Run(serve.Service{Start: start, Load: load, Rate: 100}) }
