package sidecar

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"sync"
)

// A forwarder connects each of its callers with one address.
type forwarder struct {
	to  string // host:port
	log *slog.Logger

	mu    sync.Mutex // guards conns
	conns map[net.Conn]bool
}

// serve accepts callers until ctx ends, and returns when the last has gone.
func (f *forwarder) serve(ctx context.Context, l net.Listener) error {
	var callers sync.WaitGroup
	defer callers.Wait()
	defer f.closeAll()
	stop := context.AfterFunc(ctx, func() { _ = l.Close() })
	defer stop()
	for {
		caller, err := l.Accept()
		if ctx.Err() != nil {
			if err == nil {
				_ = caller.Close()
			}
			return nil
		}
		if err != nil {
			return err
		}
		callers.Go(func() { f.connect(ctx, caller) })
	}
}

// connect copies both ways until both sides have said all.
func (f *forwarder) connect(ctx context.Context, caller net.Conn) {
	defer f.forget(caller)
	var dialer net.Dialer
	called, err := dialer.DialContext(ctx, "tcp", f.to)
	if err != nil {
		f.log.Warn("a caller is hung up on", "err", err)
		return
	}
	defer f.forget(called)
	if !f.keep(ctx, caller, called) {
		return
	}
	var back sync.WaitGroup
	back.Go(func() { forward(caller, called) })
	forward(called, caller)
	back.Wait()
}

// forward copies from one to the other, and tells that one when nothing more comes.
func forward(to, from net.Conn) {
	_, err := io.Copy(to, from)
	half, ok := to.(interface{ CloseWrite() error })
	if ok && (err == nil || errors.Is(err, net.ErrClosed)) {
		_ = half.CloseWrite() // the other side may have gone
		return
	}
	_ = to.Close()
	_ = from.Close()
}

// keep notes connections that closeAll is to close; false: it has been called.
func (f *forwarder) keep(ctx context.Context, conns ...net.Conn) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if ctx.Err() != nil {
		return false
	}
	for _, c := range conns {
		f.conns[c] = true
	}
	return true
}

func (f *forwarder) forget(c net.Conn) {
	_ = c.Close()
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.conns, c)
}

func (f *forwarder) closeAll() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for c := range f.conns {
		_ = c.Close()
	}
}
