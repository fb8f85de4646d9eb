package store

import (
	"context"
	"fmt"

	"github.com/gocasebook/casebook/casefile"
)

// AddOpinion adds an opinion to a case, and returns the ID that it has there.
func (s *Store) AddOpinion(ctx context.Context, id string, o casefile.Opinion) (given string, err error) {
	var refused error
	err = s.Change(ctx, id, func(c *casefile.Case) { given, refused = c.AddOpinion(o) })
	if err == nil && refused != nil {
		err = fmt.Errorf("%w: %w", ErrInvalid, refused)
	}
	if err != nil {
		return "", fmt.Errorf("adding an opinion to case %.60q: %w", id, err)
	}
	return given, nil
}
