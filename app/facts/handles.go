package facts

import "github.com/gocasebook/casebook/diagnose/hold"

// mostHandles is how many calls are facts that keep something for their user.
const mostHandles = 3

// addHandles adds calls of libraries that keep something for their user until that gives it back: a file, a connection,
// memory outside of the heap. On the heap little of it shows.
func (b *builder) addHandles() {
	if b.heap == nil || b.handleHarm() < leastHandle {
		return
	}
	handles := b.begunChain().Handles(b.heap, "")
	for _, h := range handles[:min(len(handles), mostHandles)] {
		b.addHandle(&h)
	}
}

// addHandle adds one.
func (b *builder) addHandle(h *hold.Handle) {
	calls := shortName(b.r.Table.Func(h.Calls).Name)
	var t text
	t.say("What %s gave its caller at %s is most likely still there: %s alive of %s ever made below that call", calls,
		b.place(h.Line), things(int64(h.Kept.Now.Objects), "objects"), count("objects made", h.Kept.Made.Objects))
	t.say("; who has it ends it")
	t.end()
	d := b.add(Hold, &t, b.handleHarm())
	s := b.stack(b.heaviest(&h.Kept)[0].Stack, 1)
	d.Stacks = []Stack{s}
}

// handleHarm is what things that are not given back can explain: descriptors that become more, memory outside of Go.
func (b *builder) handleHarm() float64 {
	outside := 0.0
	if p := b.report.Picture; p != nil && p.Memory != nil && p.Memory.Total > 0 {
		outside = share(anonymous(p.Memory) / float64(p.Memory.Total))
	}
	return max(b.weight.files*handlePart, b.weight.memory*outside*handlePart)
}

// leastHandle is the harm below which what stays is what programs keep: entries of a cache, a tree.
const leastHandle = 0.2

// handlePart is how sure it is that what is alive below a call was not given back.
const handlePart = 0.7
