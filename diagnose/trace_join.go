package diagnose

import (
	"cmp"
	"slices"
	"time"

	"github.com/gocasebook/casebook/diagnose/traces"
)

// A joinedWait is where requests wait for goroutines that they have started; zero if nobody waits for these, as for what
// is left to go on behind the answer.
type joinedWait struct {
	traces.Wait               // the longest of these waits
	took        time.Duration // of all of them
	n           int64         // of such goroutines that are started where the longest is
	usual       time.Duration // what half of these live less than
}

// waits is how many requests wait there, and each for how long.
func (j *joinedWait) waits() int64        { return max(cmp.Or(j.Requests, j.Times.Count), 1) }
func (j *joinedWait) each() time.Duration { return j.Times.Total / time.Duration(j.waits()) }

// joinOf follows who is woken by goroutines of some functions, through others of the user's, to the requests.
func joinOf(r *Reading, s *traces.Summary, begun []string, hands int) (j joinedWait) {
	var others []string
	for _, w := range s.Blocking {
		i := slices.IndexFunc(w.Wakers, func(by traces.Waker) bool { return slices.Contains(begun, by.Goroutine) })
		_, ok := r.TracedLine(w.Stack)
		switch of := typeOf(w.Stack); {
		case i < 0 || !ok || slices.Contains(begun, of):
		case !servesTraced(w.Stack):
			others = append(others, of)
		default:
			if j.took += w.Wakers[i].Waited; w.Times.Total > j.Times.Total {
				j.Wait = w
			}
		}
	}
	if j.took == 0 && len(others) > 0 && hands > 0 {
		return joinOf(r, s, others, hands-1)
	}
	line, _ := r.TracedLine(j.Stack)
	for _, c := range s.Created {
		if at, ok := r.TracedLine(c.Stack); ok && at.Function == line.Function && slices.Contains(begun, c.Starts) {
			j.n, j.usual = j.n+c.Number, max(j.usual, c.Life.P50)
		}
	}
	return j
}

// callBetween is the call that requests make between two sleeps: each sleeps twice or more, and as often some call
// another service, at another line of the function in which they sleep, or that calls it; zero without one.
func callBetween(r *Reading, s *traces.Summary, sleep traces.Wait) (most tracedAsk) {
	if sleep.Requests == 0 || sleep.Times.Count < 2*sleep.Requests {
		return most
	}
	writes := tracedWrites(s)
	for _, w := range s.Blocking {
		n := w.Stack.Shares(sleep.Stack)
		if n == 0 || w.Stack[len(w.Stack)-n].Line == sleep.Stack[len(sleep.Stack)-n].Line {
			continue
		}
		a, asks := askAt(r, s, w, writes)
		if a.at = w.Stack[len(w.Stack)-n]; asks && a.own && !a.local && r.IsUsers(a.at) && 2*a.calls >= sleep.Times.Count &&
			a.calls > most.calls {
			most = a
		}
	}
	return most
}
