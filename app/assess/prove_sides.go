package assess

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gocasebook/casebook/app/child"
	"github.com/gocasebook/casebook/app/revision"
	"github.com/gocasebook/casebook/casefile"
)

// Sides are the two servers of a proof: A is the old one.
type Sides struct {
	A, B      child.Spec // with a Package, the first word of their commands is replaced by the build
	Names     [2]string  // in the results; "": what differs
	Package   string     // the Go package to build; "": run the commands as they are
	Revisions [2]string  // of A and B, for Package; "." is the working tree
}

// Same reports whether both sides are the same command at the same revision.
func (s *Sides) Same() bool {
	return s.A.Command() == s.B.Command() && s.Revisions[0] == s.Revisions[1]
}

// build builds the revisions, if any, and names the sides. The func that it returns removes the builds; it is never
// nil.
func (s *Sides) build(ctx context.Context, say func(string)) (closeAll func() error, err error) {
	var builds []*revision.Build
	closeAll = func() error {
		var errs []error
		for _, b := range builds {
			errs = append(errs, b.Close())
		}
		return errors.Join(errs...)
	}
	if s.Package == "" {
		label(&s.Names[0], &s.A, &s.B, "A")
		label(&s.Names[1], &s.B, &s.A, "B")
		return closeAll, nil
	}
	for i, spec := range []*child.Spec{&s.A, &s.B} {
		say(fmt.Sprintf("building %s of %s", s.Package, s.Revisions[i]))
		b, err := revision.New(ctx, ".", s.Revisions[i], s.Package)
		if err != nil {
			return closeAll, err
		}
		builds = append(builds, b)
		spec.Args = append([]string{b.Binary}, spec.Args[1:]...)
		spec.Dir = b.Dir
		if s.Names[i] == "" {
			s.Names[i] = b.Label()
		}
	}
	return closeAll, nil
}

// label names a side by what it has and the other does not.
func label(name *string, own, other *child.Spec, otherwise string) {
	if *name != "" {
		return
	}
	there := make(map[string]bool)
	for _, w := range append(append([]string(nil), other.Env...), other.Args...) {
		there[w] = true
	}
	var words []string
	for _, w := range append(append([]string(nil), own.Env...), own.Args...) {
		if !there[w] {
			words = append(words, w)
		}
	}
	if *name = strings.Join(words, " "); *name == "" {
		*name = otherwise
	}
}

// variant returns a side as the proof stores it.
func (s *Sides) variant(i int) casefile.Variant {
	spec := []*child.Spec{&s.A, &s.B}[i]
	v := casefile.Variant{Label: s.Names[i], Command: spec.Command()}
	if s.Package != "" {
		v.Command = fmt.Sprintf("%s at %s", child.Join(append([]string{s.Package}, spec.Args[1:]...)), s.Revisions[i])
	}
	return v
}
