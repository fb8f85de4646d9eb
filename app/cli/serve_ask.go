package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/store"
)

// askHold bounds asking about one case of a store: another server may take the job after ten minutes.
const askHold = 9 * time.Minute

// check refuses --ask for a folder: it is not changed.
func (f *askedFlags) check(st *storeFlags) error {
	if f.given() && !st.given() {
		return errors.New("--ask is for --store, which keeps answers; of a case in a folder, casebook ask does so")
	}
	if f.file != "" && !f.given() {
		return errors.New("--agents is for --ask, which is not given")
	}
	return nil
}

// agents are those of --ask, and are said; none without it.
func (req *serveRequest) agents(stderr io.Writer) ([]agent, error) {
	if !req.asked.given() {
		return nil, nil
	}
	who, err := req.asked.who()
	if err != nil {
		return nil, fmt.Errorf("--ask: %w", err)
	}
	sayWho(stderr, who)
	return who, nil
}

// work is the casework.Work that asks about a case of a store. What failed is logged and not tried again: every try
// sends the brief once more.
func (d *desk) work(log *slog.Logger) casework.Work {
	return func(ctx context.Context, s *store.Store, id string) (err error) {
		c, err := s.Checkout(ctx, id)
		if errors.Is(err, store.ErrNotFound) {
			return nil // removed
		}
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, c.Close()) }()
		ctx, cancel := context.WithTimeout(ctx, min(d.limit(), askHold))
		defer cancel()
		_, asked := d.ask(ctx, c.Folder.Path, true, func(a *assess.Asked) error {
			o, err := s.AddOpinion(ctx, id, a.Opinion)
			if err == nil {
				log.Info("agent asked", "case", id, "agent", a.Agent, "opinion", o, "verdict", a.Opinion.Verdict)
			}
			return err
		})
		if asked != nil {
			log.Warn("an agent was asked about a case, and there is no opinion of it", "case", id, "error", asked)
		}
		return nil
	}
}
