package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/gocasebook/casebook/app/engine"
	"github.com/gocasebook/casebook/app/release"
	"github.com/gocasebook/casebook/app/report"
	"github.com/gocasebook/casebook/app/server"
	"github.com/gocasebook/casebook/instance"
)

// releases compares versions of a service in the first engine that has two of them.
// repositories are folders with the source of services.
func releases(engines []*engine.Directory, repositories map[string]string) func(ctx context.Context, service string) (server.Release, error) {
	return func(ctx context.Context, service string) (server.Release, error) {
		var failed error
		for _, d := range engines {
			c, err := release.Compare(ctx, d, service, repositories[service])
			if err == nil {
				return server.Release{Report: c,
					Page: func(w io.Writer) error {
						page := c.Page()
						page.Served = "/release"
						return report.WriteComparison(w, page)
					}}, nil
			}
			var none *instance.EmptyError
			if errors.As(err, &none) {
				err = fmt.Errorf("%w: %w", server.ErrNoRelease, err)
			}
			failed = errors.Join(failed, err)
		}
		return server.Release{}, failed
	}
}
