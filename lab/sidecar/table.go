package sidecar

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/gocasebook/casebook/app/child"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/lab/redis"
	"github.com/gocasebook/casebook/lab/tables"
)

// Title is the table's.
const Title = "Calls of Redis, direct and through a sidecar"

// startTime bounds the start of the sidecar.
const startTime = time.Minute

// usual is the pace of the table: ten turns of each path, two seconds together, for each number of callers.
func usual() pace { return pace{turn: 200 * time.Millisecond, turns: 10} }

// Table measures the price of a hop. binary is the lab's, whose command is the sidecar. It needs Linux and
// redis-server.
func Table(ctx context.Context, binary string) (tables.Table, error) {
	return table(ctx, binary, usual())
}

func table(ctx context.Context, binary string, p pace) (_ tables.Table, err error) {
	t := tables.Table{
		Name:  "sidecar",
		Title: Title,
		Text: "An INCR from 1 caller and from 8, to a Redis on the same machine, direct and through a process that " +
			"only forwards bytes. The time of a call, and the CPU time that it takes in each process.",
		Columns: []string{"callers", "path", "p50", "p99", "caller", "sidecar", "Redis", "CPU", "direct"},
		Said: "The article has no figure: at some 3,000 calls of Redis a second most of its service's CPU was in the " +
			"sidecar's routing, and calls that go to Redis directly mended that.",
		Note: "The last column is how many times the CPU of a direct call it is, in all processes. The article's " +
			"sidecar also found addresses, within the service: a hop that does more costs more.",
	}
	dir, err := os.MkdirTemp("", "casebook-sidecar-")
	if err != nil {
		return t, fmt.Errorf("making a folder for Redis: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	db, err := redis.Start(ctx, dir)
	if err != nil {
		return t, err
	}
	defer func() { err = errors.Join(err, db.Stop()) }()
	hop, addr, err := start(ctx, binary, db.Addr)
	if err != nil {
		return t, err
	}
	defer func() { err = errors.Join(err, hop.Stop()) }()
	ends := []place{self(), {redisPlace, db.PID()}}
	for _, callers := range []int{1, 8} {
		prices, err := measure(ctx, callers, []*path{{addr: db.Addr, places: ends},
			{addr: addr, through: true, places: append(ends[:2:2], place{sidecarPlace, hop.PID()})}}, p)
		if err != nil {
			return t, err
		}
		for i := range prices {
			t.Rows = append(t.Rows, prices[i].row(&prices[0]))
		}
		t.Holds = holds(&prices[0], &prices[1])
	}
	return t, nil
}

// start starts the sidecar in front of an address.
func start(ctx context.Context, binary, to string) (*child.Process, string, error) {
	p, err := child.Start(child.Spec{Name: "the sidecar", Args: []string{binary, "sidecar", "-to", to},
		Announces: true})
	if err != nil {
		return nil, "", err
	}
	var where struct{ Listen string }
	if err := p.Announced(ctx, startTime, &where); err != nil {
		return nil, "", errors.Join(err, p.Stop())
	}
	return p, where.Listen, nil
}

// row is a line of the table.
func (p *Price) row(direct *Price) []string {
	name, hop := "direct", "–"
	if p.Through {
		name, hop = "sidecar", number.Duration(p.CPU[sidecarPlace])
	}
	return []string{strconv.Itoa(p.Callers), name, number.Duration(p.P50), number.Duration(p.P99),
		number.Duration(p.CPU[callerPlace]), hop, number.Duration(p.CPU[redisPlace]), number.Duration(p.all()),
		number.Digits(float64(p.all())/float64(direct.all())) + "×"}
}

// articleCalls is how many calls of Redis a second the article's service made, on one machine.
const articleCalls = 3000

// holds says what the hop takes at the article's rate, by these figures.
func holds(direct, through *Price) string {
	more := through.all() - direct.all()
	if more <= 0 {
		return "Not by these figures: the hop takes no CPU that could be told from the rest."
	}
	return fmt.Sprintf("True that a hop has its price: %s of CPU more a call from %d callers, which at the article's "+
		"%s calls a second is %s of a core, for the bytes alone.", number.Duration(more), through.Callers,
		number.Count(articleCalls), number.Share(articleCalls*more.Seconds()))
}
