package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"time"

	"github.com/oklog/run"
	"github.com/robfig/cron/v3"
	"golang.org/x/sync/errgroup"
)

// nothing is how orders are published where there is no broker.
func nothing([]byte) error { return nil }

// withTicker reports to a chart ten times a second, in a loop of an errgroup, as many mains start their parts.
func withTicker(c *carrier, _, _ string) (publisher, error) {
	g, ctx := errgroup.WithContext(context.Background())
	g.Go(func() error { return c.report(ctx) })
	go func() { log.Fatal(g.Wait()) }()
	return nothing, nil
}

// report writes how many were booked, now and then.
func (c *carrier) report(ctx context.Context) error {
	t := time.NewTicker(50 * time.Millisecond)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-t.C:
			fmt.Fprintln(io.Discard, c.booked.Load())
		}
	}
}

// withCron goes through a list once a minute, which takes most of that.
func withCron(c *carrier, _, _ string) (publisher, error) {
	k := cron.New(cron.WithSeconds(), cron.WithChain(cron.SkipIfStillRunning(cron.DiscardLogger)))
	_, err := k.AddFunc("* * * * * *", func() { c.settle(6000) })
	k.Start()
	return nothing, err
}

// settle books what is open, one order after the other: at night nobody waits for it.
func (c *carrier) settle(orders int) {
	for i := range orders {
		if err := c.book(context.Background(), fmt.Appendf(nil, "order %d", i)); err != nil {
			log.Print(err)
		}
	}
}

// withPoll asks the carrier for news, which it answers when there is some or after a while: an actor of oklog/run.
func withPoll(c *carrier, _, _ string) (publisher, error) {
	var g run.Group
	ctx, cancel := context.WithCancel(context.Background())
	g.Add(func() error { return c.follow(ctx) }, func(error) { cancel() })
	go func() { log.Fatal(g.Run()) }()
	return nothing, nil
}

// follow is a long poll after the other.
func (c *carrier) follow(ctx context.Context) error {
	for ctx.Err() == nil {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.url, nil)
		if err != nil {
			return err
		}
		res, err := c.client.Do(req)
		if err != nil {
			return err
		}
		io.Copy(io.Discard, res.Body)
		res.Body.Close()
	}
	return ctx.Err()
}
