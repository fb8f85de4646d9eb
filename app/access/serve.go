package access

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"
)

// Serve answers on a listener until ctx ends, with TLS if the server has certificates. Then closing, which ends what
// would go on by itself, is called, and requests that are under way have so long to come to their end.
func Serve(ctx context.Context, hs *http.Server, l net.Listener, closing func(), within time.Duration) error {
	ended := make(chan error, 1)
	go func() {
		if hs.TLSConfig != nil {
			ended <- hs.ServeTLS(l, "", "")
			return
		}
		ended <- hs.Serve(l)
	}()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	closing()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), within)
	defer cancel()
	err := hs.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		err = hs.Close()
	}
	if served := <-ended; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	return err
}
