package diagnose

import (
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/hold"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// What the user can do about memory that stays depends on who keeps it, as far as that is seen. The texts leave open
// what says knows: {line}, the user's, and {func} around it; {calls}, what that line calls, or what a dependency runs
// without it, and its {package} and {type}; {objects} and {bytes}, of what each call keeps.

// cures are the remedies of the first case that fits.
func (k *kept) cures() []casefile.Remedy {
	var out []casefile.Remedy
	owner, owned := k.owner()
	cache, cached := k.r.holds().Evicts(k.Sum)
	switch {
	case k.foreign:
		out = k.foreignCures()
	case k.inPlace:
		out = []casefile.Remedy{boundIt()}
	case k.unwritten() > 0:
		out = []casefile.Remedy{lessRoom(Line, k.Held[0].Size, size(k.unwritten())+" of what Go holds is not resident: "+
			"most of what is kept here was never written to. Make it as large as what it gets; ")}
	case owned:
		out = []casefile.Remedy{owner.cure}
	case cached:
		out = []casefile.Remedy{outWithEntry(k.r, cache)}
	case constructsAgain(k.r, k.r.holds(), hold.Call{Line: k.line, Enter: k.calls}):
		out = []casefile.Remedy{doChange("Make it once", "At {line}: each request calls {calls} and drops what it returned, "+
			"of which {package} keeps a part for ever (a registry, a list). Call it once at the start and use what it "+
			"returned for all requests, or call the Stop, Close or Unregister that belongs to it.", "none"), newerVersion()}
	case k.largestEver():
		out = []casefile.Remedy{inGeneral("Let go of what has grown large, or need less at a time", "At {line}: after use drop "+
			"a buffer above a limit (if cap(b) > 64<<10 { b = nil }), or set the library's option that frees or limits it. Few "+
			"and large objects are kept, at most one for each connection, encoder or goroutine, as large as the largest that "+
			"it ever had to take: smaller pieces (batches, a stream) and fewer connections need less.",
			"a large one makes its buffer again")}
	case k.shared:
		out = []casefile.Remedy{
			aBound("The growing data has many parts, and {func} adds them: limit that collection by number or bytes, and "+
				"expire old entries.", "dropped entries must be made or fetched again"),
			inGeneral("Give it fewer different keys", "Find out how many different names, labels or addresses reach {func}: "+
				"a user or a path in a label is a new entry each.", "less detail")}
	case k.inside():
		out = k.insideCures()
	default:
		out = k.ownCures()
	}
	return append(k.says(out), whoHolds())
}

// largestEver reports whether what is kept are buffers at the size of the largest that each ever had: large objects, not
// more than goroutines that work there, or a library's while nobody is in there.
func (k *kept) largestEver() bool {
	if k.line == stacks.NoFrame || k.Size() < trailBlock || k.Now.Objects < pooledLeast {
		return false
	}
	n, own := float64(atWork(k.r, k.stack)), k.calls == stacks.NoFrame
	return n >= k.Now.Objects && own || n == 0 && !own && k.r.Table.Func(k.calls).Owner == stacks.Dependency
}

// outWithEntry is for what is kept beside a cache of a library that evicts: an index, a count, a reverse map.
func outWithEntry(r *Reading, cache hold.Call) casefile.Remedy {
	return inGeneral("Take it out when the cache evicts its entry", "At "+r.Place(cache.Line)+": what "+
		short(r.Table.Func(cache.Enter).Name)+" is given goes again, most of it, and what is made at {line} beside it stays: an "+
		"index or a count still has the keys that the cache has evicted. Delete them in the cache's own callback "+
		"(NewWithEvict, OnEvict, OnEviction), which sees whatever leaves it, and not only where something is removed on "+
		"purpose.", "none")
}

// unwritten is how much of what Go holds is not resident, if that is half of this, which is half of the heap, or more.
func (k *kept) unwritten() float64 {
	missing, _ := notResident(k.r, k.r.heap())
	if n := k.Now.Bytes; missing < untouchedShare*n || n < heldShare*k.r.holds().Now.Bytes {
		return 0
	}
	return missing
}

// says fills in what the texts of remedies leave open.
func (k *kept) says(cures []casefile.Remedy) []casefile.Remedy {
	words := []string{"{objects}", things(k.each.Objects, "object"), "{bytes}", size(k.each.Bytes)}
	if k.fn != stacks.NoFunc {
		words = append(words, "{func}", short(k.r.Table.Funcs[k.fn].Name))
	}
	if k.line != stacks.NoFrame {
		words = append(words, Line, k.r.Place(k.line))
	}
	if k.calls != stacks.NoFrame {
		f := k.r.Table.Func(k.calls)
		of, _ := stacks.Receiver(f.Name)
		words = append(words, "{calls}", short(f.Name), "{package}", f.Package, "{type}", short(of))
	}
	fill := strings.NewReplacer(words...)
	for i := range cures {
		cures[i].Text = fill.Replace(cures[i].Text)
	}
	return cures
}

// foreignCures are for what a dependency keeps below no line of the user's: keys from requests where it answers them,
// and else only itself.
func (k *kept) foreignCures() []casefile.Remedy {
	if n := len(k.stack); n == 0 || k.r.Table.Func(k.stack[n-1]).Owner != stacks.Dependency {
		return []casefile.Remedy{fewerKeys("The line is not the program's own. {calls}"), newerVersion()}
	}
	return []casefile.Remedy{newerVersion(), inGeneral("Close what was made, or make fewer", "{calls} runs in a goroutine "+
		"of its own: call the Close, Stop or Shutdown of what your code made of {package} where it ends, and give it less "+
		"to do meanwhile.", "none")}
}

// inside reports whether a dependency keeps what a line of the user's has it make, and not the user's own code, of
// which no container grows beside the call: a method's receiver may, a function only if it is seen to, or if it makes
// contexts.
func (k *kept) inside() bool {
	h, b := k.r.holds(), k.Held[0]
	if b.Enter == stacks.NoFrame || h.Table.Func(b.Enter).Owner != stacks.Dependency || b.Pooled(h.Table) {
		return false
	}
	if keeper := h.Keeper(k.Sum); keeper != stacks.NoFrame && h.Table.FuncID(keeper) == h.Table.FuncID(b.Line) {
		return false
	}
	return isMethod(h.Table.Func(b.Enter)) || h.KeptWithin(k.Sum) || dropsMost(h, b.Line, b.Enter) ||
		k.r.served() != nil || h.Table.Has(b.Stack, withWork(known.DerivesContext))
}

// insideCures are for what a dependency keeps for a line of the user's that calls it.
func (k *kept) insideCures() []casefile.Remedy {
	t, served := k.r.Table, k.r.served()
	switch {
	case served != nil && !served.text:
		k.each = served.Now
		return []casefile.Remedy{doChange("Delete the entry when the request ends", "At {line}: {bytes} of what the server "+
			"made for requests that have ended is alive. Most likely {calls} stores something by the *http.Request: call the "+
			"Clear or Delete that goes with it when the request ends (defer it in the handler), with the same *http.Request: "+
			"a middleware's WithContext makes another one. A newer {package} may keep it in the request's context.", "none"),
			newerVersion()}
	case dropsMost(k.r.holds(), k.line, k.calls):
		return []casefile.Remedy{inGeneral("Make it once, or stop it", "At {line}: each call of {calls} makes something new. "+
			"Most of it is freed: most likely its result was dropped, and {package} still keeps a part. Make it once and use "+
			"it again, and call the Stop, Close or Unregister of what is no longer needed.", "none"), newerVersion()}
	case t.Has(k.stack, withWork(known.DerivesLogger)):
		return []casefile.Remedy{letDerivedGo()}
	case t.Has(k.stack, withWork(known.DerivesContext)):
		return []casefile.Remedy{cancelContexts().Remedy, newerVersion()}
	case isMethod(t.Func(k.calls)):
		return []casefile.Remedy{inGeneral("Make it once, or let the owner go", "At {line}: most likely the {type} keeps "+
			"something for each call of {calls}. Call it once for each different input, make a new one now and then, or call "+
			"the Close, Delete or Reset of it or of what it returned.", "none"),
			fewerKeys("At {line}: perhaps {calls}"), newerVersion()}
	}
	return []casefile.Remedy{fewerKeys("At {line}: {calls}"), newerVersion()}
}

// ownCures are for memory that the user's function makes. A map or list that grows beside it is to be bounded; where
// none does, a bound is a guess, and comes second.
func (k *kept) ownCures() []casefile.Remedy {
	h := k.r.holds()
	bound := aBound("Find what keeps the objects of {func}, limit it by number or bytes, and expire old entries; delete "+
		"an entry where its owner ends.", "dropped entries must be made or fetched again")
	keeper := h.Keeper(k.Sum)
	store, enter := h.Store(k.Sum)
	switch {
	case h.Table.Has(k.Held[0].Stack, withWork(known.DerivesLogger)):
		return []casefile.Remedy{letDerivedGo()}
	case k.isTree():
		return []casefile.Remedy{k.wholeResult(), bound}
	case k.goes():
		return []casefile.Remedy{inGeneral("Lower the bound, or clear the slots that are taken from", "As many go as come at "+
			"{line}: something takes them out. Either a cache, ring or queue is at its bound: lower that, in bytes. Or a slice's "+
			"array still refers to what was taken out of it (q = q[:n-1], q = q[1:], kept := q[:0]) until another takes the "+
			"place: set each slot to nil before it is left, or clear what is cut off.", "what was dropped must be made again")}
	case keeper == stacks.NoFrame && store != stacks.NoFrame:
		return []casefile.Remedy{dropOld(k.r, store, enter)}
	case keeper == stacks.NoFrame && h.KeptByReceiver(k.Sum):
		return []casefile.Remedy{inGeneral("Let what is called end with the work, or call it once for each name", "A map grows "+
			"below {calls}, called at {line}: the {type} keeps an entry for each name that it is given. Call it on a copy that "+
			"ends with the work (its Clone), or keep what it returned for the next time with the same name.", "none")}
	case keeper == stacks.NoFrame && k.Held[0].Now.Objects*slotBytes < hold.LeastWhole*h.Rate:
		return []casefile.Remedy{inGeneral("Delete each where its owner ends, or bound what keeps them", "A map, slice or list "+
			"has a few words for each of what is made at {line}, too little beside them to be seen in a profile, and is what "+
			"most likely keeps them: find where they are added and never taken out. Take each out where its owner ends (defer "+
			"it), or limit them by number, bytes or age. If there is none: "+otherKeepers, "none")}
	case keeper == stacks.NoFrame:
		return []casefile.Remedy{inGeneral("Find what still refers to it", "What is made at {line} outlives its work, and no "+
			"map or list is seen to grow beside it. "+upperFirst(otherKeepers), "none"), bound}
	}
	bound.Text = "A map, slice or list that grows at " + k.r.Place(keeper) + " most likely keeps the objects of {func}: " +
		"limit it by number or bytes, and expire old entries. Delete an entry where its owner ends."
	return []casefile.Remedy{bound, takePackage("A cache with a bound", "If it is a cache: "+
		"github.com/gocasebook/casebook/remedy/cache keeps entries where the collector does not visit them; "+
		"github.com/maypok86/otter/v2 evicts by size and age.", "a dependency")}
}

// goes reports whether as much of it goes as comes, by enough samples to tell: nothing is added for ever.
func (k *kept) goes() bool {
	came := k.Came()
	return sampled(came.Bytes, came.Objects, k.r.holds().Rate) >= minGrowthSamples && !k.Grew() &&
		k.Went().Bytes >= came.Bytes/2
}

const slotBytes = 16 // that a map or slice takes for an entry, at least

// otherKeepers are what keeps memory and is no container.
const otherKeepers = "look there for a call deferred in a loop without end, a context that is not cancelled, a goroutine " +
	"or closure that stays, objects with a finalizer that refer to each other, slots of a slice that are not cleared; and " +
	"for few entries that keep much each, as a part of a document does: copy it."

// isTree reports whether each call of a library keeps a whole of many parts, and takes down how much: the tree of a
// document, a decoded table. A value has few.
func (k *kept) isTree() (ok bool) {
	const treeObjects = 100
	k.each, ok = k.r.holds().EachCall(k.Sum)
	return ok && k.each.Objects >= treeObjects && k.each.Bytes >= inputObject
}

// wholeResult is for what a call of a library made as a whole, and which is kept as a whole: of an input, or of none.
func (k *kept) wholeResult() casefile.Remedy {
	if slices.ContainsFunc(k.Held, func(b *hold.Held) bool {
		return b.Line == k.line && k.r.Table.Has(b.Inside(), func(f *stacks.Func) bool { return known.ParsesByName(f.Name) })
	}) {
		return doChange("Keep what is needed of each result", "At {line}: of what each call of {calls} makes, about "+
			"{objects} stay, {bytes}, which is all of a result. A part that is kept (a node, an element) keeps the whole: copy "+
			"what is needed (strings.Clone of its text). If whole results are wanted, limit them by bytes.", "none")
	}
	return doChange("Close each when its work is done, which a finalizer may never do", "At {line}: of what each call of "+
		"{calls} makes, about {objects} stay, {bytes}, which is all of a result. Call the Close of what it returned, on "+
		"every path, or make one and keep it: an object with a finalizer, in a cycle of pointers, is never freed. Take the "+
		"finalizer away, or set a cleanup (runtime.AddCleanup).", "none")
}

// dropOld is for what a library's store keeps, which a line calls.
func dropOld(r *Reading, line, store stacks.FrameID) casefile.Remedy {
	f := r.Table.Func(store)
	removes := func(set *stacks.Set) bool {
		return slices.ContainsFunc(set.Samples, func(s stacks.Sample) bool {
			return r.Table.Has(s.Stack, withRole(known.RemovesOld))
		})
	}
	if row, ok := known.Remover(f.Package); ok && !slices.ContainsFunc(r.Moments(), removes) {
		return endAsKnown(r.Place(line), row)
	}
	return inGeneral("Have its store drop what is old", "As many objects are alive below "+short(f.Name)+", called at "+
		r.Place(line)+": most likely it keeps what is made. Give it a capacity, delete what has ended, and see that "+
		"somebody removes what has expired: some stores need a loop that you start.",
		"dropped entries must be made or fetched again")
}

func whoHolds() casefile.Remedy {
	return withName(whoRemedy, doChange("See who holds it", "A profile shows what allocated the memory, not what "+
		"refers to it. A heap dump does: casebook capture --heap-refs URL, or casebook.WriteHeapDump and casebook heap.",
		"the process stands still for seconds for each GiB of its heap"))
}

func fewerKeys(text string) casefile.Remedy {
	return inGeneral("Give it fewer different keys", text+" keeps one entry for each key (label value, name, address), "+
		"and keys mostly come from requests, such as a user or a path in a metric's label. Leave it out, or map "+
		"unknown values to a single one.", "less detail")
}

func newerVersion() casefile.Remedy {
	return inGeneral("Take a newer version, or report it", "Check the change log of {package} for a leak that was "+
		"repaired, and its settings for a limit or an expiry; report it with this profile if there is neither.",
		"an update to test")
}

// letDerivedGo is for loggers that are made of another one, which does not keep them.
func letDerivedGo() casefile.Remedy {
	return doChange("Do not keep what is derived", "At {line} a logger is made of another one, which does not keep it; the "+
		"program does, in a slice or map, or by deriving each from the last one. Derive it from the one that was made at the "+
		"start, for the work at hand, and let it go.", "none")
}
