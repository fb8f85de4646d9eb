package diagnose

import (
	"fmt"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A pool whose connections were taken and not given back shows in who waits for one while nobody uses one. The results that
// hold them have no goroutine where their context cannot be cancelled, and are few: no profile shows who forgot them. What
// can be shown is that they are held, and every line that takes one.

// A connPool is how goroutines of a library's pool of connections stand.
type connPool struct {
	acquire []string // frames of those that wait for a connection
	library string   // frames of those that have one, and of what opens connections
	what    string
	fix     string
}

func connPools() []connPool {
	const rows = "defer rows.Close() right after the error check, defer tx.Rollback() right after Begin, and conn.Close() or Release: on every path, also where only the first row is of interest (QueryRow closes by itself)"
	return []connPool{
		{[]string{"database/sql.(*DB).conn"}, "database/sql.", "database/sql", rows},
		{[]string{"github.com/jackc/puddle/v2.(*Pool[...]).acquire", "github.com/jackc/puddle/v2.(*Pool[...]).Acquire", "github.com/jackc/pgx/v5/pgxpool.(*Pool).Acquire"},
			"github.com/jackc/pgx/", "pgxpool", rows},
		{[]string{"github.com/redis/go-redis/v9/internal/pool.(*ConnPool).waitTurn"}, "github.com/redis/go-redis/", "go-redis",
			"Close what was taken out of the pool: a Conn, a PubSub, a Tx"},
		{[]string{"go.mongodb.org/mongo-driver/x/mongo/driver/topology.(*pool).checkOut", "go.mongodb.org/mongo-driver/v2/x/mongo/driver/topology.(*pool).checkOut"},
			"go.mongodb.org/mongo-driver/", "the MongoDB driver", "defer cursor.Close(ctx) right after the error check, and session.EndSession"},
	}
}

// starving is how many goroutines of a set wait for a connection of a pool, by the user's line; 0 where anybody uses one or
// opens one: the pool is busy then, or the other side is slow.
func (r *Reading) starving(set *stacks.Set, p connPool) (n int64, lines map[stacks.FrameID]int64) {
	count := stacks.ByValue(set.Value(set.Kind, "count"))
	lines = make(map[stacks.FrameID]int64)
	for i := range set.Samples {
		s := &set.Samples[i]
		if !hasFrame(r.Table, s.Stack, p.library) && !hasFrame(r.Table, s.Stack, p.acquire...) {
			continue
		}
		line, user := r.waitPlace(s.Stack)
		w := set.Wait(i)
		switch {
		case user && hasFrame(r.Table, s.Stack, p.acquire...) && (w == stacks.WaitSelect || w == stacks.WaitReceive || w == stacks.WaitSemaphore) && !hasFrame(r.Table, s.Stack, "net."):
			n += count(s)
			lines[line] += count(s)
		case awaitsNews(r.Table, s.Stack):
		case user || w == stacks.WaitNetwork || w == stacks.WaitNothing || hasFrame(r.Table, s.Stack, "net.(*Dialer)", "net.(*sysDialer)"):
			return 0, nil
		}
	}
	return n, lines
}

// starvedPool finds a pool for whose connections goroutines wait in all captures, and nobody uses one in any.
func (r *Reading) starvedPool() (casefile.Finding, bool) {
	moments := r.moments()
	for _, p := range connPools() {
		var n int64
		var lines map[stacks.FrameID]int64
		var last *stacks.Set
		for _, set := range moments {
			if n, lines = r.starving(set, p); float64(n) < lockWaiterScale().Worth {
				n = 0
				break
			}
			last = set
		}
		if n == 0 {
			continue
		}
		limit := capUnsure
		if len(moments) > 1 {
			limit = noCap
		}
		return r.starvedFinding(p, last, n, lines, min(lockWaiterScale().Score(float64(n)), limit)), true
	}
	return casefile.Finding{}, false
}

func (r *Reading) starvedFinding(p connPool, set *stacks.Set, n int64, lines map[stacks.FrameID]int64, score int) casefile.Finding {
	total := float64(set.Total(stacks.ByValue(set.Value(set.Kind, "count"))))
	f := casefile.Finding{
		Title:      fmt.Sprintf("%s goroutines wait for a connection of %s, and nobody uses one: connections were not given back", count(float64(n)), p.what),
		Score:      score,
		Confidence: 0.85,
		Summary: fmt.Sprintf("%s goroutines wait for a connection of the pool of %s in each of %d captures, and no goroutine is seen that has one: "+
			"all that the pool may open are held by results, transactions or connections that were not closed.", count(float64(n)), p.what, len(r.moments())),
		Explanation: "A result that is not closed keeps its connection. When as many are held as the pool may open, everybody who needs one waits, far from the line that forgot. " +
			"No profile shows which line that was: it has long returned. It is among those that take a connection.",
		Evidence: basis(set),
		Impact: casefile.Impact{Resource: "latency", Share: roundShare(float64(n) / max(total, 1)), Text: fmt.Sprintf("%s of all goroutines wait for a connection", percent(float64(n)/max(total, 1))),
			Gain: casefile.Gain{Low: roundShare(float64(n) / max(total, 1)), High: roundShare(float64(n) / max(total, 1)), Arithmetic: "with the connections given back none of them would wait"}},
		Remedies: []casefile.Remedy{
			doChange("Close it", p.fix+".", "none"),
			doChange("Find the line with a linter", "sqlclosecheck and rowserrcheck (in golangci-lint) report rows and statements that are not closed on every path.", "a few false alarms"),
			doChange("Give each call a deadline", "A context with a timeout in Query and Begin: database/sql closes rows and transactions when it ends, and who waits gives up.", "slow answers are lost"),
		},
	}
	for _, e := range top(r.suspects(p, lines), 6) {
		role := "takes a connection"
		if lines[e.Key] > 0 {
			role = "takes a connection, and waits for one"
		}
		f.Where = append(f.Where, r.frame(e.Key, float64(lines[e.Key])/max(total, 1), role))
	}
	return f
}

// suspects are the lines that take a connection: those that wait, by how many do, and those that other evidence shows.
func (r *Reading) suspects(p connPool, lines map[stacks.FrameID]int64) []stacks.Entry[stacks.FrameID] {
	calls := r.funcs(func(f *stacks.Func) bool { return takesConnection(f.Name, p.library) })
	all := make(map[stacks.FrameID]int64, len(lines))
	for id, n := range lines {
		all[id] = n
	}
	least := int64(1)
	for _, e := range entries(lines) {
		least = max(least, e.Value/20+1)
	}
	for _, s := range r.sets {
		for i := range s.Samples {
			if id, hit := calls.belowUser(r.Table, s.Samples[i].Stack); hit && id != stacks.NoFrame && all[id] == 0 {
				all[id] = least
			}
		}
	}
	return entries(all)
}

// takesConnection reports whether a call hands out what holds a connection until it is closed.
func takesConnection(name, library string) bool {
	if !strings.HasPrefix(name, library) {
		return false
	}
	switch name[strings.LastIndexByte(name, '.')+1:] {
	case "Query", "QueryContext", "Begin", "BeginTx", "Conn", "Acquire", "Find", "Aggregate", "Watch", "StartSession", "Subscribe", "PSubscribe":
		return true
	}
	return false
}
