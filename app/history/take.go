package history

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/gate"
	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/app/revision"
	"github.com/gocasebook/casebook/app/tool"
)

// Take measures the revision cfg.Head, HEAD by default, and makes a record of it. machine names the machine; "" names
// it by its CPU, their number, and the system. The notes say what could not be measured.
func Take(ctx context.Context, cfg gate.Config, machine string) (r *Record, notes []string, err error) {
	cfg.Head = cmp.Or(cfg.Head, "HEAD")
	if cfg.Head == revision.Here {
		return nil, nil, fmt.Errorf("a record is of a commit: commit first, or name a revision")
	}
	r = &Record{Schema: schema, Time: time.Now().UTC().Truncate(time.Second), Machine: thisMachine(machine)}
	dir := cmp.Or(cfg.Dir, ".")
	version, err := tool.Go{Dir: dir}.Output(ctx, "env", "GOVERSION")
	if err != nil {
		return nil, nil, fmt.Errorf("asking go for its version: %w", err)
	}
	r.Go = strings.TrimSpace(string(version))
	s, err := gate.Take(ctx, cfg)
	if err != nil {
		return nil, nil, err
	}
	commit, err := tool.Git{Dir: dir}.Run(ctx, "rev-parse", "--verify", s.Commit+"^{commit}")
	if err != nil {
		return nil, nil, fmt.Errorf("asking git for the commit: %w", err)
	}
	r.Commit = strings.TrimSpace(string(commit))
	r.of(s)
	return r, s.Notes, nil
}

func thisMachine(id string) Machine {
	m := Machine{ID: id, CPU: prove.CPUModel(), CPUs: runtime.NumCPU(), OS: runtime.GOOS + "/" + runtime.GOARCH}
	if id == "" {
		m.ID = fmt.Sprintf("%s, %d CPUs, %s", cmp.Or(m.CPU, "unknown CPU"), m.CPUs, m.OS)
	}
	return m
}
