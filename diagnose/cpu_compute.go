package diagnose

import (
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// The kinds of this file are operations of the language and of small library calls that a profile shows by what the
// runtime did below a line.

func cpuMapHash() Detector {
	return costKind{
		id: "CPU007", kind: "cpu-map-hash", title: "Map lookups take much of the CPU", what: "Map access",
		purpose: true, busyOnly: true,
		looks: "Adds up hashing, comparing keys, probing and walking of maps below lines of the user's code. " +
			"Building maps is another kind, alloc-map-temp.",
		scale: Scale{Worth: 0.20, Hurts: 0.50, Top: 1}, scaleWhy: "a lookup in cache costs 10–20 ns, so 20 % of the " +
			"CPU is more than ten million per second and core.",
		match:    match{own: true, class: []stacks.Class{stacks.Map}},
		rewrites: true,
		slow: &slowForm{calls: []known.Work{known.StepsMap, known.BeginsWalk}, gain: [2]float64{0.5, 0.9},
			gainWhy: "walking a slice takes a tenth of walking a map"},
		gain: [2]float64{0.3, 0.8}, gainWhy: "smaller keys or one lookup instead of several save a third to a half, " +
			"a slice instead of the map saves most",
		explanation: "A lookup costs the hash of the key (long keys cost more: strings and structs more than " +
			"integers) and a CPU cache miss for " +
			"each probe in a large map.",
		fixes: []Remedy{
			byChange("", "Look up once, or less", "At {line}: keep the value, or a pointer to it, instead of looking "+
				"up the same key again; m[k]++ looks up once, a read and a write look up twice. What is looked up for "+
				"each element of a list can stand in the element.", "none"),
			byChange("", "Use a smaller key", "Use an integer for the string (an ID assigned once), or a fixed array "+
				"instead of a struct of strings.", "a table that assigns the IDs"),
			byChange("", "Use a slice if keys are small integers, or sets are small",
				"An index costs 1 ns; below about eight elements a linear search beats a map; walking a slice is ten "+
					"times as fast as walking a map.", "you must handle order and gaps yourself"),
		},
		before: `if _, ok := counts[word]; ok { counts[word] = counts[word] + 1 }`,
		after:  `counts[word]++`,
	}.detector()
}

func cpuCopy() Detector {
	return costKind{
		id: "CPU010", kind: "cpu-copy", title: "Copying memory takes much of the CPU", what: "Copying memory",
		looks: "Adds up memmove and clearing directly below lines of the user's code: copy, append within capacity, " +
			"slices.Insert and Delete, values of large structs and arrays. Copies made by a growing slice are " +
			"another kind, alloc-grow.",
		scale: Scale{Worth: 0.15, Hurts: 0.45, Top: 1}, scaleWhy: "one core copies about 10 GB/s, so 15 % of the CPU " +
			"is more than a gigabyte a second; healthy proxies copy less.",
		match: match{own: true, class: []stacks.Class{stacks.Memmove},
			through: []known.Work{known.CopiesForCaller, known.BuildsBytes, known.BuildsText}},
		rewrites: true,
		slow: &slowForm{calls: []known.Work{known.CopiesStruct}, gain: [2]float64{0.5, 0.95},
			gainWhy: "what is passed by a pointer is not copied"},
		gain: [2]float64{0.5, 0.95}, gainWhy: "an avoided copy costs nothing; if one of two must stay, half is saved",
		explanation: "Large values are copied at every assignment, argument and range variable; inserting at the " +
			"front of a slice moves every element.",
		fixes: []Remedy{
			byChange(known.SlicesInsert, "Insert once, or at the end",
				"At {line}: each insertion moves all elements behind it. Append at the end, and read from there; "+
					"append all and sort once; or keep a heap, a ring or a linked list.", "other code"),
			byChange(known.SlicesDelete, "Delete without moving", "Swap with the last element, or keep the rest in "+
				"one pass (slices.DeleteFunc).", "the order changes"),
			byChange("", "Share the slice, or move less of it", "At {line}: if each reader is given a copy, hand out "+
				"the slice itself, never change it, and replace it as a whole (or pass pointers and sub-slices). If "+
				"elements move because one is put in or taken out at the front or in the middle: a ring, an index of "+
				"the first, or append at the end. If bytes go through several buffers, read into the last one.",
				"shared data must not be changed"),
			byChange("", "Pass pointers, not copies of large structs", "At {line}: range over indices, take &list[i], "+
				"give methods a pointer as their receiver.", "who is given a pointer may change what it points to"),
		},
		before: `for _, m := range matrices { sum += m[0][0] } // each m is copied`,
		after:  `for i := range matrices { sum += matrices[i][0][0] }`,
	}.detector()
}

func cpuTimeNow() Detector {
	return costKind{
		id: "CPU011", kind: "cpu-time-now", title: "Reading the clock takes much of the CPU", what: "Reading the clock",
		looks: "Looks for time.Now, time.Since and time.Until called by lines of the user's own code. Whether a " +
			"function that does little else waits for a time, or asks for each element, a profile does not show: " +
			"then the first remedy has both.",
		scale: Scale{Worth: 0.05, Hurts: 0.20, Top: 0.60}, scaleWhy: "time.Now takes about 40 ns (1 µs where the " +
			"kernel has no vDSO clock, as on some virtual machines): 5 % of a core is a million calls a second.",
		match: match{own: true, calls: []known.Work{known.ReadsClock}},
		gain:  [2]float64{0.7, 0.95}, gainWhy: "one reading instead of many saves nearly all",
		explanation: "Reading the clock once is cheap. Inside a loop over elements it happens millions of times, for " +
			"a time that hardly changes.",
		fixes: []Remedy{
			byChange("", "Read the clock once", "At {line}: take the time before the loop, or once per request, and "+
				"pass it on.", "times are a little old"),
			byChange("", "Look at fewer of them", "Where {line} goes through all that is kept to find what has "+
				"expired: do that on a timer, not in each request; or keep the entries in the order of their time, "+
				"and stop at the first that has not.", "what has expired stays a little longer"),
			byChange(known.TimeSince, "Measure a sample", "Measure one call in a hundred, or the whole batch.",
				"fewer measurements"),
			byChange("", "Use a coarse clock", "A goroutine that stores time.Now in an atomic every 10 ms; readers "+
				"load it in 1 ns.", "an error of up to 10 ms, and one more goroutine"),
		},
		before: `for i := range entries { if time.Now().After(entries[i].expires) { … } }`,
		after: `now := time.Now()
for i := range entries { if now.After(entries[i].expires) { … } }`,
	}.detector()
}

func cpuSort() Detector {
	return costKind{
		id: "CPU012", kind: "cpu-sort", title: "Sorting takes much of the CPU", what: "Sorting",
		looks: "Looks for sort and slices.Sort* below lines of the user's code, including the user's own comparison " +
			"function.",
		scale: Scale{Worth: 0.15, Hurts: 0.45, Top: 1}, scaleWhy: "sorting a page of 100 elements takes 3–10 µs; 15 " +
			"% of the CPU means that far more is sorted than is shown, or that sorted data is sorted again.",
		match: match{callbacks: true, direct: true, calls: []known.Work{known.Sorts}},
		gain:  [2]float64{0.33, 0.95}, gainWhy: "sorting without reflection saves a third or more, avoiding a " +
			"repeated sort saves nearly all",
		explanation: "Data that rarely changes but is sorted for each request, or sorted as a whole to get the first " +
			"ten, costs n·log n every time.",
		fixes: []Remedy{
			byChange("", "Sort when the data changes, or only what is shown", "At {line}: if the list lives on from "+
				"request to request, keep it sorted, and insert at the place that slices.BinarySearch finds. If it is "+
				"new each time, or the order is the request's: keep the first k in a heap (container/heap), which "+
				"costs n·log k, or let the store sort.", "writes become more expensive; more code"),
			byChange(known.Sort, "Use slices.SortFunc", "sort.Slice swaps with reflection and sort.Sort calls methods "+
				"through an interface; slices.SortFunc is 20–50 % faster.", "Go 1.21"),
			byChange("", "Compute the sort keys beforehand", "Build the keys once (lower-cased, parsed) and sort by "+
				"them.", "memory for the keys"),
		},
		before: `sort.Slice(all, func(i, j int) bool { return all[i].Score > all[j].Score }); return all[:10]`,
		after:  `slices.SortFunc(all, byScore) // where all is loaded; a request reads all[:10]`,
	}.detector()
}

func cpuReflect() Detector {
	return costKind{
		id: "CPU004", kind: "cpu-reflect", title: "Reflection takes much of the CPU", what: "Reflection",
		looks: "Looks for package reflect called by the user's code, or by a dependency that is not a known encoder, " +
			"validator or formatter. Looking up fields and methods " +
			"by name is another kind, reflect-per-call.",
		scale: Scale{Worth: 0.10, Hurts: 0.35, Top: 0.80}, scaleWhy: "reflection is 10–100 times as expensive as the " +
			"code it replaces: nearly all of 10 % of the CPU can be saved.",
		match:    match{callbacks: true, direct: true, calls: []known.Work{known.Reflects, known.CopiesValues}},
		rewrites: true,
		gain:     [2]float64{0.7, 0.95}, gainWhy: "plain code costs a tenth or less",
		explanation: "Every access through reflect.Value checks kinds and flags, calls box their arguments, and " +
			"Interface allocates.",
		fixes: append(copyRemedies(),
			byChange(known.DeepEqual, "Compare with plain code", "At {line}: an Equal method, ==, slices.Equal "+
				"or maps.Equal; reflect.DeepEqual is 10–100 times slower.", "must be kept in sync with the type"),
			byChange("", "Write or generate the code for these types",
				"At {line}: one method per type, a type switch for the common types, or generics.",
				"more code, which must be kept in sync with the types"),
			byChange("", "Do it once per type", "Build a plan (offsets, functions) at the first use of a type and "+
				"keep it in a sync.Map keyed by reflect.Type.", "more code")),
		before: `if !reflect.DeepEqual(old.Tags, new.Tags) { … }`,
		after:  `if !slices.Equal(old.Tags, new.Tags) { … }`,
	}.detector()
}

func cpuCgo() Detector {
	return costKind{
		id: "CPU018", kind: "cpu-cgo", title: "Calls into C take much of the CPU", what: "Calling C",
		purpose: true,
		looks: "Adds up what runs below runtime.cgocall. A CPU profile does not see into C code unless it has " +
			"symbols, so the call's own cost and the C function's are one number.",
		scale: Scale{Worth: 0.15, Hurts: 0.50, Top: 1}, scaleWhy: "a call costs about 40 ns before it does " +
			"anything; up to a seventh of the CPU is common for services with SQLite, image or compression libraries " +
			"in C.",
		cap:   capUnsure,
		match: match{calls: []known.Work{known.CallsIntoC}},
		gain:  [2]float64{0.2, 0.8}, gainWhy: "fewer calls save their overhead; how much depends on what each call " +
			"does",
		explanation: "A call from Go to C switches stacks and blocks a thread while it runs; many small calls spend " +
			"more on that than on the work.",
		fixes: []Remedy{
			byChange("", "Call less often with more", "At {line}: pass a slice of items in one call, or keep the "+
				"loop on the C side.", "a wider C interface"),
			byChange("", "Do small things in Go", "Work that takes less than a microsecond in C is as fast in Go, "+
				"without the call.", "code to write and test"),
			byChange("", "Promise what C does not do", "#cgo noescape and #cgo nocallback (Go 1.24) save allocations "+
				"and checks on each call.", "a wrong promise crashes"),
		},
		next: "The vitals' cgo_calls give the number of calls: below 100,000 a second the C code is expensive, not " +
			"the calls (perf record shows it).",
		before: `for _, x := range xs { sum += int(C.weigh(C.int(x))) }`,
		after:  `sum := int(C.weigh_all((*C.int)(unsafe.Pointer(&xs[0])), C.int(len(xs))))`,
	}.detector()
}

// copyRemedies are for deep copies by packages that know no type.
func copyRemedies() []Remedy {
	return byWork(known.CopiesValues, "Copy only what somebody changes, with plain code",
		"At {line}: who only reads needs no copy: hand out the value itself, never change it after it was published, "+
			"and replace it as a whole. Where a copy is needed, a method that copies the fields takes a tenth of one "+
			"by reflection.", "who changes what is shared must be found")
}
