package assess

import (
	"context"
	"fmt"

	"github.com/gocasebook/casebook/app/listing"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

// Listed is the source of functions with what their lines cost.
type Listed struct {
	*listing.Listing
	Build  casefile.Build
	Failed []error // evidence that could not be read; the rest was used
}

// List gathers what a request names, as Diagnose does, and lists the functions of which a name is a part. It is an
// error if the evidence has none of that name.
func List(ctx context.Context, r DiagnoseRequest, name string) (*Listed, error) {
	g, err := r.gathered(ctx, r.What, false)
	if err != nil {
		return nil, err
	}
	in, problems, some := listing.Read(g.in)
	for _, p := range problems {
		g.problem(diagnose.Problem{File: p.File, Reason: p.Reason, Next: p.Next}, some)
	}
	if in.Source, err = r.sourceOf(ctx, g.in.Build); err != nil {
		return nil, err
	}
	l := listing.Of(ctx, in, name)
	if len(l.Functions) == 0 {
		return nil, fmt.Errorf("no function whose name has %q in it is in the evidence; names are as in a profile, "+
			"such as main.run or (*Cache).Get", name)
	}
	return &Listed{Listing: l, Build: g.in.Build, Failed: g.failed}, nil
}
