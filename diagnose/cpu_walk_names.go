package diagnose

import (
	"slices"
	"strings"
)

// A profile has names, and people name a search for what it is: ContainsInt64, IsIdInList, intersect. A name alone is
// no evidence, because find may walk a tree; with the shape of the code (cpu_walk.go) it is what an expert goes by,
// too. The words come from how people name such functions in public repositories.

// plainWords say that a function compares elements, whatever its loop looks like: some go on after they have found it.
func plainWords() []string {
	return strings.Fields("contains contain exists exist includes include member intersect intersection common " +
		"overlap overlaps dedup dedupe deduplicate uniq unique distinct duplicates")
}

// searchWords say that a function looks for an element.
func searchWords() []string {
	return strings.Fields("contains contain has have exists exist find search lookup includes include member seen " +
		"present banned blocked blacklisted whitelisted allowed denied forbidden listed registered subscribed " +
		"duplicate")
}

// leavingWords say so only of a loop that can end at its comparison: others get or delete without looking.
func leavingWords() []string {
	return strings.Fields("get fetch load delete remove evict unregister match matches matching covers hit locate " +
		"position resolve of in by index known taken enabled")
}

// matchWords say that a function compares collections with each other.
func matchWords() []string {
	return append(quadraticNames(), strings.Fields("common overlap overlaps overlapping conflict conflicts subset "+
		"exclude excluding subtract missing collision collisions collides")...)
}

// gatherWords are those of matchWords that are about one collection.
func gatherWords() []string {
	return strings.Fields("dedup dedupe deduplicate uniq unique distinct duplicates")
}

// listWords are in the names of types that are lists.
func listWords() []string { return strings.Fields("list array slice") }

// otherWords say that a function does something else, or that it looks for something for which no map and no sorted
// slice helps: in bytes, in a tree, by distance. They are the names of arithmetic, codecs, parsers and checks.
func otherWords() []string {
	return strings.Fields("sum total mean avg average hash crc checksum digest adler fnv murmur encode decode pack " +
		"unpack compress decompress inflate deflate encrypt decrypt xor sort sorted swap partition heap binary " +
		"bisect tree trie node bucket probe bloom radix prime factor gcd min max best top nearest closest neighbour " +
		"neighbor distance dist dot norm cosine similarity score rank weight matrix mul multiply product vector blur " +
		"convolve filter scale resize pixel histogram byte bytes rune runes char chars ascii utf utf8 valid validate " +
		"space spaces newline eol delim delimiter separator token tokens quote digit digits prefix suffix substring " +
		"pattern glob wildcard regex text len length longest edit levenshtein path cycle random spin wait busy bit " +
		"bits mask zero zeros peak highest lowest biggest smallest cheapest oldest newest latest earliest least most " +
		"sub substr skip skiplist root equal compare cmp less check verify eval evaluate heuristic")
}

// A purpose is what the names say a loop is for.
type purpose uint8

const (
	unnamed   purpose = iota
	searches          // looks for an element
	gathers           // looks for each element among those gathered so far
	matches           // compares two collections
	different         // does something else
)

// purposeOf is what the name of a function says. leaves tells whether its loop can end at its comparison.
func purposeOf(name string, leaves bool) purpose {
	has := func(list []string) bool { return hasWord(name, list) }
	switch {
	case has(otherWords()), anyOf(typeWords(name), otherWords()):
		return different
	case has(gatherWords()):
		return gathers
	case has(matchWords()):
		return matches
	case has(searchWords()), leaves && has(leavingWords()):
		return searches
	}
	return unnamed
}

// ofList reports whether a function is a method of a list.
func ofList(name string) bool {
	return anyOf(typeWords(name), listWords())
}

func anyOf(words, list []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(list, w) })
}

// typeWords are the words of the name of a method's receiver, in lower case.
func typeWords(name string) []string {
	name = strings.ReplaceAll(short(name), "[...]", "")
	parts := strings.Split(name, ".")
	if len(parts) < 3 {
		return nil
	}
	return nameWords("." + strings.Trim(parts[1], "(*)"))
}
