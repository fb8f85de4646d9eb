package escape

import (
	"fmt"
	"strings"
)

// A sink is how a value gets away from the stack: the last thing of a flow that a person needs.
type sink struct {
	how  string // the compiler's word: "return", "call parameter", "assign", "send" …
	expr string // the code that does it
	at   Place
	into string // "{heap}", "~r0"
}

// sinkOf finds the end of a remark's flow. How a value is laid out in memory on the way (its address is taken, it is
// spilled, it is a part of something) is not what a person can change.
func sinkOf(r *remark) sink {
	if r == nil || len(r.Flow) == 0 {
		return sink{}
	}
	last := r.Flow[len(r.Flow)-1]
	s := sink{into: last.Into}
	for _, step := range last.Steps {
		switch step.Why {
		case "spill", "address-of", "dot", "dot of pointer", "indirection", "slice", "":
			if s.how == "" {
				s.at = step.At
			}
			continue
		}
		s.how, s.expr, s.at = step.Why, step.Expr, step.At
	}
	return s
}

// returned reports whether a value leaves its function as a result.
func (s sink) returned() bool { return strings.HasPrefix(s.into, "~r") || s.how == "return" }

// say is the sink as the end of a sentence that begins with the value: "is returned at x.go:12". The call is the one
// that the source has at the place, if it is known: the compiler's own words have temporaries in them.
func (s sink) say(call string, dynamic bool) string {
	at := ""
	if s.at.Line > 0 {
		at = " at " + s.at.Short()
	}
	switch {
	case s.how == "too large for stack":
		return "is too large for the stack"
	case s.how == "too aligned for stack":
		return "needs an alignment that the stack does not have"
	case s.how == "non-constant size":
		return "has a size that is not a constant"
	case s.how == "call parameter" && strings.HasPrefix(s.expr, "append("):
		return "is appended to a slice that escapes" + at
	case s.how == "call parameter" && strings.HasPrefix(s.expr, "panic("):
		return "is what panic is called with" + at
	case s.how == "call parameter" && dynamic:
		return fmt.Sprintf("is passed to %s%s, of which the compiler does not know what it keeps", orCall(call, s.expr), at)
	case s.how == "call parameter":
		return fmt.Sprintf("is passed to %s%s, which lets it escape", orCall(call, s.expr), at)
	case s.how == "send":
		channel, _, _ := strings.Cut(s.expr, " <- ")
		return fmt.Sprintf("is sent over the channel %s%s", shorten(channel, maxExpr), at)
	case s.how == "captured by a closure" || s.how == "reference":
		return "is captured by a function literal that escapes" + at
	case s.how == "key of map put" || s.how == "value of map put":
		return fmt.Sprintf("is put into a map%s", at)
	case s.how == "slice-literal-element" || s.how == "array literal element" || s.how == "struct literal element":
		return "is an element of something that escapes" + at
	case s.how == "interface-converted":
		return "becomes an interface that escapes" + at
	case s.how == "callee operand":
		return "is called where the compiler does not know it" + at
	case s.returned():
		return "is returned" + at
	case s.how == "assign" || s.how == "assign-pair" || s.how == "reassigned":
		if into, _, ok := strings.Cut(s.expr, " = "); ok && !isTemporary(into) {
			return fmt.Sprintf("is stored in %s%s", shorten(into, maxExpr), at)
		}
		return "is stored" + at
	case s.how != "":
		return fmt.Sprintf("escapes (%s)%s", s.how, at)
	}
	return "escapes"
}

func orCall(call, expr string) string {
	if call != "" {
		return call
	}
	return shorten(function(expr), maxExpr)
}

// function is what a call calls, in the compiler's words: "(*sync.Mutex).lockSlow" of "(*sync.Mutex).lockSlow(m)".
func function(call string) string {
	if !strings.HasSuffix(call, ")") {
		return call
	}
	open := 0
	for i := len(call) - 1; i > 0; i-- {
		switch call[i] {
		case ')':
			open++
		case '(':
			if open--; open == 0 {
				return call[:i]
			}
		}
	}
	return call
}

// isTemporary reports whether a name is one that the compiler made.
func isTemporary(name string) bool {
	return strings.HasPrefix(name, "~") || strings.Contains(name, "autotmp") || strings.HasPrefix(name, "{")
}

// steps are the whole flow as lines of text.
func (r *remark) steps() (out []string) {
	for _, f := range r.Flow {
		out = append(out, f.From+" flows into "+f.Into)
		for _, s := range f.Steps {
			out = append(out, fmt.Sprintf("  %s: %s (%s)", s.At.Short(), s.Expr, s.Why))
		}
	}
	return out
}
