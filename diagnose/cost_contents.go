package diagnose

import (
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/cost"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/view"
)

// What a line's work is for the most part decides which remedy comes first: a sort whose comparison computes, a logger
// that looks for its caller, errors that are thrown away, metrics that are found again and again.

// mostContents is the part from which on something is what the work is.
const mostContents = 0.5

// partOfLog is the part of logging from which on the caller comes first: to leave it out loses no line.
const partOfLog = 1. / 3

// derives reports whether a sample is in what a function of the user's that the call calls back makes of its arguments.
func (x *costIndex) derives(s *stacks.Sample, h hit) bool {
	_, u := x.t.UserFrame(s.Stack)
	return u > 0 && slices.Index(s.Stack, h.call) > u && cost.Derives(x.t, s, u)
}

// forContents is the row with the remedies for what the work is, first.
func (k costKind) forContents(r *Reading, lines []*lineCost, sum lineCost) costKind {
	if r.costs().cpu == nil {
		return k
	}
	switch l := lines[0]; {
	case slices.Contains(wholeCodecs(), k.kind) && r.costs().nested(k, l) >= mostContents:
		k.explanation += " The codec calls code of the program's that calls the codec: what each level gives is " +
			"checked " +
			"and copied again by all levels around it."
		k.fixes = slices.Insert(slices.Clone(k.fixes), 0, byChange("", "Encode or decode once, at the outermost, and "+
			"not level by level", "At {line}, a method that the codec calls (MarshalJSON, UnmarshalJSON …) calls the "+
			"codec again: with n levels the innermost is read n times. Give the types plain fields and tags; or "+
			"append all levels to one buffer, by a method of your own that is given it (appendTo(b []byte) []byte), "+
			"and let the outermost alone be what the codec calls.", "code for the types"))
	case slices.Contains(wholeCodecs(), k.kind) && readsAgain(r, l):
		k.fixes = slices.Insert(slices.Clone(k.fixes), 0, byChange("", "Keep what was decoded while its file is the "+
			"same",
			"At {line} a file is read and decoded for each request. If many ask for the same one: keep the value, and "+
				"read the file again when os.Stat shows another time or size, or who writes it says so. If only a "+
				"part of it is wanted, keep parts in files of their own, or an index.", "memory for what is kept"))
	case slices.Contains(wholeCodecs(), k.kind) && savesWhole(r, l):
		k.fixes = slices.Insert(slices.Clone(k.fixes), 0, byChange("", "Write it later, for many changes at once, or "+
			"write what is new alone", "At {line} a whole is encoded and written to a file for each request: if "+
			"little of it is new each time, mark it as changed and write it by a timer, append each change to a log, "+
			"or keep it in a store that writes parts.", "a crash loses what was not written yet"))
	case k.kind == "cpu-json" && r.costs().mapsEncoded(l) != nil:
		k.fixes = slices.Insert(slices.Clone(k.fixes), 0, structsForMaps(r.Place(r.costs().mapsEncoded(l).line)))
	case k.kind == "cpu-json" && decodesAt(r, l):
		k.fixes = slices.Clone(k.fixes)
		k.fixes[0] = byChange("", "Decode once, and only what is used", "At {line}: decode into a struct of the "+
			"fields in use, not into map[string]any; decode once, and pass the value on; keep parts that are passed "+
			"on as they are (json.RawMessage); and keep what was decoded of a text that comes again.", "a kept value "+
			"can be stale")
	case k.kind == "cpu-sort" && l.derived >= mostContents*l.cpu:
		k.explanation = fmt.Sprintf("The comparison takes %s of the CPU that sorting takes: it is called some n·log n "+
			"times, and makes the same of an element each time.", percent(l.derived/l.cpu))
		k.fixes = slices.Insert(slices.Clone(k.fixes[:len(k.fixes)-1]), 0, Remedy{Remedy: keyRemedy("")})
	case k.kind == "cpu-logging" && sum.names && sum.slow >= partOfLog*sum.cpu:
		k.fixes = slices.Insert(slices.Clone(k.fixes), 0, callerRemedy(r, l, sum.slow/sum.cpu))
	case k.kind == "cpu-logging" && partDoing(r, l, known.WritesInKernel) >= mostContents:
		k.fixes = firstFix(k.fixes, len(k.fixes)-1)
	case k.kind == "cpu-copy" && sum.slow >= mostContents*sum.cpu:
		k.fixes = firstFix(k.fixes, len(k.fixes)-1)
	case k.kind == "cpu-map-hash" && sum.slow >= mostContents*sum.cpu:
		k.fixes = slices.Insert(slices.Clone(k.fixes), 0, byChange("", "Walk a slice, not the map", "At {line}: most "+
			"of it is going from element to element. Keep the elements, or their keys in order, in a slice beside the "+
			"map, changed with it; or keep what the walk computes (a sum, a list, the oldest) where elements come and "+
			"go.",
			"memory, and the slice must follow the map"))
	case k.kind == "cpu-map-hash" && r.costs().keysCompared(l) >= partOfKeys:
		k.fixes = firstFix(k.fixes, 1)
	case k.kind == "alloc-string-concat" && sum.objects > 0 && sum.bytes < shortText*sum.objects:
		k.fixes = firstFix(k.fixes, 1)
	case k.kind == "alloc-map-temp":
		if found := foundByLabels(r, l); found != nil {
			k.fixes = slices.Insert(slices.Clone(k.fixes), 0, Remedy{Remedy: metricRemedy(r.Place(found.Line))})
		}
	}
	return k
}

// shortText is the mean size in bytes below which texts are names and keys of a few parts, made by one expression: no
// builder makes less of them. What a loop adds to, piece by piece, is longer for the most part.
const shortText = 128

// partOfKeys is the part of a map's look-ups from which on the key is what costs: of several parts, each is hashed and
// compared by itself, and fewer entries have room in a cache.
const partOfKeys = 0.25

// keysCompared is the part of a line's CPU below what the compiler makes to hash and compare keys of several parts.
func (c *costView) keysCompared(l *lineCost) float64 {
	all, keys := 0.0, 0.0
	for i := range c.cpu.set.Samples {
		s := &c.cpu.set.Samples[i]
		if u := slices.Index(s.Stack, l.line); u >= 0 && s.Class == stacks.Map {
			all += float64(c.cpu.weight(s))
			if c.x.t.Has(s.Stack[:u], func(f *stacks.Func) bool {
				return stacks.IsGenerated(f.Package)
			}) {
				keys += float64(c.cpu.weight(s))
			}
		}
	}
	return keys / max(all, 1)
}

// firstFix moves a remedy before the others.
func firstFix(fixes []Remedy, i int) []Remedy {
	return slices.Concat(fixes[i:i+1], fixes[:i], fixes[i+1:])
}

// partDoing is the part of a line's CPU below which a work is done.
func partDoing(r *Reading, l *lineCost, work known.Work) float64 {
	if k := spentAt(r, l.line); k != nil {
		return r.spent().Doing(k, work)
	}
	return 0
}

// largeWhole is how large what is encoded is on average that is more than one record.
const largeWhole = 64 << 10

// savesWhole reports whether a line encodes much below requests, and its function writes files.
func savesWhole(r *Reading, l *lineCost) bool {
	fn, id := r.Table.FuncID(l.line), stacks.NoFrame
	if call, ok := l.topCall(); ok {
		id = call
	}
	if id == stacks.NoFrame || decodes(r.Table.Func(id).Name) || r.spent() == nil ||
		r.spent().MeanSize(l.line) < largeWhole {
		return false
	}
	return doesForRequests(r, fn, known.SavesFile)
}

// wholeCodecs are the kinds of formats in which documents are kept.
func wholeCodecs() []string { return []string{"cpu-json", "cpu-xml", "cpu-protobuf"} }

// readsAgain reports whether a line decodes, and its function reads whole files by their names, below requests.
func readsAgain(r *Reading, l *lineCost) bool {
	return decodesAt(r, l) && doesForRequests(r, r.Table.FuncID(l.line), known.FindsFile)
}

// decodesAt reports whether a line calls what decodes for most of its cost.
func decodesAt(r *Reading, l *lineCost) bool {
	id, ok := l.topCall()
	return ok && decodes(r.Table.Func(id).Name)
}

// nested is the part of a line's CPU in which a row's calls are below code of the user's that such a call has called
// back.
func (c *costView) nested(k costKind, l *lineCost) float64 {
	t, all, again := c.x.t, 0.0, 0.0
	for i := range c.cpu.set.Samples {
		s := &c.cpu.set.Samples[i]
		at := slices.Index(s.Stack, l.line)
		if at <= 0 || !t.Func(s.Stack[at-1]).Does(k.match.calls...) {
			continue
		}
		all += float64(c.cpu.weight(s))
		if t.Has(s.Stack[at+1:], withWork(k.match.calls...)) {
			again += float64(c.cpu.weight(s))
		}
	}
	return again / max(all, 1)
}

// partOfMaps is the part of encoding from which on maps are what costs: an encoder walks each, and sorts its keys.
const partOfMaps = 1. / 3

// mapsEncoded is the line that makes most of the maps that a line has encoded: it is below a function that calls that
// line, too, and going through maps takes much of the encoder's time. It is nil for others.
func (c *costView) mapsEncoded(l *lineCost) *lineCost {
	made, t, all, maps := c.lines["alloc-map-temp"], c.x.t, 0.0, 0.0
	if len(made) == 0 {
		return nil
	}
	var in []stacks.FuncID // which have it encoded
	both := false
	for i := range c.cpu.set.Samples {
		s := &c.cpu.set.Samples[i]
		at := slices.Index(s.Stack, l.line)
		if at < 0 {
			continue
		}
		all += float64(c.cpu.weight(s))
		json := slices.IndexFunc(s.Stack[:at], func(id stacks.FrameID) bool {
			return t.Func(id).Does(known.EncodesJSON)
		})
		if json >= 0 && t.Func(s.Stack[json]).Does(known.DecodesAny) {
			maps += float64(c.cpu.weight(s))
		}
		if in = append(in, t.FuncID(l.line)); at+1 < len(s.Stack) && t.Func(s.Stack[at+1]).Owner == stacks.User {
			in = append(in, t.FuncID(s.Stack[at+1]))
		}
	}
	for i := range c.cpu.set.Samples {
		stack := c.cpu.set.Samples[i].Stack
		at := slices.Index(stack, made[0].line)
		both = both || at >= 0 && slices.ContainsFunc(stack[at:], func(id stacks.FrameID) bool {
			return slices.Contains(in, t.FuncID(id))
		})
	}
	if !both || maps < partOfMaps*all {
		return nil
	}
	return made[0]
}

// structsForMaps is for maps that are made to be encoded.
func structsForMaps(maker string) Remedy {
	return byChange("", "Encode structs in place of the maps made at "+maker, "At {line} the encoder goes through maps "+
		"that requests have just made, and sorts their keys. Where the keys are known when the program is written "+
		"(names of fields, constants): a struct with json tags, or the struct that the map is made of. Where they come "+
		"from data: a slice of pairs, or keep the encoded bytes by what they are made of.", "none")
}

// doesForRequests reports whether a function calls what does a work, below requests.
func doesForRequests(r *Reading, fn stacks.FuncID, work known.Work) bool {
	return slices.ContainsFunc(r.Sets, func(set view.Captured) bool {
		return slices.ContainsFunc(set.Samples, func(s stacks.Sample) bool {
			line, u := r.Table.UserFrame(s.Stack)
			return u > 0 && r.Table.FuncID(line) == fn && serves(r.Table, s.Stack[u:]) &&
				r.Table.Has(s.Stack[:u], withWork(work))
		})
	})
}

// callerRemedy is for a logger that looks for the line that logs, which is a part of what it costs.
func callerRemedy(r *Reading, l *lineCost, part float64) Remedy {
	how := "look for its setting"
	if id, ok := l.topCall(); ok {
		if setting := known.CallerSetting(r.Table.Func(id).Name); setting != "" {
			how = setting
		}
	}
	return byChange("", "Log without the caller's file and line", fmt.Sprintf("%s of what logging costs is walking "+
		"the stack and looking up its names, to say which line has logged. Where the logger is made: %s. A name in "+
		"the message says as much; or keep it for warnings and errors, which are rare.", percent(part), how),
		"no file and line in the log")
}

// foundByLabels is the line of the function in which a metric is found by labels, for at least what a map of it costs;
// nil for none.
func foundByLabels(r *Reading, l *lineCost) (found *cost.Cost) {
	c := r.spent()
	if c == nil {
		return nil
	}
	most := 0.0
	for _, k := range c.All {
		if r.Table.FuncID(k.Line) != r.Table.FuncID(l.line) {
			continue
		}
		if cpu := k.CPU * c.Doing(k, known.FindsByLabels); cpu >= l.cpu && cpu > most {
			found, most = k, cpu
		}
	}
	return found
}

// contentRemedies are for a line, by what hangs on it; none of most.
func contentRemedies(r *Reading, k *cost.Cost) []casefile.Remedy {
	switch {
	case k == nil || k.Callers >= mostCallers:
		return nil
	case k.Sorting >= mostContents:
		return []casefile.Remedy{keyRemedy(r.Place(k.Line))}
	case k.Errors >= mostContents:
		return []casefile.Remedy{doChange("Try first what fits, in place of attempts that fail", fmt.Sprintf("%s of "+
			"what is made at %s is errors. Where forms are tried one after the other (layouts, types, formats): try "+
			"first the one that most inputs have, or that fitted last; call its parser by itself. Where the error "+
			"answers a question (is it a number, is it there): look before, or ask a function that returns a bool or "+
			"an error that was made once.",
			percent(k.Errors), r.Place(k.Line)), "none, if the order of attempts does not matter")}
	case r.spent().Doing(k, known.FindsByLabels) >= mostContents:
		return []casefile.Remedy{metricRemedy(r.Place(k.Line))}
	}
	return nil
}

// keyRemedy is for what a sort computes of its elements; maker is the line that does, "" for the comparison.
func keyRemedy(maker string) casefile.Remedy {
	what := "the comparison at {line} makes of an element"
	if maker != "" {
		what = "is made at " + maker
	}
	return doChange("Compute the sort keys once: before sorting, or when the data changes",
		"Make what "+what+" once for each element, in a loop before the sort: a slice of keys beside the elements, or "+
			"a struct of both, and compare the keys. Where the elements live on, keep the key in them, made when they "+
			"come or change.", "memory for the keys")
}

// metricRemedy is for a metric that is found by its labels each time.
func metricRemedy(at string) casefile.Remedy {
	return doChange("Keep the metric that is found by its labels", fmt.Sprintf("At %s: for the same labels the same "+
		"metric, or set, comes out. Keep it: in a variable or a field where the labels are known at the start, else "+
		"in a map by a struct of the few values (or a sync.Map); then neither labels nor a look-up by them is needed. "+
		"And add up first what one request counts.", at), "the map grows with the labels, as the metrics do")
}

// summed reports whether what a row's calls make at a line goes into a hash: they write to one, or the line gives it to
// one. The checksums of formats and connections are below other calls, and of other functions.
func (c *costView) summed(k costKind, l *lineCost) bool {
	if c.cpu == nil || k.match.into == nil { // not of what formats or encodes
		return false
	}
	t := c.x.t
	return slices.ContainsFunc(c.cpu.set.Samples, func(s stacks.Sample) bool {
		u := slices.Index(s.Stack, l.line)
		for i := u - 1; i >= 0; i-- {
			if t.Func(s.Stack[i]).Does(known.Digests) {
				return i+1 == u || t.Func(s.Stack[i+1]).Does(k.match.calls...)
			}
		}
		return false
	})
}

// keepTheSum is for what is made to be hashed.
func keepTheSum() Remedy {
	return byChange("", "Keep the sum beside the value, and make it again when the value changes", "At {line} what is "+
		"made goes into a hash. Keep the sum in a field of the value, by its version (a generation, a time of change), "+
		"or in a map by what never changes; in a loop over what shares the value, make it once before the loop. Where "+
		"each value is new, write the fields that decide into the hash, and no text of the whole.",
		"who changes the value must drop its sum")
}

// onceInside is for what a dependency makes anew at each call, which only its authors can make once.
func onceInside(r *Reading, line, maker stacks.FrameID) casefile.Remedy {
	return doChange("Take a release that makes it once, or keep what the call returns", fmt.Sprintf("%s makes it anew "+
		"each time, in %s, which is not the program's to change: look whether a newer release keeps it. Or keep what "+
		"the call at %s returns by its input (of a file its path, size and time; of a text the text), with a bound, "+
		"and ask again when that changes.", r.Place(maker), moduleText(r, maker), r.Place(line)),
		"an update to test; what is kept can be stale")
}
