package foreign

import (
	"context"
	"fmt"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/lab/trial"
)

// Loads of other protocols than HTTP and gRPC; the URL of a piece's one target begins with the word.
const (
	askDNS       = "dns:"         // a question for a name, in which * stands for the number of the request
	askSigned    = "dns-signed:"  // the same, by one who wants signatures
	publish      = "nats-pub:"    // a message of Pad bytes to a subject
	subscribe    = "nats-sub:"    // a client that reads a subject until the end
	neverRead    = "nats-stuck:"  // one that subscribes and does not read
	createKept   = "nats-memory:" // a stream of a subject, kept in memory without a limit
	createFile   = "nats-file:"   // one kept in files, of the newest gibibyte
	watchForGood = "etcd-watch:"  // a watch of a key, on one connection with the others, that nobody ends
)

// drive sends a service its load until ctx ends.
func (s *Service) drive(ctx context.Context, addr string, length time.Duration) ([]load.Result, error) {
	results := make([]load.Result, len(s.Load))
	var group errgroup.Group
	for i, piece := range s.Load {
		group.Go(func() error {
			var err error
			if results[i], err = drivePiece(ctx, addr, piece, length); ctx.Err() != nil {
				return nil // the end of the watch
			}
			return err
		})
	}
	return results, group.Wait()
}

// drivePiece sends one piece.
func drivePiece(ctx context.Context, addr string, piece trial.Load, length time.Duration) (load.Result, error) {
	word, rest, ok := strings.Cut(piece.Targets[0].URL, ":")
	if !ok || strings.HasPrefix(word, "/") || word == "grpc" {
		got, err := trial.Drive(ctx, addr, []trial.Load{piece}, length)
		return got[0], err
	}
	select {
	case <-time.After(time.Duration(piece.From)):
	case <-ctx.Done():
		return load.Result{}, nil
	}
	call, end, err := caller(addr, word+":", rest, piece.Targets[0])
	if err != nil {
		return load.Result{}, err
	}
	defer end()
	schedule, err := load.ParseSchedule(piece.Pace)
	if err != nil {
		return load.Result{}, fmt.Errorf("load %q: %w", piece.Pace, err)
	}
	got, err := load.Run(ctx, load.Config{
		Pace: schedule.Pace, Timeout: time.Duration(piece.Timeout), MaxInFlight: 20_000, Call: call,
		Duration: length - time.Duration(piece.From),
	})
	<-ctx.Done() // what it has opened stays open
	return got, err
}

// caller makes the calls of a piece. end must be called.
func caller(addr, word, rest string, t trial.Target) (call func(uint64) (load.Call, error), end func(), err error) {
	switch word {
	case askDNS, askSigned:
		return func(i uint64) (load.Call, error) {
			return ask(addr, uint16(i), strings.ReplaceAll(rest, "*", fmt.Sprint(i)), word == askSigned), nil
		}, func() {}, nil
	case watchForGood:
		return watches(addr, rest)
	case publish, subscribe, neverRead, createKept, createFile:
		n := &natsClients{addr: addr}
		return func(i uint64) (load.Call, error) {
			return n.call(word, strings.ReplaceAll(rest, "*", fmt.Sprint(i%50)), t.Pad), nil
		}, n.close, nil
	}
	return nil, nil, fmt.Errorf("services.json: no load is called %q", word)
}
