package diagnose

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
)

// A Remedy is one thing to do about a kind of finding, as its detector knows it before it has seen any evidence.
type Remedy struct {
	Calls string   // it applies if the line calls a function that begins with this; "" is any
	Not   []string // but not with one of these
	Pools bool     // it keeps objects in a pool: no advice where a pool made them
	casefile.Remedy
}

// Line in a Remedy's text is replaced by the place to change.
const Line = "{line}"

// byChange, byPackage and byValue make remedies that change code, import a package, and set a value.
func byChange(calls, title, text, price string) Remedy {
	return Remedy{Calls: calls, Remedy: doChange(title, text, price)}
}

func byPackage(calls, title, text, price string) Remedy {
	return Remedy{Calls: calls, Remedy: takePackage(title, text, price)}
}

func byValue(calls, title, text, price string) Remedy {
	return Remedy{Calls: calls, Remedy: setValue(title, text, price)}
}

// fits reports whether it is for a line that calls a function.
func (r Remedy) fits(call string) bool {
	return strings.HasPrefix(call, r.Calls) && longest(r.Not, call) == 0
}

// but leaves out calls that begin with one of the prefixes.
func (r Remedy) but(prefixes ...string) Remedy {
	r.Not = prefixes
	return r
}

// needs says what must be so in the source for it.
func (r Remedy) needs(what string) Remedy {
	r.Needs = what
	return r
}

// named gives it the name by which the source rules it out.
func (r Remedy) named(name string) Remedy {
	r.Name = name
	return r
}

// sets says which setting in code it changes.
func (r Remedy) sets(what string) Remedy {
	r.Sets = what
	return r
}

// poolsIt is a remedy that keeps objects in a pool, which is none where a pool made them.
func (r Remedy) poolsIt() Remedy {
	r.Pools = true
	return r
}

// remediesAt are remedies for a finding, with the place to change in their texts.
func remediesAt(place string, rs ...Remedy) []casefile.Remedy {
	out := make([]casefile.Remedy, 0, len(rs))
	for _, r := range rs {
		r.Text = strings.ReplaceAll(r.Text, Line, place)
		out = append(out, r.Remedy)
	}
	return out
}

func doChange(title, text, price string) casefile.Remedy {
	return casefile.Remedy{Kind: casefile.Change, Title: title, Text: text, Price: price}
}

// inGeneral is a change that would be advised in any program of which only so much is known.
func inGeneral(title, text, price string) casefile.Remedy {
	return withName(generalRemedy, doChange(title, text, price))
}

func setValue(title, text, price string) casefile.Remedy {
	return casefile.Remedy{Kind: casefile.Value, Title: title, Text: text, Price: price}
}

func takePackage(title, text, price string) casefile.Remedy {
	return casefile.Remedy{Kind: casefile.Package, Title: title, Text: text, Price: price}
}

// ofLibrary is the remedy for a call of a library function that no row is for, or nothing.
func ofLibrary(call string) []casefile.Remedy {
	rs := slices.Concat(workRemedies(), libraryRemedies())
	if i := slices.IndexFunc(rs, func(r Remedy) bool { return r.fits(call) }); i >= 0 {
		return []casefile.Remedy{rs[i].Remedy}
	}
	return nil
}

// byWork is a change for each function that does a work.
func byWork(work known.Work, title, text, price string) (out []Remedy) {
	for _, name := range known.DoneBy(work) {
		out = append(out, byChange(name, title, text, price))
	}
	return out
}

// workRemedies are for work that is expensive whoever does it; libraryRemedies come after them.
func workRemedies() []Remedy {
	return slices.Concat(
		// where no heap profile shows which contexts stay
		byWork(known.AsksContext, "Shorten the chain of contexts: one for each round, from the one outside",
			"A look-up takes nanoseconds for each context on the way, so there are many. Look where a context is "+
				"derived from that of the round before, in a loop or from a field that lives on (ctx = "+
				"context.WithValue(ctx, …)): give what each round makes a name of its own, derived from the one outside. "+
				"If many layers add a value each, one struct under one key; and what is asked for often is looked up "+
				"once, and passed on as an argument.", "none"),
		// written for a person who looks for a mistake: mostly nobody does
		byWork(known.DumpsValues, "Leave it out unless somebody reads it",
			"Arguments are computed before the logger looks at its level: ask first whether the level is on "+
				"(Enabled, IsLevelEnabled), or pass a value whose String or LogValue method writes it when it is needed. "+
				"In an error, keep what says which case it was, and not the whole value or stack.",
			"fewer details to read later"),
		byWork(known.SumsBytes, "Sum more bytes in one call",
			"A call for each byte costs many times what a byte does in a call for thousands: hand over the whole slice, "+
				"or collect what comes in small pieces. Of CRC-32, the IEEE and Castagnoli polynomials have "+
				"instructions of the processor; others go through a table. What does not change is summed when it is "+
				"written.", "none"),
		byWork(known.FoldsCase, "Fold each text once, and look it up by that",
			"Keep the folded form beside each element, or better a map from it to the element: then a request folds "+
				"what it looks for, once, and compares with none of the others. Where two texts are compared and no "+
				"more, strings.EqualFold allocates nothing.", "memory for the folded forms"))
}

// libraryRemedies are for library functions that are known to be expensive; the first that fits counts.
func libraryRemedies() []Remedy {
	return []Remedy{
		byChange(known.RegexpMustCompile, "Compile the regular expression once",
			"Move it to a package variable or a field that is set at start-up; a *regexp.Regexp is safe for "+
				"concurrent use.", "none"),
		byChange(known.RegexpCompile, "Compile the regular expression once",
			"Keep the compiled expression in a package variable, a field, or a bounded map when patterns "+
				"vary.", "none"),
		byChange(known.Regexp, "Match with less than a regular expression",
			"strings.HasPrefix, strings.Contains, strings.Cut or a switch are 10–100 times faster if they "+
				"are enough.", "more code"),
		byChange(known.ParsesForm, "Let small files stay in memory", "What a form has beyond the bytes that "+
			"ParseMultipartForm is given is written to temporary files, and read from there: give it what most uploads "+
			"need, or stream each part with MultipartReader.", "memory for as many uploads as come at a time"),
		byChange(known.HTMLTemplateExecute, "Render less",
			"Keep the rendered page, or the parts that are the same for everybody, as long as it is valid; "+
				"pass data in the form in which it is shown, because calls from a template use reflection.",
			"a page can be stale"),
		byChange(known.TextTemplateExecute, "Render less",
			"Keep the rendered text, or the parts that are the same for everybody, as long as it is valid; "+
				"pass data in the form in which it is shown, because calls from a template use reflection.",
			"a text can be stale"),
		byChange(known.HTMLTemplate, "Parse templates once",
			"Parse at start-up and keep the *template.Template; only Execute belongs in a request.", "none"),
		byChange(known.TextTemplate, "Parse templates once",
			"Parse at start-up and keep the *template.Template; only Execute belongs in a request.", "none"),
		byChange(known.JSON, "Encode and decode less, or faster",
			"Cache encoded responses, decode into structs instead of map[string]any, decode only what is "+
				"used.", "a cache can be stale"),
		byChange(known.Fmt, "Format without fmt",
			"strconv.Append… into a reused buffer avoids reflection and allocation.", "more code"),
		byChange(known.Sort, "Sort less",
			"Keep the data sorted, or use slices.SortFunc, which needs no reflection or interface calls.", "none"),
		byChange(known.SlicesSort, "Sort less",
			"Keep the data sorted as it is changed, or sort once and cache the result.", "memory"),
		byChange(known.Compress, "Compress less",
			"Use a lower level, or cache the compressed form; klauspost/compress is faster at the same ratio.",
			"larger answers"),
		byChange(known.PBKDF2, "Check a password once per session, derive a key once",
			"The hash is slow on purpose and must stay slow: hand out a session token after the first check.",
			"sessions must be revocable"),
		byChange(known.Crypto, "Do the cryptography less often",
			"Keep connections and sessions alive; cache verified tokens as long as they are valid.",
			"a revoked token stays valid a little longer"),
	}
}

// endAsKnown is the remedy where it is known how something ends.
func endAsKnown(at string, row *known.Row) casefile.Remedy {
	return doChange(row.Setting, fmt.Sprintf("At %s: %s.", at, row.Remedy), "none")
}

// newerRelease says that a newer release of a module may be what it takes.
func newerRelease(module string) casefile.Remedy {
	return takePackage("If there is nothing to close, look for a newer release of "+shortModule(module),
		"What its user cannot end is the module's own fault: its change log and its issues say whether a release ends "+
			"these goroutines; "+upgradeCommand(module), "a new release of a dependency: read its notes")
}

func upgradeCommand(module string) string { return "go get " + module + "@latest" }
