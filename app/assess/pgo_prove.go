package assess

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gocasebook/casebook/app/child"
	"github.com/gocasebook/casebook/app/tool"
	"github.com/gocasebook/casebook/casefile"
)

// A PGOProof is what building with a profile brings to a service under load: A is built without, B with it.
type PGOProof struct {
	*Proved
	Worth bool `json:"worth"` // B is better in the figure that decides
}

// ProvePGO builds a main package twice, without a profile and with this one, and measures the two against each other.
// args are the server's arguments. Only whether B is better counts: a build with a profile takes longer, and has to be
// kept up to date, so that "the same" is not worth it either.
func ProvePGO(ctx context.Context, r *PGORequest, file string, args []string, p ProveRequest) (*PGOProof, error) {
	tmp, err := os.MkdirTemp("", "casebook-pgo-*")
	if err != nil {
		return nil, fmt.Errorf("proving the profile: %w", err)
	}
	defer func() { _ = os.RemoveAll(tmp) }() // what stays is in the folder for temporary files
	if file, err = filepath.Abs(file); err != nil {
		return nil, fmt.Errorf("proving the profile: %w", err)
	}
	dir, main := r.Dir, r.Main
	if dir == "" {
		dir = "."
	}
	if main == "" {
		main = "."
	}
	p.Sides = Sides{Names: [2]string{"no PGO", "with PGO"}}
	for i, side := range []*child.Spec{&p.Sides.A, &p.Sides.B} {
		from := [2]string{"off", file}[i]
		p.say("building " + main + " with -pgo=" + [2]string{"off", filepath.Base(file)}[i])
		binary := filepath.Join(tmp, [2]string{"off", "pgo"}[i])
		if _, err := tool.Run(ctx, dir, "go", "build", "-pgo="+from, "-o", binary, main); err != nil {
			return nil, fmt.Errorf("building for the proof: %w", err)
		}
		*side = child.Spec{Name: [2]string{"A", "B"}[i], Args: append([]string{binary}, args...), Dir: dir}
	}
	done, err := Prove(ctx, p)
	if err != nil {
		return nil, errors.Join(append(done.Left, err)...)
	}
	return &PGOProof{Proved: done, Worth: done.Proof.Verdict == casefile.Better}, nil
}
