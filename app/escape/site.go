package escape

import (
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/heat"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A frame is a line of a function on a stack that allocates.
type frame struct {
	function, pkg string
	file          string // as the build recorded it
	line, start   int    // start is where the function begins; 0 where the profile does not say
	owner         stacks.Owner
}

// A site is a stack that allocates, from the line that does it outward. The runtime's own frames are left out.
type site struct {
	stack   []frame
	runtime string // the runtime's function that the line called, where the profile has it
	bytes   float64
	objects float64
}

// mean is how large its objects are.
func (s *site) mean() float64 {
	if s.objects <= 0 {
		return 0
	}
	return s.bytes / s.objects
}

// sites are all stacks that allocate.
func sites(m *heat.Map) (out []site) {
	bytes, objects := m.Total(heat.AllocBytes).Value, m.Total(heat.AllocObjects).Value
	t := m.Table()
	for _, s := range m.Stacks(heat.AllocBytes) {
		one := site{bytes: s.Cost[heat.AllocBytes] * bytes, objects: s.Cost[heat.AllocObjects] * objects}
		for _, id := range s.Frames {
			one.stack = append(one.stack, frameOf(t, id))
		}
		one.trim()
		out = append(out, one)
	}
	return out
}

// trim takes off the frames of the runtime at the leaf, and notes which function of it the line called. A stack that is
// all the runtime's keeps the frame that says most.
func (s *site) trim() {
	n := slices.IndexFunc(s.stack, func(f frame) bool { return f.owner != stacks.Runtime && !standsIn(f) })
	switch {
	case n > 0:
		s.runtime, s.stack = s.stack[n-1].function, s.stack[n:]
	case n < 0:
		best := slices.IndexFunc(s.stack, func(f frame) bool { return !standInOf(f.function).general() })
		f := s.stack[max(best, 0)]
		s.runtime, s.stack = f.function, []frame{f}
	}
}

func frameOf(t *stacks.Table, id stacks.FrameID) frame {
	f := t.Func(id)
	return frame{function: f.Name, pkg: f.Package, file: f.File, line: t.Line(id), start: int(f.Start), owner: f.Owner}
}

// standsIn reports whether a function of another package is the runtime's, by go:linkname: reflect.unsafe_New is in
// runtime/malloc.go.
func standsIn(f frame) bool {
	dir := strings.ReplaceAll(f.file, `\`, "/")
	dir = dir[:max(strings.LastIndexByte(dir, '/'), 0)]
	return f.owner == stacks.Std && f.pkg != "runtime" && (dir == "runtime" || strings.HasSuffix(dir, "/src/runtime"))
}

// A standIn is a function of the runtime that allocates for a line which does not look like it.
type standIn struct {
	prefix string
	kind   Kind
	what   string
	change string
}

// general reports whether nothing is known of a function but that it is the runtime's.
func (s standIn) general() bool {
	return s.prefix == "runtime." || s.prefix == "internal/runtime/" || s.prefix == ""
}

// standIns are what the runtime makes for its callers. The first whose prefix a function's name has counts.
func standIns() []standIn {
	return []standIn{
		{"internal/bytealg.MakeNoZero", Make, "a buffer", ""},
		{"reflect.", Reflection, "a value that reflection makes", ""},
		{"sync.runtime_", Wait, "what the runtime keeps of a goroutine that waits for a lock",
			"It is made once for each goroutine that waits at the same time: less waiting needs less of it."},
		{"internal/sync.runtime_", Wait, "what the runtime keeps of a goroutine that waits for a lock",
			"It is made once for each goroutine that waits at the same time: less waiting needs less of it."},
		{"time.newTimer", Runtime, "a timer", "Make the timer once, and Reset it."},
		{"maps.clone", Runtime, "a copy of a map", "Copy the map only when it is changed."},
		{"internal/poll.runtime_", Runtime, "what the poller keeps of a connection", ""},
		{"runtime.malg", Go, "a goroutine", "Start fewer goroutines at a time: the runtime keeps those that end and uses " +
			"them again, so these were the most at once."},
		{"runtime.newproc", Go, "a goroutine", ""},
		{"runtime.allocm", Runtime, "a thread", ""},
		{"runtime.acquireSudog", Wait, "what the runtime keeps of a goroutine that waits for a channel", ""},
		{"runtime.doInit", Runtime, "a package's variables, at the start", ""},
		{"runtime.", Runtime, "something of the runtime's own", ""},
		{"internal/runtime/", Runtime, "something of the runtime's own", ""},
		{"", Runtime, "something that the runtime makes for it", ""},
	}
}

func standInOf(function string) standIn {
	all := standIns()
	for _, s := range all {
		if strings.HasPrefix(function, s.prefix) {
			return s
		}
	}
	return all[len(all)-1]
}
