package report

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/binary"
	"html/template"
	"io"
	"slices"
	"strconv"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/app/sourceurl"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/vitals"
)

// The sides of a growth.
const (
	sideNow = iota
	sideBase
)

// Bounds of the page's tables; what lies beyond them is counted.
const (
	maxGoroutineRows = 200
	maxCreators      = 60
	maxShownFrames   = 100
	maxLabels        = 50
)

// A goroutineRow is the goroutines with one stack, state and creator.
type goroutineRow struct {
	Place   place // the user's line, or else the goroutine's own function
	Count   string
	Share   string
	Change  string // since the base
	Grew    bool
	State   string
	Waited  string // how long, of a dump
	Creator *place
	Stack   []place
	Deeper  int // frames that are left out
}

// A creatorRow is a line that starts goroutines; without a dump, the function that they run.
type creatorRow struct {
	place
	Count, Change, Longest string
	Grew                   bool

	now, before, longest int64
}

// A group is what is counted of one stack, state and creator.
type group struct {
	stack                     []stacks.FrameID
	creator                   stacks.FrameID
	state                     string
	n                         [2]int64
	minutes, waiting, longest int64
}

// A tally counts the goroutines of one or two sets of the same table.
type tally struct {
	table  *stacks.Table
	links  *sourceurl.Links
	groups map[string]*group
	all    [2]int64
	dump   bool
	based  bool
}

func newTally(table *stacks.Table, links *sourceurl.Links) *tally {
	return &tally{table: table, links: links, groups: make(map[string]*group)}
}

// add counts a set. Goroutines that wait for different locks at the same line are one group.
func (t *tally) add(set *stacks.Set, side int) {
	t.dump, t.based = t.dump || set.Goroutines != nil, t.based || side == sideBase
	value := stacks.ByValue(set.Value(set.Kind, "count"))
	var key []byte
	for i := range set.Samples {
		n := value(&set.Samples[i])
		if n <= 0 {
			continue
		}
		g := group{stack: set.Samples[i].Stack, creator: stacks.NoFrame, state: set.Wait(i).String()}
		if set.Goroutines != nil {
			g.creator, g.state = set.Goroutines[i].CreatedBy, set.Goroutines[i].State
		}
		key = key[:0]
		for _, id := range g.stack {
			key = binary.LittleEndian.AppendUint32(key, uint32(id))
		}
		key = append(binary.LittleEndian.AppendUint32(key, uint32(g.creator)), g.state...)
		at := t.groups[string(key)]
		if at == nil {
			at = &g
			t.groups[string(key)] = at
		}
		at.n[side], t.all[side] = plus(at.n[side], n), plus(t.all[side], n)
		if set.Goroutines != nil && side == sideNow {
			w := set.Goroutines[i]
			at.minutes, at.waiting, at.longest = plus(at.minutes, w.Minutes), plus(at.waiting, w.Waiting),
				max(at.longest, w.Longest)
		}
	}
}

// fill makes the page's tables of what was counted.
func (p *goroutinesPage) fill(t *tally) {
	p.Total = count(float64(t.all[sideNow]))
	if t.based {
		p.Change = signed(float64(t.all[sideNow]-t.all[sideBase]), vitals.Count)
	}
	groups := make([]*group, 0, len(t.groups))
	for _, g := range t.groups {
		groups = append(groups, g)
	}
	slices.SortFunc(groups, func(a, b *group) int {
		grown := cmp.Compare(b.n[sideNow]-b.n[sideBase], a.n[sideNow]-a.n[sideBase])
		if !t.based {
			grown = 0
		}
		return cmp.Or(grown, cmp.Compare(b.n[sideNow], a.n[sideNow]), cmp.Compare(a.state, b.state),
			cmp.Compare(a.creator, b.creator), slices.Compare(a.stack, b.stack))
	})
	for _, g := range groups[:min(len(groups), maxGoroutineRows)] {
		p.Rows = append(p.Rows, t.row(g))
	}
	if left := len(groups) - maxGoroutineRows; left > 0 {
		p.More = count(float64(left)) + " more stacks are in the file."
	}
	p.States, p.Creators = t.states(), t.creators()
}

func (t *tally) row(g *group) goroutineRow {
	at, depth := t.table.UserFrame(g.stack)
	if depth < 0 {
		at = t.root(g.stack)
	}
	r := goroutineRow{Place: t.place(at), Count: count(float64(g.now())), State: g.state,
		Share: percent(float64(g.now()) / float64(max(t.all[sideNow], 1)))}
	if t.based {
		grown := g.now() - g.n[sideBase]
		r.Change, r.Grew = signed(float64(grown), vitals.Count), grown > 0
	}
	if g.waiting > 0 {
		r.Waited = number.Things(g.longest, "minute")
		if g.now() > 1 {
			r.Waited = count(float64(g.waiting)) + " for a minute or more, " + r.Waited + " at most"
		}
	}
	if g.creator != stacks.NoFrame {
		c := t.place(g.creator)
		r.Creator = &c
	}
	for _, id := range g.stack[:min(len(g.stack), maxShownFrames)] {
		r.Stack = append(r.Stack, t.place(id))
	}
	r.Deeper = len(g.stack) - len(r.Stack)
	return r
}

func (g *group) now() int64 { return g.n[sideNow] }

// root is the function that a goroutine was started with: the outermost frame that is not the runtime's.
func (t *tally) root(stack []stacks.FrameID) stacks.FrameID {
	for _, id := range slices.Backward(stack) {
		if t.table.Func(id).Owner != stacks.Runtime {
			return id
		}
	}
	if len(stack) == 0 {
		return stacks.NoFrame
	}
	return stack[len(stack)-1]
}

func (t *tally) place(id stacks.FrameID) place {
	if id == stacks.NoFrame {
		return place{Symbol: symbol{Name: "(no stack)"}, Mark: -1}
	}
	f, line := t.table.Func(id), t.table.Line(id)
	name := f.Name[:min(len(f.Name), maxName)]
	return place{Frame: casefile.Frame{Function: name, File: f.File, Line: line}, Symbol: splitSymbol(name), Mark: -1,
		URL: template.URL(t.links.URL(f.Name, f.File, line))}
}

// states counts by state, the most frequent first.
func (t *tally) states() (out []countRow) {
	by := make(map[string]int64)
	for _, g := range t.groups {
		by[g.state] = plus(by[g.state], g.now())
	}
	return countRows(by, t.all[sideNow])
}

func countRows(by map[string]int64, all int64) (out []countRow) {
	names := make([]string, 0, len(by))
	for name, n := range by {
		if n > 0 {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(by[b], by[a]), cmp.Compare(a, b)) })
	for _, name := range names {
		part := float64(by[name]) / float64(max(all, 1))
		out = append(out, countRow{Name: name, Count: count(float64(by[name])), Share: percent(part), Part: part})
	}
	return out
}

// creators counts by the line that started the goroutines; of a profile, by the function that they run.
func (t *tally) creators() (out []creatorRow) {
	by := make(map[stacks.FrameID]*creatorRow)
	for _, g := range t.groups {
		id := g.creator
		if !t.dump {
			id = t.root(g.stack)
		}
		r := by[id]
		if r == nil {
			r = &creatorRow{place: t.place(id)}
			if id == stacks.NoFrame && t.dump {
				r.Symbol.Name = "(the program itself)"
			}
			by[id] = r
		}
		r.now, r.before, r.longest = plus(r.now, g.n[sideNow]), plus(r.before, g.n[sideBase]), max(r.longest, g.longest)
	}
	for _, r := range by {
		r.Count, r.Longest = count(float64(r.now)), ""
		if t.based {
			r.Change, r.Grew = signed(float64(r.now-r.before), vitals.Count), r.now > r.before
		}
		if r.longest > 0 {
			r.Longest = number.Things(r.longest, "minute")
		}
		out = append(out, *r)
	}
	slices.SortFunc(out, func(a, b creatorRow) int {
		return cmp.Or(cmp.Compare(b.now, a.now), cmp.Compare(b.now-b.before, a.now-a.before),
			cmp.Compare(a.Function, b.Function), cmp.Compare(a.Line, b.Line))
	})
	return out[:min(len(out), maxCreators)]
}

// maxLabelled bounds the profiles whose labels are read, in bytes after decompression: google/pprof's form of one takes
// several times as much memory.
const maxLabelled = 16 << 20

// goroutineLabels counts goroutines by label. Only profiles have labels, in pprof's form.
func goroutineLabels(data []byte) (rows []countRow, why string) {
	if !stacks.IsGzip(data) {
		return nil, "a dump has no labels; a profile has"
	}
	zr, err := gzip.NewReader(bytes.NewReader(data))
	if err == nil {
		data, err = io.ReadAll(io.LimitReader(zr, maxLabelled+1))
	}
	if err != nil {
		return nil, err.Error()
	}
	if len(data) > maxLabelled {
		return nil, "the profile is too large to read them"
	}
	p, err := profile.ParseUncompressed(data)
	if err != nil { // as when a dump is packed
		return nil, "the file has none"
	}
	by, all := make(map[string]int64), int64(0)
	for _, s := range p.Sample {
		if len(s.Value) == 0 || s.Value[0] <= 0 {
			continue
		}
		all = plus(all, s.Value[0])
		for name, values := range s.Label {
			for _, v := range values {
				by[name+": "+v] = plus(by[name+": "+v], s.Value[0])
			}
		}
		for name, values := range s.NumLabel {
			for _, v := range values {
				text := name + ": " + strconv.FormatInt(v, 10)
				by[text] = plus(by[text], s.Value[0])
			}
		}
	}
	rows = countRows(by, all)
	if len(rows) == 0 {
		return nil, "no goroutine has labels (runtime/pprof.Do sets them)"
	}
	return rows[:min(len(rows), maxLabels)], ""
}
