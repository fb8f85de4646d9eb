package play

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/gocasebook/casebook/app/child"
	"github.com/gocasebook/casebook/lab/kafka"
	"github.com/gocasebook/casebook/lab/redis"
	"github.com/gocasebook/casebook/lab/stage"
)

// startupTime bounds the start of what a service depends on.
const startupTime = 2 * time.Minute

// A needs is what the services of a row depend on: a lab.Starter.
type needs struct {
	binary  string
	dir     string         // for files of servers; made when one needs it
	kafka   bool           // whether the worker's broker is a real one
	started []func() error // that stop them
}

// Lab starts a service of the lab that others depend on.
func (n *needs) Lab(ctx context.Context, name string, args []string, addresses any) error {
	p, err := child.Start(child.Spec{Name: name, Args: slices.Concat([]string{n.binary, name}, args), Announces: true})
	if err != nil {
		return err
	}
	n.started = append(n.started, p.Stop)
	return p.Announced(ctx, startupTime, addresses)
}

// Redis starts a Redis server that keeps nothing.
func (n *needs) Redis(ctx context.Context) (string, error) {
	if err := os.MkdirAll(n.dir, 0o700); err != nil {
		return "", fmt.Errorf("making a folder for Redis: %w", err)
	}
	s, err := redis.Start(ctx, n.dir)
	if err != nil {
		return "", err
	}
	n.started = append(n.started, s.Stop)
	return s.Addr, nil
}

// Kafka starts an Apache Kafka broker, if one was asked for. A machine without Java, or without the jars, cannot play
// the row.
func (n *needs) Kafka(ctx context.Context) (addr, name string, err error) {
	if !n.kafka {
		return "", "", nil
	}
	if err := os.MkdirAll(n.dir, 0o700); err != nil {
		return "", "", fmt.Errorf("making a folder for Kafka: %w", err)
	}
	s, err := kafka.Start(ctx, n.dir)
	if err != nil {
		return "", "", fmt.Errorf("%w: %w", stage.ErrLimited, err)
	}
	n.started = append(n.started, s.Stop)
	return s.Addr, kafka.Name, nil
}

// stop ends them all, the last started first.
func (n *needs) stop() error {
	var errs []error
	for _, stop := range slices.Backward(n.started) {
		errs = append(errs, stop())
	}
	return errors.Join(errs...)
}
