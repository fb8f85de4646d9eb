package diagnose

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
)

// A function that encodes a value and decodes it again to convert or copy it has two lines to change at once. Where the
// line that needs to decode is another function's, each of the two may cost less than that, and so may both together:
// but they can go, and that one cannot.

// roundTripLeast is the part of the most expensive function's cost that a round trip must have to come first.
const roundTripLeast = 0.5

// roundTripFirst puts the lines of such a function first, the most expensive of several.
func roundTripFirst(r *Reading, lines []*lineCost) []*lineCost {
	if len(lines) == 0 {
		return nil
	}
	c, cost := r.costs(), map[stacks.FuncID]float64{}
	for _, l := range lines {
		cost[r.Table.FuncID(l.line)] += c.weigh(l)
	}
	first := r.Table.FuncID(lines[0].line)
	best := first
	for _, l := range lines {
		fn := r.Table.FuncID(l.line)
		if cost[fn] >= roundTripLeast*cost[first] && (best == first || cost[fn] > cost[best]) && fn != best {
			if _, ok := roundTripIn(r, lines, fn); ok {
				best = fn
			}
		}
	}
	if best == first {
		return lines
	}
	var own, others []*lineCost
	for _, l := range lines {
		if r.Table.FuncID(l.line) == best {
			own = append(own, l)
		} else {
			others = append(others, l)
		}
	}
	return append(own, others...)
}

// roundTripIn is where a function encodes at a line above one that decodes, and keeps what it encoded for itself; false
// if it does not. A handler does it the other way round: it decodes what was asked, and encodes its answer.
func roundTripIn(r *Reading, lines []*lineCost, fn stacks.FuncID) (c codecLines, ok bool) {
	for _, l := range lines {
		if id, ok := l.topCall(); ok && r.Table.FuncID(l.line) == fn {
			c.add(r.Table.Func(id).Name, r.Table.Frames[l.line].Line)
		}
	}
	if v := r.cpu(); v != nil { // of a codec that no kind is of, a kind sees what is below its functions
		for i := range v.set.Samples {
			stack := v.set.Samples[i].Stack
			line, own := r.UserLine(&v.set.Samples[i])
			if at := slices.Index(stack, line); own && at > 0 && r.Table.FuncID(line) == fn {
				c.add(r.Table.Func(stack[at-1]).Name, r.Table.Frames[line].Line)
			}
		}
	}
	return c, c.encodes > 0 && c.decodes > c.encodes && !asksBetween(r, fn, c.encodes, c.decodes)
}

// titlePlace says where most of a cost is, for a title. A round trip that comes first need not have most of it: then
// its own part is said.
func titlePlace(r *Reading, lines []*lineCost) string {
	c, first, own := r.costs(), lines[0], 0.0
	most := first
	for _, l := range lines {
		if c.weigh(l) > c.weigh(most) {
			most = l
		}
		if r.Table.FuncID(l.line) == r.Table.FuncID(first.line) {
			own += c.weigh(l)
		}
	}
	if most == first {
		return ", most at " + r.Place(first.line)
	}
	return fmt.Sprintf(", %s at %s: it encodes and decodes again", percent(own), r.Place(first.line))
}

// straightOn is the remedy of a round trip in the function of the first line; false where it has none.
func straightOn(r *Reading, lines []*lineCost) (casefile.Remedy, bool) {
	c, ok := roundTripIn(r, lines, r.Table.FuncID(lines[0].line))
	if !ok {
		return casefile.Remedy{}, false
	}
	return doChange("Convert it without encoding", fmt.Sprintf("At %s: what is encoded at line %d seems to be decoded "+
		"again at line %d, and nobody else receives it in between. Decode the input once, straight into the type that is "+
		"wanted; keep a part whose type is not known yet as its bytes (json.RawMessage), and decode those when it is. "+
		"Copy or convert a value field by field.", r.Place(lines[0].line), c.encodes, c.decodes),
		"code that knows the types"), true
}

// decodeOnce is the remedy where one function of the user's, below a request, has two others decode, which it calls at
// two lines: a middleware and the handler behind it, a check and the work. What a router calls at one line are requests
// of two kinds. False where it is not so, or one of the two costs next to nothing.
func decodeOnce(r *Reading, lines []*lineCost) (casefile.Remedy, bool) {
	c := r.costs()
	if len(lines) < 2 || c.cpu == nil || decodesAgain*c.weigh(lines[1]) < c.weigh(lines[0]) {
		return casefile.Remedy{}, false
	}
	var at [2][]stacks.FrameID
	for i, l := range lines[:2] {
		id, ok := l.topCall()
		if !ok || !decodes(r.Table.Func(id).Name) {
			return casefile.Remedy{}, false
		}
		for k := range c.cpu.set.Samples {
			stack := c.cpu.set.Samples[k].Stack
			if n := slices.Index(stack, l.line); n >= 0 && serves(r.Table, stack) && len(stack) > len(at[i]) {
				at[i] = stack[n:]
			}
		}
	}
	if len(at[0]) == 0 || len(at[1]) == 0 {
		return casefile.Remedy{}, false
	}
	by, too, ok := callsBoth(r.Table, at[0], at[1])
	from, to := r.Table.Frames[by].Line, r.Table.Frames[too].Line
	if !ok || asksBetween(r, r.Table.FuncID(by), min(from, to), max(from, to)) {
		return casefile.Remedy{}, false // one of the two is somebody's answer
	}
	return doChange("Decode once, and pass the value on", fmt.Sprintf("%s and %s both decode for a request, called by %s: "+
		"if it is the same input, decode it once there, and give the value to both.", r.Place(lines[0].line),
		r.Place(lines[1].line), short(r.Table.Func(by).Name)), "none"), true
}

// decodesAgain is how many times what the second decoding costs the first may.
const decodesAgain = 4

func decodes(call string) bool {
	var c codecLines
	c.add(call, 1)
	return c.decodes > 0
}

// callsBoth is the user's function from which two stacks go different ways, at different lines of it; false where that
// is another's.
func callsBoth(t *stacks.Table, a, b []stacks.FrameID) (x, y stacks.FrameID, ok bool) {
	for i := 1; i <= min(len(a), len(b)); i++ {
		if x, y = a[len(a)-i], b[len(b)-i]; x != y {
			return x, y, t.FuncID(x) == t.FuncID(y) && t.Func(x).Owner == stacks.User
		}
	}
	return x, y, false
}

// codecLines are the first line of a function that encodes, and the last that decodes; 0 if none does.
type codecLines struct{ encodes, decodes int32 }

func (c *codecLines) add(call string, line int32) {
	name := short(call)
	switch {
	case strings.Contains(name, "Unmarshal") || strings.Contains(name, "Decode"):
		c.decodes = max(c.decodes, line)
	case strings.Contains(name, "Marshal") || strings.Contains(name, "Encode"):
		if c.encodes == 0 || line < c.encodes {
			c.encodes = line
		}
	}
}

// asksBetween reports whether a function talks to somebody else between two of its lines, these included: then what it
// encodes is a question, and what it decodes the answer. A request is often too cheap for a sample of the CPU profile;
// in a trace it shows because it waits for the answer.
func asksBetween(r *Reading, fn stacks.FuncID, from, to int32) bool {
	name := r.Table.Funcs[fn].Name
	if v := r.cpu(); v != nil {
		for i := range v.set.Samples {
			stack := v.set.Samples[i].Stack
			at := slices.IndexFunc(stack, func(id stacks.FrameID) bool {
				line := r.Table.Frames[id].Line
				return r.Table.FuncID(id) == fn && line >= from && line <= to
			})
			if at > 0 && r.Table.Has(stack[:at], func(f *stacks.Func) bool {
				return f.Does(known.OfConn, known.OfSocket) || f.Is(known.CallsOut)
			}) {
				return true
			}
		}
	}
	s, _ := r.Trace()
	return s != nil && slices.ContainsFunc(s.Blocking, func(w traces.Wait) bool {
		at := slices.IndexFunc(w.Stack, func(f traces.Frame) bool {
			return f.Function == name && f.Line >= int(from) && f.Line <= int(to)
		})
		return at > 0 && (does(w.Stack[:at], known.OfConn, known.OfSocket) || hasRole(w.Stack[:at], known.CallsOut))
	})
}
