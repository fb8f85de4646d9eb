package diagnose

import "github.com/gocasebook/casebook/diagnose/known"

// The kinds of this file are things that are made again for every call although once is enough. A small share is worth
// knowing, because nearly all of it can be saved.

// onceScale: making the same thing again is waste whatever its share; 3 % of the CPU is what a benchmark of the whole
// service can show, 20 % is what services are scaled out for.
func onceScale() Scale { return Scale{Worth: 0.03, Hurts: 0.20, Top: 0.60} }

// onceNoticed, at lines of the user's, is a notice in a process that uses little CPU, too: the change is small.
const onceNoticed = 0.05

const onceScaleWhy = "making the same thing again is waste whatever its share; 3 % is what a benchmark of the whole " +
	"service can show, 20 % is what services are scaled out for."

const onceGainWhy = "made once at start-up, the cost is gone, except for a lookup if there are several"

func regexpCompile() Detector {
	return costKind{
		id: "AL013", kind: "regexp-compile", title: "Regular expressions are compiled again and again",
		what: "Compiling regular expressions",
		looks: "Looks for regexp.Compile, MustCompile and MatchString (the function, which compiles), and for " +
			"regexp2, below lines of the user's code or, if there are none, of a dependency.",
		scale: onceScale(), scaleWhy: onceScaleWhy,
		match: match{inner: true, calls: []known.Work{known.CompilesPattern}},
		gain:  [2]float64{0.85, 1}, gainWhy: onceGainWhy,
		explanation: "Compiling parses the expression, builds a program and allocates for each step: 5–100 µs, a " +
			"hundred times the cost of matching a short text.",
		fixes: []Remedy{
			byChange(known.RegexpMatch, "Compile once and call the method",
				"At {line}: regexp.MatchString compiles at every call; keep a *regexp.Regexp in a package variable.",
				"none"),
			byChange("", "Compile once",
				"At {line}: move it to a package variable or a field set at start-up; a *regexp.Regexp is safe for "+
					"concurrent use.",
				"none").named("build-once"),
			byChange("", "Keep the compiled expressions if patterns vary",
				"A bounded map or cache (github.com/maypok86/otter/v2) from pattern to *regexp.Regexp.",
				"memory for the patterns; without a bound it is a leak").named("keep-each"),
			byChange("", "Do without", "strings.HasPrefix, Contains, Cut or path.Match are enough for many patterns.",
				"more code"),
		},
		before: `func valid(s string) bool { return regexp.MustCompile("^[a-z]+$").MatchString(s) }`,
		after: `var word = regexp.MustCompile("^[a-z]+$")

func valid(s string) bool { return word.MatchString(s) }`,
	}.detector()
}

func templateParse() Detector {
	return costKind{
		id: "AL014", kind: "template-parse", title: "Templates are parsed again and again", what: "Parsing templates",
		looks: "Looks for parsing, cloning and escaping with text/template and html/template (html/template escapes " +
			"at the first Execute after parsing), and with the common other engines.",
		scale: onceScale(), scaleWhy: onceScaleWhy,
		match: match{inner: true, calls: []known.Work{known.ParsesTemplate}},
		gain:  [2]float64{0.85, 1}, gainWhy: onceGainWhy,
		explanation: "Parsing builds a tree of nodes and, for html/template, analyses the context of every value: 50 " +
			"µs to milliseconds, many times the cost of executing.",
		fixes: []Remedy{
			byChange("", "Parse once",
				"At {line}: parse at start-up and keep the *template.Template; only Execute belongs in a request, "+
					"and it is safe for concurrent use.",
				"a restart, or a watcher, to pick up changed files"),
			byChange("", "Pass what varies as data", "Functions and texts that differ from request to request belong "+
				"in the data, not in Funcs or the template's text.", "none"),
			byPackage("", "Generate code from templates",
				"github.com/a-h/templ and github.com/valyala/quicktemplate compile templates to Go: 5–20 times "+
					"as fast.",
				"a generator in the build"),
		},
		before: `t := template.Must(template.ParseFiles("page.html")); t.Execute(w, data)`,
		after: `var page = template.Must(template.ParseFiles("page.html"))
…
page.Execute(w, data)`,
	}.detector()
}

func reflectPerCall() Detector {
	return costKind{
		id: "AL015", kind: "reflect-per-call", title: "The fields of types are looked up at every call",
		what:   "Looking up fields, methods and tags of types",
		whatOf: map[known.Work]string{known.CompilesType: "Describing and compiling types for gob"},
		looks: "Looks for reflect.Type's Field, FieldByName, Method and MethodByName, Value.FieldByName and " +
			"MethodByName, and StructTag.Get and Lookup, called by lines of the user's own code: their answer " +
			"depends on the type only. So does what gob sends and compiles of a type, once for each Encoder and Decoder.",
		scale: onceScale(), scaleWhy: onceScaleWhy,
		match: match{own: true, calls: []known.Work{known.AsksType, known.CompilesType},
			through: []known.Work{known.CarriesTypes}},
		// In the lab's ads/reflect-report, code for the type instead of reflection saved 1.4 times the visible cost.
		rewrites: true,
		gain:     [2]float64{0.6, 1.6}, gainWhy: "with a plan kept per type only reading the fields remains; code " +
			"written for the type needs no reflection at all",
		explanation: "FieldByName walks all fields, Field allocates the path of the field, and Get parses the tag " +
			"each time. The answer is the same for every value of the type.",
		fixes: []Remedy{
			byChange(known.Gob, "Copy without gob, or keep the Encoder and Decoder", "Each new Encoder describes "+
				"the types again, and each new Decoder compiles them. For a deep copy, a method that copies the fields "+
				"takes a hundredth. For a stream of messages, keep one of each for the connection. For values "+
				"that are stored one by one, use a format that keeps what it learned of a type: encoding/json, protobuf.",
				"a method to keep in sync with the fields"),
			byChange("", "Ask once per type", "At {line}: build a slice of what you need (index, name, parsed tag) "+
				"when a type is first used, and keep it in a sync.Map keyed by reflect.Type.", "more code").but(known.Gob),
			byChange("", "Write or generate the code for these types", "One method per type needs no reflection.",
				"code that must be kept in sync with the types"),
			byPackage("", "Use a package that keeps plans", "github.com/go-viper/mapstructure/v2 and encoding/json "+
				"cache what they learn about a type.", "a dependency"),
		},
		before: `for i := range t.NumField() { name := t.Field(i).Tag.Get("db") … } // for every row`,
		after:  `plan := planFor(t) // sync.Map of reflect.Type to []column`,
	}.detector()
}

func loopInvariant() Detector {
	return costKind{
		id: "AL016", kind: "alloc-loop-invariant", title: "The same helper is built again and again",
		what: "Building the same helper again",
		looks: "Looks for constructors of objects that are meant to be kept: strings.NewReplacer, time.LoadLocation, " +
			"random generators, ciphers, certificates and pools of them, printers, transports and clients, prepared " +
			"schemas and expressions. Only the source shows whether their arguments really are the same each time. " +
			"What prepares itself at its first use (below a sync.Once of a dependency) and takes CPU all the time is " +
			"made anew for each use, whatever it is. So is a database in the process (its calls wait for no network) that " +
			"requests open and fill, by an execution trace: at least 5 requests, 4 calls each.",
		scale: onceScale(), scaleWhy: onceScaleWhy, cap: capUnsure,
		match: match{inner: true, calls: []known.Work{known.BuildsHelper}},
		gain:  [2]float64{0.85, 1}, gainWhy: onceGainWhy,
		explanation: "These constructors do the work up front so that each use is cheap. Built for a single use, " +
			"they cost many times that use. A strings.Replacer builds its table at the " +
			"first Replace, a time.Location reads and parses a file.",
		fixes: []Remedy{
			byChange(known.NetHTTP, "Keep one client", "A Transport owns its connections: a new Transport for each call "+
				"opens new connections.", "none"),
			byChange(known.MathRand, "Use the package's functions, or math/rand/v2",
				"The top-level functions need no seed since Go 1.20 and do not lock since 1.22.",
				"not repeatable; keep one generator if that matters"),
			byChange("", "Build it once", "At {line}: move it out of the loop or the request, into a package "+
				"variable or a field; use sync.OnceValue if it must be built lazily.",
				"none if it is safe for concurrent use, otherwise a sync.Pool").named("build-once"),
			byChange("", "Keep one for each argument", "If there are several, a bounded map from the argument to the "+
				"built object.", "memory").named("keep-each"),
		},
		next:   "Read the source at the line: if the arguments differ each time, keep one for each.",
		before: `out := strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace(in) // each time`,
		after: `var escape = strings.NewReplacer("<", "&lt;", ">", "&gt;")
…
out := escape.Replace(in)`,
	}.detector().or(preparedAnew().worst, madeAnew().worst, filledForEach)
}
