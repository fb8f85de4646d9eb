package casebook

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
)

// neighbours keeps who used the machine's CPUs while the process's were profiled. It asks the process nothing; inside
// it costs a fiftieth of a core at most, a reading of /proc every half second or less often. A target elsewhere has none:
// its signals of the machine say why.
func (t *taking) neighbours(ctx context.Context) {
	target, ok := ability[interface {
		Neighbours(context.Context, time.Duration) (casefile.MachineUse, error)
	}](t.w.layers)
	if !ok {
		return
	}
	began := time.Now()
	use, err := inTime(ctx, "looking at the neighbours", func(ctx context.Context) (casefile.MachineUse, error) {
		return target.Neighbours(ctx, t.span(casefile.CPU))
	})
	if empty := (*instance.EmptyError)(nil); errors.As(err, &empty) {
		t.out.Missing(casefile.Neighbours, casefile.During, empty.Error())
		return
	}
	if err != nil {
		t.w.fail(err)
		return
	}
	if use.Seconds == 0 {
		return
	}
	data, err := json.MarshalIndent(use, "", " ")
	if err != nil {
		t.w.fail(err)
		return
	}
	t.add(casefile.Evidence{File: fileName(casefile.Neighbours, casefile.During), Kind: casefile.Neighbours,
		Phase: casefile.During, Taken: began.UTC(), Seconds: use.Seconds}, data)
}
