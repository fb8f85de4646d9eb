package diagnose

import (
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/refs"
)

// holderRemedies are a leak's remedies when its holder is known: what to do about that one comes first, and nobody
// needs to look for it any more. Other findings about memory keep theirs: what they ask for does not depend on the
// holder.
func holderRemedies(remedies []casefile.Remedy, root refs.Root, text string) []casefile.Remedy {
	if !slices.ContainsFunc(remedies, func(r casefile.Remedy) bool { return r.Name == whoRemedy }) {
		return remedies
	}
	first, ok := letGo(root, text)
	if !ok {
		return remedies
	}
	rest := slices.DeleteFunc(slices.Clone(remedies), func(r casefile.Remedy) bool {
		return r.Name == whoRemedy || r.Name == boundRemedy
	})
	return append([]casefile.Remedy{first}, rest...)
}

// aBound is the remedy that a known holder replaces.
func aBound(text, price string) casefile.Remedy {
	return withName(boundRemedy, doChange("Bound it", text, price))
}

// letGo is how a holder lets go of what it holds.
func letGo(root refs.Root, text string) (casefile.Remedy, bool) {
	switch kind := root.Kind; {
	case kind == refs.Global, root.Name == "main.main": // which ends with the process
		return aBound(fmt.Sprintf("What stays is kept by %s: limit the map, slice or list there by "+
			"number or bytes, and expire old entries; delete an entry where its owner ends.", text),
			"dropped entries must be made or fetched again"), true
	case kind == refs.Goroutine:
		return doChange("Let the goroutine end, or let go", fmt.Sprintf("What stays is held by %s: let it return when "+
			"its work is done (a context, a closed channel), or limit what it collects.", text), "none"), true
	case kind == refs.Timer:
		return doChange("Stop the timers", "What stays is held by timers until they fire: call Stop of the timer or "+
			"ticker, or the cancel function of the context, where the work ends; a function for time.AfterFunc "+
			"should capture little.", "none"), true
	case kind == refs.Finalizer:
		return doChange("Free it without a finalizer", fmt.Sprintf("What stays is held by %s: a finalizer that blocks "+
			"stops all others, and objects in a cycle with one are never freed. Close explicitly, or use "+
			"runtime.AddCleanup.", text), "a Close to call at every place"), true
	}
	return casefile.Remedy{}, false
}
