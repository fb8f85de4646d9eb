package diagnose

import (
	"fmt"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// fdMost is the part of all goroutines that those at one place must be, and of what is open that all must be, for the
// rest not to matter. The profile may be of another moment than the last sample.
const fdMost = 0.5

// A fdHolding is who has descriptors, as far as the evidence tells.
type fdHolding struct {
	part   float64 // of the goroutines, which wait for a connection each; 0 where what is open shows in none
	what   string  // "connections to the HTTP server that are idle between requests"
	client bool    // the process dialled
	where  []casefile.Frame
}

// fdHolder looks for goroutines that wait for the network, and else for lines that open.
func fdHolder(r *Reading, u *fdUse) (h fdHolding) {
	set := r.Goroutines()
	if set == nil || u.goroutines < fdMost*u.open {
		return fdHolding{where: openingLines(r)}
	}
	all := float64(set.Total(set.Count()))
	for _, p := range r.Piles(set) {
		what, library := idleConnection(r.Table, p)
		client := library && r.Table.Has(p.Stack, withWork(known.ReadsForHTTP))
		part := float64(p.N) / all
		if client {
			part = min(2*part, 1) // another goroutine of each writes
		}
		if p.Wait != stacks.WaitNetwork && !client || part < fdMost {
			continue
		}
		h = fdHolding{part: part, what: what, client: client}
		switch {
		case client:
			h.where = connCallers(r, connKinds()[0])
		case !library:
			h.what = "connections, each with a goroutine"
		}
		if len(h.where) == 0 {
			h.where = []casefile.Frame{r.Frame(p.At, h.part, "waits for its connection (share of the goroutines)")}
		}
		return h
	}
	return fdHolding{where: openingLines(r)}
}

// openingLines are the user's lines that call them: by what the calls allocated since the start, and else by CPU.
func openingLines(r *Reading) []casefile.Frame {
	line := r.Funcs(withWork(known.OpensDescriptor)).Line(r.Table)
	var es []stacks.Entry[stacks.FrameID]
	if h := r.heap(); h != nil {
		es = stacks.SumBy(h.set, stacks.ByValue(h.set.Value("alloc_space", "bytes")), line)
	}
	if v := r.cpu(); v != nil && len(es) == 0 {
		es = stacks.SumBy(v.set, v.weight, line)
	}
	return r.Frames(es, 2, stacks.SumOf(es), "opens files or connections (share of what that costs)")
}

// inTitle names the first place.
func (h *fdHolding) inTitle() string {
	if len(h.where) == 0 {
		return ""
	}
	verb := "opens some"
	if h.part > 0 {
		verb = "has most"
	}
	return fmt.Sprintf("; %s %s", short(h.where[0].Function), verb)
}

func (h *fdHolding) text() string {
	if h.part == 0 {
		return "no goroutine waits for most of them: files, processes, or connections that are kept"
	}
	return fmt.Sprintf("%s of the goroutines wait for one each: %s", percent(h.part), h.what)
}

// remedies close what is not used where the number grows or the process dialled; otherwise the limit is what is wrong.
func (h *fdHolding) remedies(u *fdUse) []casefile.Remedy {
	place := "what opens them"
	if len(h.where) > 0 {
		w := h.where[0]
		place = placeText(w.Function, w.File, w.Line)
	}
	raise := raiseFiles(powerAbove(4 * u.open))
	switch {
	case h.part > 0 && !h.client && u.perSecond == 0:
		return remediesAt(place, raise, endIdle())
	case h.part > 0 && !h.client:
		return remediesAt(place, endIdle(), raise)
	}
	return remediesAt(place, closeFiles(), raise)
}

// fdRemedies are all, as the detector's documentation lists them.
func fdRemedies() []Remedy { return []Remedy{closeFiles(), endIdle(), raiseFiles(65536)} }

func closeFiles() Remedy {
	return byChange("", "Close what is opened, or keep a few", "At {line}: defer Close where it is used once, "+
		"Wait for each process that was started, and an LRU whose eviction closes for what is used again. "+
		"ls -l /proc/PID/fd says what is open.", "what was closed is opened again when it is needed")
}

func endIdle() Remedy {
	return byChange("", "End connections that say nothing", "For {line}: http.Server.IdleTimeout (without it and "+
		"ReadTimeout, idle connections stay until the client ends them), and SetReadDeadline with a ping for "+
		"connections of your own protocol; golang.org/x/net/netutil.LimitListener keeps room for the rest.",
		"clients connect again")
}

func raiseFiles(n int) Remedy {
	return byValue("", fmt.Sprintf("Raise the limit to %d", n), fmt.Sprintf("LimitNOFILE=%d in systemd, --ulimit "+
		"nofile=%d in Docker: four times what is open. Go sets its soft limit to the hard one when it starts.", n, n),
		strings.Join([]string{"memory: a goroutine and a buffer for each connection", "a leak is noticed later"}, "; "))
}
