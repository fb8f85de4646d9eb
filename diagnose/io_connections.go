package diagnose

import (
	"cmp"
	"fmt"
	"math"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/internal/number"
)

// Limits of what is a piece. A segment on the wire carries about 1,400 bytes.
const (
	smallPiece  = 256     // bytes a write moves on average: a field or a line
	largePiece  = 2 << 10 // no piece any more
	tinyRead    = 4       // bytes: no message is so short, not even if each second call finds nothing to read
	shortRead   = 16      // a number or two
	fewPieces   = 4       // of a message: a head and a body, each written by itself, are no fault
	manyPieces  = 8
	somePlaces  = 2.5 // three of one function that write in turn, about equally often
	innerPlaces = 3.5 // four of a library, below one call of the user's
	muchCPU     = 0.4 // from which a doubt is worth reading

	// busyPeer is how many writes a second a connection gets that are no messages of their own, where nothing is read
	// between them: two within a millisecond can go out together, and whoever reads them does not notice.
	busyPeer = 2000
)

// connectionText is the part of io-small's text that is about connections.
const connectionText = `Of connections (net.Conn, TLS) a call is a fault only where it moves a piece of a message,
written or read: a service that answers with few bytes, a broker or a chat writes as often, and must. So a function is
named where its calls to a connection, with no buffer between or with a Flush after each piece, take 10 % of the CPU,
and where the pieces show:

- it writes four times or more for each answer of the server whose request it works on (net/http, fasthttp, gRPC),
  by what writing takes; or the process writes four times or more for each time that it reads, by the kernel's
  counts (the signals write_calls and read_calls) and by what both take;
- and it writes from three places or more, or the kernel's counts say that a call moves 256 bytes or fewer and the
  process has fewer connections than would explain it; where nothing that comes in explains the writes, an execution
  trace tells: the goroutines write eight times or more for each connection between two of their waits;
- or each connection gets 2,000 small writes a second or more, and hardly anything is read between them: even if each
  is a message, several can go out together within a millisecond;
- or four places of a library write below one line of the user's, or a protocol of apache/thrift does without a
  buffer: then the library writes in pieces;
- reads that move 4 bytes or fewer on average, or 16 from three places, are pieces of a message, too.

Calls that each wait for an answer are net-round-trips. Large pieces are none (2 KiB on average), nor are streams
that are copied, full buffers, and datagrams sent with WriteTo. Without the kernel's counts (another machine,
another user's process) one place that writes in a loop looks like one that writes a message a call: then nothing is
said, or, from 40 % of the CPU, what would tell.`

// A verdict says whether calls move pieces of messages.
type verdict struct {
	pieces bool
	sure   bool   // counted, and not only deduced
	why    string // what shows it
	doubt  string // why it cannot be told
	next   string // the capture that tells; "" for countCalls
}

// ioConnections judges the reads and writes of connections.
func ioConnections(r *Reading) Answer {
	v := r.cpu()
	if v == nil || v.level.idle() || v.samples < minCPUSamples {
		return Answer{}
	}
	tr := newTraffic(r, v)
	var worst *pieces
	var found verdict
	var out Answer
	for _, write := range [...]bool{true, false} {
		p := tr.piecesOf(r.Table, write)
		if p == nil || p.ticks < minCostTicks {
			continue
		}
		switch d := p.judge(r); {
		case d.pieces && (worst == nil || p.ns > worst.ns):
			worst, found = p, d
		case d.doubt != "" && p.share() >= muchCPU:
			out.Undecided = append(out.Undecided, casefile.Undecided{Reason: d.doubt,
				CaptureNext: cmp.Or(d.next, countCalls)})
		}
	}
	if worst == nil {
		return out
	}
	if f, ok := worst.finding(r, found); ok {
		return Answer{Findings: []casefile.Finding{f}}
	}
	return Answer{}
}

// countCalls shows how many calls there are, and how long they are.
const countCalls = "strace -f -e trace=write,read -p PID for a second"

func (p *pieces) judge(r *Reading) verdict {
	switch inside := p.places(r.Table, true); {
	case p.large():
		return verdict{}
	case 2*p.thrift > p.ns:
		return verdict{pieces: true, sure: p.size() > 0,
			why: "Thrift's protocols " + p.verb() + " each field by itself, and there is no buffer " +
				"below them" + p.counted()}
	case p.own && 2*p.foreign > p.ns && inside >= innerPlaces:
		size := p.size()
		return verdict{pieces: size == 0 || size <= smallPiece, sure: size > 0,
			why: fmt.Sprintf("%.0f places below one call of it %s%s", inside, p.verb(), p.counted())}
	case !p.write:
		return p.judgeReads(r)
	case p.answered():
		return verdict{}
	}
	return p.judgeWrites(r)
}

// answered reports whether an answer is read for each write, or for each few.
func (p *pieces) answered() bool { return 10*p.back > p.ns }

func (p *pieces) judgeWrites(r *Reading) verdict {
	places, times := p.places(r.Table, false), p.perRequest()
	why := fmt.Sprintf("they take %s times what the server's own answers take", count(math.Round(times)))
	if times == 0 {
		times = p.perCause()
		why = fmt.Sprintf("the process writes %s times for each time that it reads", count(math.Round(times)))
	}
	if times < fewPieces || 2*p.foreign > p.ns && places < innerPlaces {
		return verdict{}
	}
	size := p.size()
	small := size > 0 && size <= smallPiece
	if !p.own {
		return verdict{pieces: places >= innerPlaces && small, sure: true,
			why: fmt.Sprintf("%s, from some %.0f places%s",
				why, places, p.counted())}
	}
	if places >= somePlaces && (small || size == 0) {
		return verdict{pieces: true, sure: small,
			why: fmt.Sprintf("%s, from some %.0f places%s", why, places, p.counted())}
	}
	switch c := p.audience(r); {
	case 2*p.foreign > p.ns:
		return verdict{} // one call of a library, one message
	case small && c.known && !c.explains(p, times):
		return verdict{pieces: true, sure: times >= manyPieces, why: why + p.counted()}
	case small && c.known && !c.caused(p) && p.perRound(r) >= manyPieces*max(c.peers, 1):
		return verdict{pieces: true, sure: true, why: fmt.Sprintf("the goroutines that call it write %s times "+
			"between two waits, and there are some %s connections", count(p.perRound(r)),
			count(math.Round(c.peers))) + p.counted()}
	case small && c.known && p.counts.writes >= busyPeer*max(c.peers, 1):
		return verdict{pieces: true, sure: true, why: fmt.Sprintf("%s, some %s times a second to each of %s "+
			"connections at most", why, count(p.counts.writes/max(c.peers, 1)), count(math.Round(c.peers))) + p.counted()}
	case small:
		return verdict{doubt: fmt.Sprintf("%s of the CPU is in writes below %s%s, but there may be %s connections, "+
			"and each may get one of them",
			percent(p.share()), funcName(r, p.fn), p.counted(), count(c.peers)), next: captureTrace}
	case size > 0:
		return verdict{}
	}
	return verdict{doubt: fmt.Sprintf("%s of the CPU is in writes to connections below %s; whether they are small is "+
		"not known without write_calls and write_rate",
		percent(p.share()), funcName(r, p.fn))}
}

func (p *pieces) judgeReads(r *Reading) verdict {
	times := p.perCause()
	if times < fewPieces {
		return verdict{}
	}
	why := fmt.Sprintf("the process reads %.0f times for each time that it writes", times) + p.counted()
	places := p.places(r.Table, false)
	switch size := p.size(); {
	case size > 0 && size <= tinyRead, size > 0 && size <= shortRead && places >= somePlaces:
		return verdict{pieces: true, sure: true, why: why}
	case size > 0 || !p.own:
		return verdict{}
	case places >= somePlaces && 2*p.foreign <= p.ns:
		return verdict{pieces: true, why: why}
	}
	return verdict{doubt: fmt.Sprintf("%s of the CPU is in reads from connections below %s; whether they are small is "+
		"not known without read_calls and read_rate",
		percent(p.share()), funcName(r, p.fn))}
}

func funcName(r *Reading, fn stacks.FuncID) string { return short(r.Table.Funcs[fn].Name) }

func (p *pieces) verb() string {
	if p.write {
		return "write"
	}
	return "read"
}

// counted quotes the kernel's counts, where they tell of these calls.
func (p *pieces) counted() string {
	size := p.size()
	if size == 0 {
		return ""
	}
	calls, mean := p.counts.reads, p.counts.readSize
	if p.write {
		calls, mean = p.counts.writes, p.counts.writeSize
	}
	return fmt.Sprintf("; the kernel counted %s %ss of the process a second, of %.1f bytes on average", count(calls),
		p.verb(), mean)
}

// finding describes the pieces; false where they cost too little.
func (p *pieces) finding(r *Reading, d verdict) (casefile.Finding, bool) {
	share := p.share()
	limit := p.v.level.wasteCap(ioScale().Score(share))
	if !d.sure || !p.v.level.saturated() {
		limit = min(limit, capUnsure)
	}
	score := min(ioScale().Score(share), limit)
	line, ok := heaviest(p.lines)
	if score < worthKnowing || !ok {
		return casefile.Finding{}, false
	}
	where := p.where(r, line)
	at := frameText(where[0])
	low, high := min(share*ioGain[0], mostSaved), min(share*ioGain[1], mostSaved)
	return casefile.Finding{
		Title: fmt.Sprintf("Messages are %s in small pieces, a system call each, which takes %s of the CPU, most at %s",
			p.done(), percent(share), at),
		Score: score, Confidence: Confidence(share, p.v.samples),
		Summary: fmt.Sprintf("The calls of %s that %s a connection take %s of the CPU, %s of it "+
			"in system calls; %s; %s.",
			funcName(r, p.fn), p.verb()+p.preposition(), percent(share), percent(p.kernel/max(p.v.total, 1)),
			d.why, p.v.level),
		Explanation: "Each call on a connection is a system call, 0.5–10 µs whatever it moves, and on a network " +
			"perhaps a packet; over TLS also a record, 22 bytes or more and its encryption. A buffer gathers the " +
			"pieces of a message and makes one call of them. How many calls there are is deduced from what they take " +
			"where it is not counted; " + countCalls + " shows them.",
		Where: where,
		Impact: onCPU(share, saves(low, high, fmt.Sprintf("%s of the CPU in the calls; %s, %.0f–%.0f %% of it: %s",
			percent(share), ioGainWhy, 100*ioGain[0], 100*ioGain[1], number.Estimate(low, high)))),
		Evidence: Basis(p.v.set),
		Remedies: remediesAt(at, p.remedies(r.Table)...),
	}, true
}

// piecesMentioned fits where the own finding is of pieces, and the other names its function.
func piecesMentioned(own, other casefile.Finding) bool {
	return len(own.Where) > 0 && own.Where[0].Part == piecesPart && Mentioned(own, other)
}

func (p *pieces) done() string {
	if p.write {
		return "written"
	}
	return "read"
}

func (p *pieces) preposition() string {
	if p.write {
		return " to"
	}
	return " from"
}

// where names the user's line that chose the connection, where a profile shows it, then the lines that use it, and the
// library's function that does.
func (p *pieces) where(r *Reading, line stacks.FrameID) []casefile.Frame {
	var out []casefile.Frame
	maker, foreign := heaviest(p.makers)
	if foreign = foreign && 2*p.foreign > p.ns; foreign {
		if id, ok := chosen(r, r.Table.Func(maker).Package); ok {
			out = append(out, r.Frame(id, p.share(), "chooses the transport"))
		}
	}
	for _, e := range top(weights(p.lines), 3) {
		if p.lines[e.Key]*20 >= p.lines[line] {
			out = append(out, as(piecesPart, r.Frame(e.Key, p.lines[e.Key]/p.v.total, p.verb()+"s a piece a call")))
		}
	}
	if foreign && maker != line {
		out = append(out, r.Frame(maker, p.makers[maker]/p.v.total, "makes the call, in a dependency"))
	}
	if !p.own {
		out = append(out, waysTo(r, p.fn, line)...)
	}
	return out
}

// weights are the entries of a map of nanoseconds.
func weights(m map[stacks.FrameID]float64) []stacks.Entry[stacks.FrameID] {
	whole := make(map[stacks.FrameID]int64, len(m))
	for id, w := range m {
		whole[id] = int64(w)
	}
	return entries(whole)
}
