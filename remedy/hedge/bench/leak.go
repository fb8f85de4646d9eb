package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"time"
)

// stacks are those of all goroutines.
func stacks() []string {
	buf := make([]byte, 16<<20)
	return strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n")
}

// leakPart says which goroutines are left 2 s after the last call, by the package that started them.
func leakPart(ctx context.Context, before []string, out io.Writer) error {
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	wait(ctx, 2*time.Second)
	after := stacks()
	var ours, theirs, others int
	for _, s := range after {
		switch {
		case strings.Contains(s, "casebook/remedy/hedge."):
			ours++
		case strings.Contains(s, "failsafe-go") || strings.Contains(s, "hedgedhttp"):
			theirs++
		default:
			others++
		}
	}
	fmt.Fprintf(out, "\nGoroutines: %d before; after: %d of casebook hedge, %d of the peers, %d others\n", len(before),
		ours, theirs, others)
	if ours > 0 {
		return fmt.Errorf("%d goroutines of package hedge are left behind", ours)
	}
	return ctx.Err()
}
