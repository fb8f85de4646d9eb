package serve

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"
)

// AnsweredError is an upstream's answer that is not 200: its status.
type AnsweredError int

func (e AnsweredError) Error() string { return fmt.Sprintf("it answered %d", int(e)) }

// UpstreamStatus is what a service answers when the call of an upstream failed: 504 when it took too long, else 502.
func UpstreamStatus(err error) int {
	var timeout net.Error
	if errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout() {
		return http.StatusGatewayTimeout
	}
	return http.StatusBadGateway
}

// Sleep waits for d, or until ctx ends; then it returns ctx's cause.
func Sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return context.Cause(ctx)
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}
