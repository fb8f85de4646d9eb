package store

import (
	"context"
	"fmt"

	"github.com/gocasebook/casebook/casefile"
)

// AddOpinion adds an opinion to a case, and returns the ID that it has there.
func (s *Store) AddOpinion(ctx context.Context, id string, o casefile.Opinion) (given string, err error) {
	return addOpinion(id, o, func(change func(*casefile.Case)) error { return s.Change(ctx, id, change) })
}

// AddOpinion is Store.AddOpinion: the one thing that is written to the folder.
func (s *Shelf) AddOpinion(_ context.Context, id string, o casefile.Opinion) (given string, err error) {
	return addOpinion(id, o, func(change func(*casefile.Case)) error {
		f, err := s.folder(id)
		if err != nil {
			return err
		}
		return f.Update(change)
	})
}

func addOpinion(id string, o casefile.Opinion, update func(func(*casefile.Case)) error) (given string, err error) {
	var refused error
	err = update(func(c *casefile.Case) { given, refused = c.AddOpinion(o) })
	if err == nil && refused != nil {
		err = fmt.Errorf("%w: %w", ErrInvalid, refused)
	}
	if err != nil {
		return "", fmt.Errorf("adding an opinion to case %.60q: %w", id, err)
	}
	return given, nil
}
