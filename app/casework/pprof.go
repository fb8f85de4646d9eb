package casework

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/gocasebook/casebook/app/pprofweb"
	"github.com/gocasebook/casebook/app/store"
)

// A PprofPage writes a page of google/pprof about a profile of a case. Its errors are those of package store.
type PprofPage = func(ctx context.Context, w io.Writer, id, file, page, query string) error

// PprofPages are google/pprof's pages of the profiles of cases. The program must call pprofweb.As.
func PprofPages(from Cases) PprofPage {
	v, pages := views{from: from}, pprofweb.New()
	return func(ctx context.Context, w io.Writer, id, file, page, query string) error {
		_, e, err := v.choose(ctx, id, file, isProfile)
		if err == nil && !isProfile(e) {
			err = fmt.Errorf("%s of case %s is not a profile: %w", file, id, store.ErrNotFound)
		}
		if err != nil {
			return err
		}
		load := func(ctx context.Context) ([]byte, error) { return v.read(ctx, id, e.File) }
		waited := InTurn(ctx, func() {
			err = inStore(pages.Write(ctx, w, pprofweb.Request{Page: page, Query: query, Load: load}))
		})
		return errors.Join(waited, err)
	}
}

// inStore says an error of pprofweb as package store does.
func inStore(err error) error {
	for own, as := range map[error]error{pprofweb.ErrNoPage: store.ErrNotFound, pprofweb.ErrRefused: store.ErrInvalid,
		pprofweb.ErrTooLarge: store.ErrTooLarge,
		pprofweb.ErrSlow:     store.ErrBusy} {
		if errors.Is(err, own) {
			return fmt.Errorf("%w: %w", as, err)
		}
	}
	return err
}
