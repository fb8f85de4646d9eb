package diagnose

import (
	"slices"
	"strings"

	"github.com/gocasebook/casebook/diagnose/stacks"
)

// loaders are the functions of libraries that compute or fetch what a cache lacks, or wait for who does: below them is
// the load. Names are whole.
func loaders() []string {
	return []string{
		"golang.org/x/sync/singleflight.(*Group).Do",
		"golang.org/x/sync/singleflight.(*Group).doCall",
		"github.com/golang/groupcache.(*Group).load",
		"github.com/golang/groupcache.(*Group).getLocally",
		"github.com/golang/groupcache/singleflight.(*Group).Do",
		"github.com/bluele/gcache.(*baseCache).load",
		"github.com/karlseguin/ccache/v3.(*Cache[...]).Fetch",
		"github.com/karlseguin/ccache/v3.(*LayeredCache[...]).Fetch",
		"github.com/jellydator/ttlcache/v3.LoaderFunc[...].Load",
		"github.com/jellydator/ttlcache/v3.(*SuppressedLoader[...]).Load",
		"github.com/maypok86/otter/v2.(*cache[...]).loadOrJoin",
		"github.com/maypok86/otter/v2.(*group[...]).doCall",
		"github.com/gocasebook/casebook/remedy/cache.(*Cache[...]).await",
		"github.com/gocasebook/casebook/remedy/cache.(*Cache[...]).fly",
	}
}

// loadWords are what people call a function that fetches or computes what a cache lacks.
func loadWords() []string {
	return []string{"load", "fetch", "fill", "miss", "refresh", "recompute", "rebuild", "getorset", "getorcreate",
		"getorcompute", "revalidate", "lookupdb", "fromdb", "fromorigin", "populate"}
}

// loadsBy says why a stack is thought to load what a cache lacks: a library that is known to do that, or the name of a
// function of the user's. "": it is not.
func loadsBy(t *stacks.Table, stack []stacks.FrameID) string {
	named := ""
	for _, id := range stack {
		f := t.Func(id)
		if slices.Contains(loaders(), f.Name) {
			return short(f.Name)
		}
		if f.Owner == stacks.User && named == "" && namedLoad(f.Name) {
			named = short(f.Name)
		}
	}
	return named
}

// namedLoad reports whether the last part of a function's name has one of the words.
func namedLoad(name string) bool {
	for part := range strings.SplitSeq(name[strings.LastIndexByte(name, '/')+1:], ".") {
		part = strings.ToLower(part)
		for _, word := range loadWords() {
			if strings.HasPrefix(part, word) || strings.HasSuffix(part, word) {
				return true
			}
		}
	}
	return false
}

// loaderOf is the user's function that loads: the first below a library's loader that is no function literal, else the
// innermost with such a name; NoFrame without either.
func loaderOf(t *stacks.Table, stack []stacks.FrameID) stacks.FrameID {
	found := stacks.NoFrame
	for _, id := range stack {
		f := t.Func(id)
		if f.Owner == stacks.User && !strings.Contains(f.Name, ".func") {
			found = id
		}
		if found != stacks.NoFrame && slices.Contains(loaders(), f.Name) {
			return found
		}
	}
	for _, id := range stack {
		if f := t.Func(id); f.Owner == stacks.User && namedLoad(f.Name) {
			return id
		}
	}
	return stacks.NoFrame
}
