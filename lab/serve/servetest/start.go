// Package servetest runs a service of the lab inside of a test, as its command would run it.
package servetest

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"testing"
)

// A Process is the Main of a service, running in this process.
type Process struct {
	Stop   context.CancelFunc
	Code   chan int      // the exit code, once
	Stderr *bytes.Buffer // to be read after the exit code
}

// Start runs a main and decodes the line of JSON that it prints when it listens into where. It is stopped with the
// test.
func Start(t *testing.T, main func(context.Context, []string, io.Writer, io.Writer) int, where any,
	args ...string) *Process {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	p := &Process{cancel, make(chan int, 1), new(bytes.Buffer)}
	stdout, w := io.Pipe()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		p.Code <- main(ctx, args, w, p.Stderr)
		w.Close()
	}()
	t.Cleanup(func() { cancel(); stdout.Close(); <-ended })
	if err := json.NewDecoder(stdout).Decode(where); err != nil {
		cancel()
		<-ended
		t.Fatalf("reading the addresses: %v; stderr:\n%s", err, p.Stderr)
	}
	return p
}
