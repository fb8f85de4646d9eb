package known

import (
	"slices"
	"strings"
)

// The words of this file are guesses: English words in the names of the user's own functions. They decide something only
// where the shape of the code fits, and go when the code itself is read.

// QuadraticWords say that a function compares each element of a collection with others.
func QuadraticWords() []string {
	return strings.Fields("dedup deduplicate uniq unique distinct intersect intersection diff difference union merge " +
		"group join pairs duplicates")
}

// SaysWait reports whether the words of a function's name say that it waits. It begins with the verb, as names of
// functions do; what waits for a time or in a list is a number.
func SaysWait(words []string) bool {
	return len(words) > 0 && slices.Contains(strings.Fields("wait await busy spin sleep delay pause pace throttle"),
		words[0]) && !slices.ContainsFunc(words[1:], func(w string) bool {
		return slices.Contains(strings.Fields("time times duration durations seconds ms count queue list"), w)
	})
}

// GivesNothing reports whether a method of this name returns nothing that could be closed: an interface of the standard
// library says so (io.Writer, io.StringWriter, io.Reader, io.Closer, io.Seeker, fmt.Stringer, error, http.Handler …),
// whose signatures go vet holds methods to.
func GivesNothing(method string) bool {
	return slices.Contains(strings.Fields("Write WriteString WriteByte WriteRune WriteTo WriteAt Read ReadAt ReadByte "+
		"ReadRune ReadFrom Seek Close Flush Sync String Error Len ServeHTTP Lock Unlock"), method)
}

// A HandsOn is what a call hands on to code below it.
type HandsOn uint8

// What calls hand on.
const (
	HandsOnNothing  HandsOn = iota
	HandsOnRequests         // to whoever answers them
	HandsOnProgram          // outside of a request: to what the program does
	HandsOnInChain          // a request, to the next of a chain of handlers, where it stands in one
)

// HandsOnByName is what a method or function, by its own name, hands on.
func HandsOnByName(name string) HandsOn {
	switch name {
	case "ServeHTTP", "Serve", "ListenAndServe", "ListenAndServeTLS", "RoundTrip", "ServeConn":
		return HandsOnRequests
	case "Handle", "Run", "Start", "Execute":
		return HandsOnProgram
	case "Next":
		return HandsOnInChain
	}
	if strings.HasSuffix(name, "_Handler") { // as protoc-gen-go-grpc names them
		return HandsOnRequests
	}
	return HandsOnNothing
}

// ChangesByName reports whether a method, by its name, changes the value that it is called on: what one call does is
// not what the next one does.
func ChangesByName(method string) bool {
	return beginsWithWord(method, "Append Commit Delete Exec Insert Move Prepend Push Put Remove Save Set Store "+
		"Update Upsert")
}

// beginsWithWord reports whether a name begins with one of some words.
func beginsWithWord(name, words string) bool {
	return slices.ContainsFunc(strings.Fields(words), func(word string) bool {
		rest, begins := strings.CutPrefix(name, word)
		return begins && (rest == "" || rest[0] >= 'A' && rest[0] <= 'Z')
	})
}

// HandsOutByName reports whether a method, by its name, does something outside with what it is given: its result is an
// error, and nothing that could be kept.
func HandsOutByName(method string) bool {
	return beginsWithWord(method, "Send Publish Produce Emit Write Flush Notify")
}

// MakesByName reports whether a function, by its name, makes a thing that is meant to be kept, as Go's constructors are
// called: esutil.NewBulkIndexer. One that parses or hashes what it is given is called otherwise.
func MakesByName(function string) bool {
	_, name, ok := strings.Cut(function[strings.LastIndexByte(function, '/')+1:], ".")
	return ok && beginsWithWord(name, "New MustNew Dial Open Connect")
}

// ParsesByName reports whether a function, by its name, makes a whole of an input: a document, a table.
func ParsesByName(name string) bool {
	name = name[strings.LastIndexByte(name, '/')+1:]
	return slices.ContainsFunc(strings.Fields("Parse parse Decode decode Unmarshal unmarshal"), func(word string) bool {
		return strings.Contains(name, word)
	})
}

// LoadWords are how the name of a function begins or ends that fetches or computes what a cache lacks.
func LoadWords() []string {
	return strings.Fields("load fetch fill miss refresh recompute rebuild getorset getorcreate getorcompute " +
		"revalidate lookupdb fromdb fromorigin populate")
}

// DecompressWords are in the names of functions that decompress.
func DecompressWords() []string {
	return strings.Fields(").Read Reader) reader) decompressor) Decoder) Decode Decompress Uncompress NewReader")
}

// BeginsByName is what a method, by its name, begins that only another call ends; nil of most.
func BeginsByName(method string) *Row {
	for _, word := range []string{"Subscribe", "AddListener", "AddEventListener", "AddEventHandler", "AddObserver",
		"Watch", "Register"} {
		if strings.Contains(method, word) && !strings.HasPrefix(method, "Un") {
			return &Row{Roles: MustBeEnded, Setting: "Undo " + method + " when who asked for it has gone",
				Remedy: "call the Unsubscribe, Unregister, Remove, Cancel or Close that goes with " + method + ", on " +
					"every " +
					"path, of what it returned or with what it was given: what it registers stays until then. Or make " +
					"one at the " +
					"start, for all"}
		}
	}
	return nil
}
