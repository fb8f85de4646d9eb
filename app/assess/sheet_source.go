package assess

import (
	"context"

	"github.com/gocasebook/casebook/app/facts"
	"github.com/gocasebook/casebook/app/source"
	"github.com/gocasebook/casebook/casefile"
)

// A PlacesFunc finds the source of a build.
type PlacesFunc func(ctx context.Context, build casefile.Build) (*source.Places, error)

// SourceIn finds the source of a program in a folder that somebody named. Without one it is the working folder, if the
// program's module is there, and otherwise nowhere: then there is source of dependencies alone, from the module cache.
func SourceIn(dir string) PlacesFunc {
	return func(ctx context.Context, build casefile.Build) (*source.Places, error) {
		if dir != "" {
			return source.FindPlaces(ctx, dir, build)
		}
		if build.Module != "" {
			if _, err := source.Find(".", build); err == nil {
				return source.FindPlaces(ctx, ".", build)
			}
		}
		return source.Elsewhere(ctx, build)
	}
}

// sourceOf is the source of a build for a sheet; nil where nobody says how to find it.
func (r *DiagnoseRequest) sourceOf(ctx context.Context, build casefile.Build) (facts.Source, error) {
	if r.Places == nil {
		return nil, nil
	}
	places, err := r.Places(ctx, build)
	if err != nil {
		return nil, err
	}
	return facts.NewSource(ctx, places), nil
}
