package faults

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gocasebook/casebook/app/load"
)

// ShopLoad is what the healthy part of every service answers: about 0.14 cores of work (its vitals, with `fault -kind
// none`, 2 shared cores), of which more than half is net/http's own, as in most services.
func ShopLoad() []Call {
	order := func(i int) []byte { return fmt.Appendf(nil, `{"product":%d,"count":%d}`, i%5000, 1+i%3) }
	return []Call{
		{Path: "/shop/products?page=%d", PerSecond: 800},
		{Path: "/shop/search?q=red+chair", PerSecond: 350},
		{Path: "/shop/search?q=oak", PerSecond: 250},
		{Path: "/shop/page?id=%d", PerSecond: 800},
		{Method: http.MethodPost, Path: "/shop/orders", Body: order, PerSecond: 300},
	}
}

// driveFor is longer than anybody looks at a fault; ctx ends a drive before it.
const driveFor = 24 * time.Hour

// Drive sends calls to a service's address until ctx ends, which is no error. A service that answers late or with
// errors is driven on: that is what faults do.
func Drive(ctx context.Context, service string, calls []Call) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	errs := make([]error, len(calls))
	var all sync.WaitGroup
	for i, c := range calls {
		all.Go(func() {
			if _, err := load.Run(ctx, c.load(service)); err != nil && !errors.Is(err, context.Canceled) {
				errs[i] = fmt.Errorf("driving %s: %w", c.Path, err)
				cancel() // a load with a part missing is not the load asked for
			}
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

func (c Call) load(service string) load.Config {
	return load.Config{
		Rate: c.PerSecond, Duration: driveFor, Window: time.Minute,
		Request: func(i uint64) (*http.Request, error) { return c.request(service, int(i)) },
	}
}

func (c Call) request(service string, i int) (*http.Request, error) {
	var body io.Reader
	if c.Body != nil {
		body = bytes.NewReader(c.Body(i))
	}
	return http.NewRequest(c.Method, service+strings.ReplaceAll(c.Path, "%d", strconv.Itoa(i)), body)
}
