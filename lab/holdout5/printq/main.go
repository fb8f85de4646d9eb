// Printq hands labels of parcels to the printers of a warehouse.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	_ "net/http/pprof"
	"os"
	"os/signal"
	"time"

	"github.com/sirupsen/logrus"
	"golang.org/x/sync/errgroup"

	"github.com/gocasebook/casebook/lab/holdout5/internal/drive"
	"github.com/gocasebook/casebook/lab/holdout5/printq/internal/queue"
)

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, p.Main()); err != nil {
		logrus.WithError(err).Fatal("printq")
	}
}

func run(ctx context.Context, addr string) error {
	jobs := queue.New[label](4096)
	g, ctx := errgroup.WithContext(ctx)
	for i := range 24 {
		st := &station{name: fmt.Sprintf("dock-%d", i), jobs: jobs}
		g.Go(func() error { return st.run(ctx) })
	}
	http.HandleFunc("POST /labels", func(w http.ResponseWriter, r *http.Request) {
		var l label
		if err := json.NewDecoder(r.Body).Decode(&l); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if !jobs.Push(l) {
			http.Error(w, "too many labels wait", http.StatusTooManyRequests)
			return
		}
		w.WriteHeader(http.StatusAccepted)
	})
	srv := &http.Server{Addr: addr}
	g.Go(srv.ListenAndServe)
	g.Go(func() error {
		<-ctx.Done()
		return srv.Close()
	})
	return g.Wait()
}

func load(p drive.Ports) {
	drive.Load{Rate: 120}.Run(func(i int) *http.Request {
		return drive.Send(http.MethodPost, p.Main(), "/labels", fmt.Sprintf(
			`{"parcel":"P%08d","to":["N. N.","Street %d","10115 Berlin"],"weight":%d}`, i, i%200, 200+i%4000))
	})
}

// A station is a printer on a dock. It is written to as fast as it takes lines.
type station struct {
	name    string
	jobs    *queue.Queue[label]
	printed int
}

func (s *station) run(ctx context.Context) error {
	log := logrus.WithField("station", s.name)
	for {
		l, err := s.jobs.Next(ctx)
		if err != nil {
			log.WithField("printed", s.printed).Info("station ends")
			return nil
		}
		if err := s.print(ctx, l); err != nil {
			log.WithError(err).WithField("parcel", l.Parcel).Warn("not printed")
		}
	}
}

func (s *station) print(ctx context.Context, l label) error {
	if _, err := l.render(); err != nil {
		return err
	}
	select { // the printer's own pace
	case <-time.After(9 * time.Millisecond):
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	s.printed++
	return nil
}
