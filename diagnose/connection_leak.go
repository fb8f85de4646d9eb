package diagnose

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/vitals"
)

// connLeakScale is in connections that are held and not used. Ten at the same moment are not a coincidence of traffic;
// a thousand is the default limit of open files of a process on most Linux systems (1,024), and far above any pool.
func connLeakScale() Scale { return Scale{Worth: 10, Hurts: 1000, Top: 30_000} }

// A connKind is a goroutine of a library that lives as long as something of the user's is not closed.
type connKind struct {
	frame string      // the goroutine's function
	wait  stacks.Wait // a frame that shows that nobody uses it; WaitUnknown for any
	users []string    // frames of goroutines that properly use one each: they are subtracted
	grows bool        // a number alone says nothing: it must have grown
	what  string
	cure  string
	fix   string
}

func connKinds() []connKind {
	return []connKind{
		{known.HTTPReadLoop, stacks.WaitSelect, []string{known.HTTPClientBody, known.HTTPAnswer, known.HTTPBody}, false,
			"HTTP connections whose response body was neither read to its end nor closed", "Close each answer's body",
			"defer resp.Body.Close() right after the error check, on every path, even if only the status matters"},
		// A connection on which a request waits for its answer reads from the network as an idle one does.
		{known.HTTPReadLoop, stacks.WaitNetwork, []string{known.HTTPAnswer}, true,
			"idle HTTP connections that no client will use again", "Make one client and keep it",
			"make the http.Client and its Transport once: each Transport keeps its own (IdleConnTimeout is 0 except " +
				"in http.DefaultTransport). One client that calls ever more hosts needs an IdleConnTimeout"},
		{known.SQLRowsWatch, stacks.WaitUnknown, []string{known.SQLRows}, false, "results of queries (sql.Rows) that " +
			"were not closed", "Close the rows", "defer rows.Close() right after the error check, and check rows.Err()"},
		{known.SQLTxWatch, stacks.WaitUnknown, []string{known.SQLTx}, false, "transactions that were neither " +
			"committed nor rolled back", "End each transaction", "defer tx.Rollback() right after BeginTx"},
		{known.SQLOpener, stacks.WaitUnknown, nil, false, "database handles (sql.DB)", "Open each database once",
			"sql.Open once for each database, in a field or a map: a DB is a pool and safe for concurrent use"},
		{known.GRPCClientReader, stacks.WaitUnknown, nil, true, "gRPC client connections", "Make one client and keep it, " +
			"or close it", "make one grpc.ClientConn for each target and keep it, or Close it"},
	}
}

// httpWriter writes the requests of an HTTP connection, beside readLoop.
const httpWriter = known.HTTPWriteLoop

// connectionFrames are the goroutines that connectionLeak judges.
func connectionFrames() []string {
	out := []string{httpWriter}
	for _, k := range connKinds() {
		out = append(out, k.frame)
	}
	return out
}

func connectionLeak() Detector {
	return Detector{
		ID: "GO005", Kind: "connection-leak",
		Title: "Connections, results or transactions are not closed",
		Text: `Libraries start a goroutine for each object that the user must close: net/http's client and gRPC for a
connection, database/sql for a result, a transaction and a DB. Their number, minus those in use and the requests in
progress, is the number that nobody closed. Worth knowing from 10, hurting from 1,000, the default limit of open files.
Idle HTTP connections count only if they grow. Growth is scored by the number it adds in an hour, capped at 74 unless
two captures show it.

A pool counts as empty if 10 goroutines or more wait for a connection in the last captures, none uses or opens one, and
no request calls another service meanwhile: 10 and 100. A result without a goroutine stays open if open files rise in a
straight line and all is alive that one line took or made; and what finalizers close in a trace, ten or more, nobody
else does.`,
		Needs: needGoroutines(),
		Before: `// any other answer stays open
resp, err := client.Get(url); if resp.StatusCode == 200 { return decode(resp.Body) }`,
		After: `resp, err := client.Get(url); if err != nil { return err }; defer resp.Body.Close()`,
		Explains: append(related(nil, "mem-leak", "mem-stacks", "net-no-keepalive", "fd-limit"),
			Relation{Kind: "mem-off-heap", If: withoutPlace, Leads: true, Why: "what is not closed keeps memory outside of " +
				"Go's heap, too"}), Waits: knowsWho,
		Settles: []string{"mem-leak"}, NeedsPlace: true, Effect: "Connections and files pile up", Run: runConnectionLeak,
	}
}

func runConnectionLeak(_ context.Context, r *Reading) Answer {
	set := r.Goroutines()
	var out []casefile.Finding
	for _, k := range connKinds() {
		n := unusedConns(r, set, k)
		g := riseOver(r, func(s *stacks.Set) int64 { return unusedConns(r, s, k) })
		grows := g.significant && g.steadily
		stay := n >= g.after/2 // what nobody closes stays: of two counts at about the same time the lower holds
		if k.grows && !(grows && stay) || !k.grows && g.known() && (g.after < g.before/2 || len(k.users) == 0 && !grows) {
			continue // of handles a number that stands still is what the program has
		}
		score := connLeakScale().Score(float64(n) + k.hoursOpen(r, set))
		sure := grows && (!k.grows || g.captures > 2) // or traffic has risen
		if grows {
			score = max(score, min(connLeakScale().Score(float64(n)+g.perDay()/24), lookAheadCap))
		}
		if !sure {
			score = min(score, capUnsure)
		}
		if score >= worthKnowing {
			out = append(out, connFinding(r, set, k, n, g, score))
		}
	}
	if f, ok := starvedPool(r); ok {
		out = append(out, f)
	}
	if len(out) > 0 {
		return Answer{Findings: worst(out, 2)}
	}
	return firstFound(r, unclosedResults, closedByCollector)
}

// unusedConns counts a kind's goroutines minus those of its users. A request with an open result or transaction is not
// always inside the library: it may do anything between two rows.
func unusedConns(r *Reading, set *stacks.Set, k connKind) int64 {
	n, unused := set.Count(), int64(0)
	loop, users := r.Funcs(named(k.frame)), r.Funcs(named(k.users...))
	for i := range set.Samples {
		s, w := &set.Samples[i], set.Wait(i)
		switch {
		case loop.In(r.Table, s.Stack):
			// a text leaves out the runtime's frames: below the function of one that waits in a select is nothing
			selects := k.wait == stacks.WaitSelect && r.Table.Func(s.Stack[0]).Name == k.frame
			if k.wait == stacks.WaitUnknown || w == k.wait || selects && w == stacks.WaitUnknown {
				unused += n(s)
			}
		case users.In(r.Table, s.Stack), // or a request in flight, which may hold one that is in use
			strings.HasSuffix(k.frame, ".awaitDone") && serves(r.Table, s.Stack):
			unused -= n(s)
		}
	}
	return max(unused, 0)
}

// hoursOpen are the hours for which a dump shows results and transactions open, added up: no request works on one for
// as long, so that three that are open for a day count as much as seventy. HTTP connections may stream for days.
func (k connKind) hoursOpen(r *Reading, set *stacks.Set) (hours float64) {
	if set == nil || set.Goroutines == nil || k.grows || len(k.users) == 0 || k.wait != stacks.WaitUnknown {
		return 0
	}
	loop := r.Funcs(named(k.frame))
	for i, s := range set.Samples {
		if g := set.Goroutines[i]; g.Longest >= 60 && loop.In(r.Table, s.Stack) {
			hours += float64(g.Minutes) / 60
		}
	}
	return hours
}

// held is how many goroutines so many objects of a kind have: with each there may be others of the same package or
// module, which exist only together with it.
func (k connKind) held(r *Reading, n int64) int64 {
	for i := range r.Table.Funcs {
		if f := &r.Table.Funcs[i]; f.Name == k.frame {
			own, all := running(r, stacks.FuncID(i)), int64(0)
			for _, of := range companions(r, stacks.FuncID(i)) {
				all += last(running(r, of))
			}
			return n + all*n/max(last(own), 1)
		}
	}
	return n
}

func connFinding(r *Reading, set *stacks.Set, k connKind, n int64, g rise, score int) casefile.Finding {
	total := float64(set.Total(set.Count()))
	growth, files := "", ""
	if g.known() {
		growth = g.String()
	}
	if share, ok := r.Mean(vitals.OpenFilesShare); ok && share > 0.1 {
		files = fmt.Sprintf("the process has %s of its allowed files open", percent(share))
	}
	f := casefile.Finding{
		Title: fmt.Sprintf("%s %s stay open", count(n), k.what),
		Score: score, Confidence: 0.85,
		Summary: joined(fmt.Sprintf("%s goroutines in %s mean %s", count(n), short(k.frame), k.what), growth, files) + ".",
		Explanation: "Anything left open keeps its connection, its buffers (8 KiB and more), a goroutine or two and a file " +
			"descriptor, on both sides. When the pool or the limit of open files is reached, every request that needs one " +
			"waits or fails, far from the line that forgot to close.",
		Where:    connCallers(r, k),
		Evidence: Basis(set),
		Remedies: []casefile.Remedy{
			doChange(k.cure, k.fix+".", "none"),
			lintForRest(),
			setValue("Limits that fail early", "Transport.MaxConnsPerHost and IdleConnTimeout, DB.SetMaxOpenConns "+
				"and SetConnMaxIdleTime limit the damage and make the leak show up in tests.",
				"requests wait when the limit is reached"),
		},
	}
	if len(f.Where) == 0 {
		f.Where = placeIn(r, set, func(fn *stacks.Func) bool { return fn.Name == k.frame },
			"waits until it is closed; a heap profile shows which code opened it")
	} else {
		f.Title += fmt.Sprintf("; %s opens most", short(f.Where[0].Function))
		if by := calledAt(r, f.Where[0]); k.cure == connKinds()[0].cure && by != nil {
			f.Remedies[0] = closeOrUpgrade(f.Where[0], by)
		} else if !k.grows { // else there is nothing to close
			f.Remedies[0] = closeEachRound(r, f.Where[0], f.Remedies[0])
		}
	}
	if k.cure == connKinds()[0].cure {
		f.Remedies[0].Needs = casefile.NeedsBodyLeft
	}
	held := min(float64(k.held(r, n)), total)
	of := fmt.Sprintf("%s of %s goroutines", count(held), count(total))
	f.Impact = casefile.Impact{Resource: "goroutines", Share: roundShare(held / max(total, 1)),
		Text: fmt.Sprintf("%s connections or handles with %s", count(n), of),
		Gain: leakedGain(held/max(total, 1), of+" end when they are closed")}
	return f
}

// lintForRest is for the other lines that forget to close.
func lintForRest() casefile.Remedy {
	return doChange("Find the rest with a linter", "bodyclose, sqlclosecheck and rowserrcheck (in golangci-lint) report "+
		"paths that forget to close.", "a few false alarms")
}

// placeIn is a place in a set of a library's own function: the only name if no call of it shows.
func placeIn(r *Reading, set *stacks.Set, is func(*stacks.Func) bool, role string) []casefile.Frame {
	for _, s := range set.Samples {
		i := slices.IndexFunc(s.Stack, func(id stacks.FrameID) bool { return is(r.Table.Func(id)) })
		if i >= 0 {
			return []casefile.Frame{r.Frame(s.Stack[i], 0, role)}
		}
	}
	return nil
}

// connCallers are the user's lines that call the library, ordered by the memory that their calls still hold, or else by
// all they allocated, or else by where goroutines are.
func connCallers(r *Reading, k connKind) []casefile.Frame {
	prefixes := []string{known.HTTPClient, known.HTTPTransport}
	if strings.HasPrefix(k.frame, known.SQL) {
		prefixes = []string{known.SQL}
	} else if k.frame == known.GRPCClientReader {
		prefixes = []string{known.GRPC}
	}
	line := r.Funcs(named(prefixes...)).Line(r.Table)
	var frames []casefile.Frame
	add := func(set *stacks.Set, w stacks.Weight, role string) {
		es := stacks.SumBy(set, w, line)
		frames = addPlaces(frames, r.Frames(es, 2, stacks.SumOf(es), role)...)
	}
	if h := r.heap(); h != nil {
		add(h.set, stacks.ByValue(h.set.Value("inuse_space", "bytes")), "calls it, and its memory is still held")
		add(h.set, stacks.ByValue(h.set.Value("alloc_space", "bytes")), "calls it")
	}
	if v := r.cpu(); v != nil && len(frames) < 2 {
		add(v.set, v.weight, "calls it")
	}
	return slices.Clip(frames[:min(len(frames), 4)])
}

// A file or connection that nobody closes or refers to is closed by its finalizer. Open files rise then only from one
// collection to the next, and no object of them is alive in a heap profile. The trace shows who calls close.

// leastCollected is how many the collector must close in a trace: a few were forgotten on a rare path.
const leastCollected = 10

// An opener is a line of the user's that opens files or connections, itself or by goroutines that a library starts for
// it, as often as a trace shows.
type opener struct {
	at     traces.Frame
	opens  int64
	behind string // the module that opens for it; "" where the line does so itself
}

// closedByCollector finds what finalizers close, and who opens most of it.
func closedByCollector(r *Reading) (casefile.Finding, bool) {
	s, closed := r.Summary(), int64(0)
	closes := make(map[string]int64) // by the user's function that closes, or defers it
	for _, c := range s.Syscalls {
		if kernelCall(c.Stack) != "close" {
			continue
		}
		if at, ok := r.TracedLine(c.Stack); ok && r.IsUsers(at) {
			closes[at.Function] += c.Times.Count
		}
		if does(c.Stack, known.RunsFinalizers) {
			closed += c.Times.Count
		}
	}
	open := float64(closed)
	if files := signalOf(r, vitals.OpenFiles); len(files.values) > 0 {
		open = slices.Max(files.values) - slices.Min(files.values)
	}
	score := min(connLeakScale().Score(open), capUnsure)
	if closed < leastCollected || score < worthKnowing {
		return casefile.Finding{}, false
	}
	for _, o := range openers(r, s) {
		if 2*(o.opens-closes[o.at.Function]) >= closed {
			return collectedFinding(s, o, closed, score, traceBasis(r)), true
		}
	}
	return casefile.Finding{}, false
}

// openers are the lines that open, the most frequent first.
func openers(r *Reading, s *traces.Summary) []*opener {
	var out groups[traces.Frame, opener]
	for _, c := range s.Syscalls {
		if !does(c.Stack, known.OpensDescriptor, known.Dials) || kernelCall(c.Stack) == "close" {
			continue
		}
		at, ok := r.TracedLine(c.Stack)
		if !ok || !r.IsUsers(at) {
			at, ok = requestBehind(r, s, c.Stack[len(c.Stack)-1].Function, furthestBegun)
		}
		if !ok || !r.IsUsers(at) {
			continue
		}
		o, first := out.of(at)
		if first {
			o.at, o.behind = at, enteredModule(r, c.Stack)
		}
		o.opens = max(o.opens, c.Times.Count) // to open takes several system calls, each a site
	}
	sortFalling(out.all, func(o *opener) int64 { return o.opens })
	return out.all
}

// enteredModule is the module of the dependency that the user's line of a stack calls, or the outermost; "" without one.
func enteredModule(r *Reading, stack traces.Stack) (module string) {
	for _, f := range stack {
		if r.IsUsers(f) {
			break
		}
		module = cmp.Or(tracedModule(r, f), module)
	}
	return module
}

func collectedFinding(s *traces.Summary, o *opener, closed int64, score int, from []casefile.Basis) casefile.Finding {
	at := tracedPlace(o.at)
	cure := doChange("Close each on every path", fmt.Sprintf("At %s: defer Close of what is opened there right after the "+
		"error check; where the function returns it, whoever gets it closes it.", at), "none")
	if o.behind != "" {
		cure = doChange("Make the client once, or close each", fmt.Sprintf("What %s calls of %s opens connections as often "+
			"as requests come. If its client is made there, or below: make it once at start-up and keep it in a field; where "+
			"it must serve one request, defer its Close.", at, o.behind), "a client must be safe for concurrent use")
	}
	return casefile.Finding{
		Title: fmt.Sprintf("What is opened at %s is closed by the collector: %s in %s", at, count(closed), seconds(s.Span)),
		Score: score, Confidence: 0.85,
		Summary: fmt.Sprintf("In a trace of %s finalizers closed %s files and connections, and this line opened %s.",
			seconds(s.Span), count(closed), count(o.opens)),
		Explanation: "Nobody closes them, and nobody refers to them: they stay open until a collection finds that, as many " +
			"as come in between. With a larger heap or fewer collections that is the limit of open files.",
		Where: []casefile.Frame{tracedFrame(o.at, 0, "opens them")},
		Impact: casefile.Impact{Resource: "files",
			Text: count(float64(closed)/s.Span.Seconds()) + " a second, closed late"},
		Evidence: from,
		Remedies: []casefile.Remedy{cure},
	}
}

// withoutPlace fits if nothing shows where the other finding comes from.
func withoutPlace(_, other casefile.Finding) bool {
	return len(other.Where) > 0 && stacks.IsNameless(other.Where[0].Function)
}
