package stage

import (
	"context"
	"errors"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/app/prometheus"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/vitals"
)

// A Watched is a service under watch: what Watch's caller follows it by.
type Watched struct {
	*casebook.Watch
	Events <-chan casebook.Event
	Ended  <-chan error // the watch's end, which is too early; follow may take it
}

// eventRoom is more than what happens in any use of a stage: OnEvent must not block the watch.
const eventRoom = 4096

// Watch watches the service from outside through net/http/pprof, with the default rules, as `casebook watch` does,
// until follow returns. Cases go to dir, written by tool; none is removed.
func (s *Stage) Watch(ctx context.Context, dir, tool string, follow func(context.Context, Watched) error) error {
	t, err := instance.NewHTTP(s.PprofAddr)
	if err != nil {
		return err
	}
	sources, err := s.requestsPage()
	if err != nil {
		return err
	}
	events := make(chan casebook.Event, eventRoom)
	w, err := casebook.New(casebook.Config{
		Target: t, Sources: sources, Dir: dir, Tool: tool,
		Retention: casefile.KeepAll(), // the cases are somebody else's, too
		OnEvent: func(e casebook.Event) {
			select {
			case events <- e:
			default:
			}
		},
	})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan error, 1)
	joined := make(chan struct{})
	go func() {
		defer close(joined)
		ended <- w.Run(ctx)
	}()
	err = follow(ctx, Watched{w, events, ended})
	cancel()
	<-joined
	select {
	case end := <-ended:
		return errors.Join(err, end)
	default: // follow has taken it
		return err
	}
}

// requestsPage is the service's page of metrics as a source of the signals of requests, as --http-metrics gives it to
// `casebook watch`; nil without a page.
func (s *Stage) requestsPage() ([]vitals.Source, error) {
	if s.cfg.Metrics == "" {
		return nil, nil
	}
	r, err := prometheus.NewRequests("http://"+s.Addr+s.cfg.Metrics, s.client, false)
	if err != nil {
		return nil, err
	}
	return []vitals.Source{r.Source()}, nil
}

// ErrEnded says that a watch ended by itself.
var ErrEnded = errors.New("the watch ended early")
