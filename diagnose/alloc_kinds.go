package diagnose

import "github.com/gocasebook/casebook/diagnose/known"

// The kinds of this file are small allocations that a CPU profile shows by the function of the runtime below a line.

// allocScale is for lines whose remedy is known. Less than alloc-site's tenth is worth a look, because there is nothing
// to find out; 8 % is about four times what two benchmarks of the same service differ by.
func allocScale() Scale { return Scale{Worth: 0.08, Hurts: 0.30, Top: 0.70} }

const allocScaleWhy = "8 % is about four times the difference between two benchmarks of one service; 30 % means a " +
	"third more machines."

// grows are the works that move what has been gathered to a larger array.
func grows() []known.Work { return []known.Work{known.GrowsSlice, known.GrowsBuffer, known.ReadsAll} }

func allocGrow() Detector {
	return costKind{
		id: "AL003", kind: "alloc-grow", title: "Slices grow step by step", what: "Growing slices and buffers",
		looks: "Looks for runtime.growslice directly below lines of the user's code, and for the growth of " +
			"strings.Builder, bytes.Buffer and io.ReadAll. The first growth of an empty slice looks the same. It " +
			"cannot be saved; the ones after it can.",
		scale: allocScale(), scaleWhy: allocScaleWhy,
		match: match{own: true, calls: grows(),
			through:  []known.Work{known.BuildsText, known.BuildsBytes, known.GrowsForCaller},
			heapLeaf: []known.Work{known.BuildsText, known.BuildsBytes, known.GrowsBuffer, known.ReadsAll}},
		rewrites: true,
		gain:     [2]float64{0.4, 0.8}, gainWhy: "one allocation of the right size replaces several, and nothing is " +
			"copied",
		explanation: "append to a full slice allocates one of up to twice the size and copies: growing from 0 to " +
			"10,000 elements takes about 20 allocations and four times the memory.",
		fixes: []Remedy{
			byChange(known.ReadAll, "Read into a buffer of the right size",
				"At {line}: io.ReadAll begins with 512 bytes and grows. With a Content-Length use bytes.Buffer.Grow "+
					"or io.ReadFull, or decode from the reader.",
				"bound what a client may announce"),
			byChange(known.StringsBuilder, "Grow the builder once", "At {line}: Grow(n) before the first write; an "+
				"estimate that is too small still saves most of it.", "none"),
			byChange(known.Bytes, "Grow the buffer once, or reuse it", "At {line}: Grow(n) before the first write, or "+
				"a bytes.Buffer from a sync.Pool with Reset.", "code that keeps its bytes reads someone else's data"),
			byChange("", "Make the slice the right size", "Before {line}: make([]T, 0, n) where n is known or bounded.",
				"an estimate that is too large wastes memory"),
			byChange("", "Reuse the slice", "Keep it across calls and start with s[:0].",
				"code that keeps it reads someone else's data"),
		},
		before: `var out []Row
for _, x := range in { out = append(out, convert(x)) }`,
		after: `out := make([]Row, 0, len(in))
for _, x := range in { out = append(out, convert(x)) }`,
	}.detector()
}

func allocStringConcat() Detector {
	return costKind{
		id: "AL004", kind: "alloc-string-concat", title: "Strings are built piece by piece",
		what: "Concatenating strings",
		looks: "Looks for runtime.concatstrings directly below lines of the user's code (the operator +), and for " +
			"strings.Join and Repeat.",
		scale: allocScale(), scaleWhy: allocScaleWhy,
		match: match{own: true, calls: []known.Work{known.JoinsTwo, known.JoinsParts},
			heapLeaf: []known.Work{known.JoinsParts}, through: []known.Work{known.JoinsParts, known.BuildsText}},
		rewrites: true,
		gain:     [2]float64{0.5, 0.95}, gainWhy: "a builder in a loop saves nearly all, one expression instead of " +
			"several saves half",
		explanation: "Every + of strings that escapes allocates a new one and copies both sides. In a loop (s += " +
			"piece) the cost grows with the square of the length.",
		fixes: []Remedy{
			byChange("", "Build it with a strings.Builder", "At {line}: b.Grow(n); b.WriteString(piece); one "+
				"allocation for the whole string.", "none"),
			byChange("", "Use the parts as they are",
				"At {line}: a map's key can be a struct of the parts; what is written can be written part by part "+
					"(io.WriteString, bufio.Writer); a name that is the same each time is made once, and kept.",
				"none"),
			byChange("", "Append to a buffer that is reused", "buf = append(buf[:0], a...); append(buf, b...).",
				"code that keeps it reads someone else's data"),
		},
		before: `for _, w := range words { s += w + " " }`,
		after: `var b strings.Builder
for _, w := range words { b.WriteString(w); b.WriteByte(' ') }`,
	}.detector()
}

func allocFmt() Detector {
	return costKind{
		id: "AL005", kind: "alloc-fmt", title: "Formatting with fmt takes much of the CPU", what: "Formatting with fmt",
		looks: "Looks for package fmt below lines of the user's code, scanning included. What a logger formats is " +
			"cpu-logging's.",
		scale: allocScale(), scaleWhy: allocScaleWhy,
		match:    match{callbacks: true, direct: true, calls: []known.Work{known.Formats}, into: compressors()},
		rewrites: true,
		gain:     [2]float64{0.5, 0.9}, gainWhy: "appending with strconv to a reused buffer takes a fifth of the time " +
			"and allocates nothing",
		explanation: "fmt boxes its arguments, finds their types by reflection, parses the format at every call and " +
			"allocates the result: 100–500 ns where strconv takes 20.",
		fixes: []Remedy{
			byChange(known.FmtSscan, "Parse without fmt",
				"At {line}: strconv.Parse… and strings.Cut are ten times as fast.", "more code"),
			byChange(known.FmtErrorf, "Make the error once", "At {line}: a package variable, or a type whose Error "+
				"method formats only when the error is read.", "more code"),
			byChange(known.FmtFprint, "Write the pieces",
				"At {line}: io.WriteString and strconv.AppendInt into a bufio.Writer, or fmt.Appendf into a reused "+
					"slice.",
				"more code"),
			byChange("", "Format without fmt",
				"At {line}: strconv.Itoa for one number, + for two or three strings, else strconv.Append… into a "+
					"reused buffer.",
				"more code"),
			byChange(known.FmtSprint, "Format only what is read", "Text for a log line whose level is off, or for an "+
				"error that nobody prints: pass the values (slog attributes), or check Enabled first.", "none"),
			byChange("", "Use the parts as they are", "A struct of the parts as a map key needs no string.", "none"),
		},
		before: `key := fmt.Sprintf("%s:%d", user, id)`,
		after:  `key := cacheKey{user, id} // or user + ":" + strconv.Itoa(id)`,
	}.detector()
}

func allocBytesString() Detector {
	return costKind{
		id: "AL006", kind: "alloc-bytes-string", title: "Strings and bytes are converted back and forth",
		what: "Converting between strings and bytes",
		looks: "Looks for the runtime's conversions between string, []byte and []rune directly below lines of the " +
			"user's code, and for bytes.Buffer.String.",
		scale: allocScale(), scaleWhy: allocScaleWhy,
		match: match{own: true, calls: []known.Work{known.Converts},
			through: []known.Work{known.ConvertsBuffer}, heapLeaf: []known.Work{known.ConvertsBuffer}},
		rewrites: true,
		gain:     [2]float64{0.6, 0.95}, gainWhy: "no conversion, no cost",
		explanation: "A conversion allocates and copies all bytes, because strings must not change. The compiler " +
			"avoids it only in map lookups, comparisons, range loops and concatenations.",
		fixes: []Remedy{
			byChange(known.RunesOfString, "Range over the string",
				"At {line}: for i, r := range s needs no []rune; utf8.RuneCountInString counts.", "none"),
			byChange("", "Stay with one of the two", "At {line}: package bytes has the same functions as strings. "+
				"Write []byte with w.Write, strings with io.WriteString; strconv and regexp take both.",
				"changes through several functions"),
			byChange("", "Convert once", "Keep the converted form next to the value.", "memory"),
			byChange("", "Look up without converting", "m[string(b)] and string(a) == string(b) do not allocate when "+
				"written in one expression.", "none"),
		},
		before: `for _, line := range bytes.Split(body, nl) { if strings.Contains(string(line), "error") { … } }`,
		after:  `for _, line := range bytes.Split(body, nl) { if bytes.Contains(line, errorText) { … } }`,
	}.detector()
}

func allocBoxing() Detector {
	return costKind{
		id: "AL007", kind: "alloc-boxing", title: "Values are boxed into interfaces",
		what: "Boxing values into interfaces",
		looks: "Looks for the runtime's conversions to interfaces (convT, convT64, convTstring, convTslice) directly " +
			"below lines of the user's code, and through container/heap, container/list, sync.Pool, sync.Map and " +
			"atomic.Value. Boxing that the compiler wrote as a plain allocation cannot be distinguished.",
		scale: allocScale(), scaleWhy: allocScaleWhy,
		match:    match{own: true, calls: []known.Work{known.Boxes}, through: []known.Work{known.HoldsBoxes}},
		rewrites: true,
		gain:     [2]float64{0.6, 0.95}, gainWhy: "typed code does not box",
		explanation: "An interface holds a pointer: a value that is neither a pointer nor a small integer is copied " +
			"to the heap when it becomes any.",
		fixes: []Remedy{
			byChange(known.BoxesSlice, "Put a pointer to the slice there", "At {line}: a slice in an interface is "+
				"three words on the heap: pool.Put(&buf), and *[]byte where it is taken out, copies none.", "none"),
			byChange("", "Use a type parameter or a concrete type", "At {line}: func f[T …](v T), []float64 instead "+
				"of []any, a typed heap instead of container/heap.", "other signatures"),
			byChange("", "Pass a pointer", "A *T in an interface is not copied (so put a *[]byte into a sync.Pool).",
				"what it points to lives on the heap"),
		},
		before: `func sum(xs ...any) float64 // sum(1.5, 2.5)`,
		after:  `func sum[T int | float64](xs ...T) T`,
	}.detector()
}

func allocClosure() Detector {
	return costKind{
		id: "AL008", kind: "alloc-closure", title: "Function literals are allocated at every call",
		what: "Allocating function literals",
		looks: "Looks for small objects (96 bytes or less on average) that are allocated at a line where a function " +
			"literal begins. A profile does not name what is allocated, so this is a guess " +
			"from the size and from the lines of the literals. The CPU profile must show literals of the function, " +
			"and the heap profile the size.",
		scale: allocScale(), scaleWhy: allocScaleWhy, cap: capNotice,
		match:    match{own: true},
		rewrites: true,
		gain:     [2]float64{0.5, 0.9}, gainWhy: "a literal that captures nothing, or is made once, needs no " +
			"allocation " +
			"per call",
		explanation: "A function literal that outlives its function, or is passed through an interface, is allocated " +
			"together with every variable it captures.",
		fixes: []Remedy{
			byChange("", "Make the function once", "At {line}: before the loop, as a method value kept in a field, "+
				"or as a function that takes the captured values as parameters.", "more parameters"),
			byChange("", "Pass it where it can be inlined", "A generic function of the same package that calls its "+
				"argument directly keeps the literal on the stack.", "none"),
		},
		next:   "If the guess is right, go build -gcflags=-m prints “func literal escapes to heap” for that line.",
		before: `for _, it := range items { queue.Add(func() { price(it) }) }`,
		after:  `for _, it := range items { queue.Add(task{it}) } // a value with a method`,
	}.detector()
}

func allocTimer() Detector {
	return costKind{
		id: "AL009", kind: "alloc-timer", title: "Timers are made for every call", what: "Making timers and timeouts",
		looks: "Looks for time.After, NewTimer, NewTicker, AfterFunc and Tick, and for context.WithTimeout and " +
			"WithDeadline, called by lines of the user's own code.",
		scale: Scale{Worth: 0.05, Hurts: 0.20, Top: 0.60}, scaleWhy: "a timer costs 0.3–1 µs with its channel and " +
			"garbage, a context with a deadline twice that: one per request does not show up; 5 % means tens of " +
			"thousands a second.",
		match: match{own: true, calls: []known.Work{known.StartsTimer}},
		gain:  [2]float64{0.5, 0.9}, gainWhy: "resetting a timer costs a third and makes no garbage",
		explanation: "time.After in a loop makes a timer and a channel in each iteration, and most never fire. " +
			"(Since Go 1.23 the collector frees those that nothing refers to; before that, each lived until it fired.)",
		fixes: []Remedy{
			byChange(known.Context, "Set one deadline per request", "At {line}: derive it once and pass the context "+
				"on, or call SetDeadline on the connection.", "one limit for all steps"),
			byChange("", "Reset one timer", "Before the loop at {line}: t := time.NewTimer(d); inside it t.Reset(d) "+
				"(Go 1.23 and later need no draining).", "none"),
			byChange("", "Use one ticker for all", "One time.Ticker that looks for expired entries, instead of a "+
				"timer for each.", "coarser times"),
		},
		before: `for { select { case m := <-in: handle(m); case <-time.After(time.Minute): return } }`,
		after: `t := time.NewTimer(time.Minute)
for { t.Reset(time.Minute); select { case m := <-in: handle(m); case <-t.C: return } }`,
	}.detector()
}
