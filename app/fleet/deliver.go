package fleet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/gocasebook/casebook/app/store"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/reporter"
)

// toStore is the reporter that puts cases into the store. It has no spool, because the folder of the watch has the case
// until it has arrived: what a reporter without a spool could not deliver, the next start of a watch delivers.
func toStore(st *store.Store) reporter.Reporter {
	return reporter.Reporter{Name: "store", Timeout: 10 * time.Minute,
		Retry: reporter.Retry{Tries: 1000, First: 2 * time.Second, Max: time.Minute},
		Send:  func(ctx context.Context, r reporter.Report) error { return put(ctx, st, r.Folder) }}
}

// put puts the case of a folder into the store. One that is there already is no error.
func put(ctx context.Context, st *store.Store, path string) error {
	f, err := casefile.Open(path)
	if err != nil {
		return &reporter.Error{Err: err, Final: true}
	}
	r, w := io.Pipe()
	exported := make(chan struct{})
	go func() {
		defer close(exported)
		w.CloseWithError(casefile.Export(f, w))
	}()
	_, err = st.Put(ctx, store.Upload{ID: f.Case.ID, Body: r})
	_ = r.Close() // an export that nobody reads any more ends
	<-exported
	if errors.Is(err, store.ErrInvalid) || errors.Is(err, store.ErrExists) || errors.Is(err, store.ErrTooLarge) {
		return &reporter.Error{Err: err, Final: true}
	}
	if err != nil {
		return fmt.Errorf("storing case %s: %w", f.Case.ID, err)
	}
	return nil
}
