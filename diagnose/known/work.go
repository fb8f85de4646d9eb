package known

// A Work is what a function does for whoever calls it, and so what the CPU and the garbage below the call went to. What
// it means that so much went there is no affair of this package.
type Work uint16

// The works.
const (
	NoWork Work = iota

	// What is made of a description, and could be kept.
	CompilesPattern  // makes a regular expression of its text
	ParsesTemplate   // makes a template of its text
	ExecutesTemplate // fills a template with data
	AsksType         // asks a type for its fields, methods or tags
	CompilesType     // describes or compiles a type for a stream that carries its types
	CarriesTypes     // is of such a stream
	BuildsHelper     // makes an object that is meant to be kept: a table, a cipher, a pool of certificates, a schema

	// Memory.
	OfRuntime       // is of the runtime, which a heap profile leaves out at the leaf
	MakesObject     // makes a slice or a value
	MakesLarge      // makes an object that the heap itself gives, above 32 KiB
	MakesMap        // makes or enlarges a map
	FillsMap        // puts an element into a map
	CopiesMap       // makes a map like another
	OfMap           // is of the runtime's maps
	MakesStream     // makes a reader, a writer or a codec with buffers of its own
	MakesCodecLate  // of these: one that makes its buffers at its first use
	UsesCodec       // a method of one that is made late
	GrowsSlice      // moves a slice to a larger array
	GrowsBuffer     // moves the bytes of a buffer or a builder to a larger array
	GrowsOnce       // makes room for what its caller says is to come
	ReadsAll        // reads a stream until its end into a slice that grows
	ReadsWhole      // makes the whole of an input: a body, a file, a line
	ReadsRecord     // makes a record's text as a whole, and a list of its fields
	GrowsForCaller  // appends for its caller
	CopiesForCaller // moves or copies elements for its caller
	CopiesStruct    // copies a large struct or array, passed or assigned by value
	BuildsText      // is a method of strings.Builder
	BuildsBytes     // is a method of bytes.Buffer
	JoinsTwo        // what + of strings calls
	JoinsParts      // joins or repeats strings
	CutsPart        // returns parts of the text that it is given, which keep all of it
	Converts        // copies between a string and a slice
	ConvertsBuffer  // of a buffer
	Boxes           // copies a value to the heap for an interface
	HoldsBoxes      // keeps values as interfaces
	TakesPooled     // takes an object from a pool, which makes one if it has none

	// Formats.
	Formats         // formats text by verbs
	EncodesJSON     // encodes or decodes JSON
	DecodesAny      // of these: without a type that says what is wanted
	EncodesXML      // encodes or decodes XML
	EncodesProtobuf // encodes, decodes or copies protocol buffers
	ProtobufByName  // of these: without code or tables for the type
	Compresses      // compresses or decompresses
	SearchesMatches // of these: looks for the longest match, at more places the higher the level
	LeastCodec      // of these: what costs least of its format
	StoresAsIs      // of these: puts out what it was given, because compressing does not make it smaller
	PutsOut         // of these: puts out whatever it made
	EncryptsOrSigns // is cryptography, other than a connection's
	DerivesKey      // derives a key from a password, slowly on purpose
	SumsBytes       // makes a checksum or a digest
	Digests         // is of a hash that tells values apart: no checksum of a format
	MatchesPattern  // matches a regular expression
	MakesError      // makes an error of its own for a call that has failed
	FailsToParse    // of these: for a text of another form than was tried, which parsers that try several throw away
	StartsTimer     // makes a timer, or a context with one
	DumpsValues     // writes all of a value, or the stack, for a person who looks for a mistake
	WritesLog       // formats and writes lines of a log

	// Algorithms.
	FoldsCase    // makes a text in lower or upper case, or in another form in which texts are compared
	Sorts        // sorts
	Compares     // says which of two values comes first, and makes nothing of them
	Searches     // compares one element, or one piece of a text, after another
	CopiesValues // makes a deep copy of a value of any type
	Reflects     // reads or writes values of types that are known only at run time
	ReadsClock   // asks for the time
	CallsIntoC   // calls C, or is called by it
	Yields       // lets other goroutines run and goes on
	Atomics      // reads or writes what other processors write, too
	Synchronises // is a method of package sync
	Selects      // waits for one of several channels, or looks whether one is ready
	StepsMap     // goes to the next element of a map
	BeginsWalk   // begins to go through a map
	MovesMessage // hands over a message, or waits for one, in a select

	// Connections.
	LooksUpName      // asks for the addresses of a name
	ShakesHands      // agrees with the other side of a connection on keys, or checks who that is
	ShakesAsClient   // of these: of who opens the connection
	ShakesAsServer   // of these: of who accepts it
	Dials            // opens a connection
	DialsForHTTP     // opens one for an HTTP client
	ClosesConn       // closes one
	SetsUpTransport  // is done once in the life of an HTTP client's transport
	SizesBuffer      // makes the buffer of a reader or a writer
	AsksHTTP         // makes a request of an HTTP client
	RoundTripsHTTP   // of these: one try
	AwaitsHTTP       // waits for its answer
	ReadsForHTTP     // reads from a connection of an HTTP client, in a goroutine of its own
	WritesForHTTP    // writes to it, in another
	OfHTTPClient     // is of a connection of an HTTP client, or of its transport
	SpeaksHTTP       // is of a package that speaks HTTP by itself
	CallsHandler     // calls the handler of a request
	ServesConn       // is the goroutine of a server's HTTP/1 connection
	OfHTTP2Server    // is of a server's HTTP/2 connection
	OfHTTP2          // is of a package that speaks HTTP/2
	OfGRPC           // is gRPC's
	OfGRPCTransport  // is of a gRPC connection
	CallsGRPC        // makes a gRPC call with one answer
	StreamsGRPC      // answers a gRPC call that is a stream
	ReceivesGRPC     // waits for the next message of a gRPC stream
	OfRequestConn    // is of the connection on which a request came
	WritesAnswer     // writes an answer to a server's connection
	FlushesAnswer    // sends what is there of an answer that goes on
	WatchesClient    // reads from a request's connection to notice that its client leaves
	EndsContext      // is the goroutine that a timer begins to end a context at its deadline
	ReadsRequest     // reads a request, and makes an object for it
	AcceptsForServer // accepts a server's connections
	AwaitsToBeAsked  // waits for a connection or a signal
	ReadsFD          // reads from a connection or a pipe, or waits until it can
	AwaitsConnect    // waits until a connection is open, or a write can go on
	WritesFD         // writes to one, or waits until it can
	LocksFD          // waits for another goroutine that reads or writes the same
	OfSocket         // is a system call on a socket
	SendsOnSocket    // of these: one that sends
	ReceivesOnSocket // of these: one that receives
	ReceivesPacket   // of these: one that receives a datagram
	OfConn           // is a method of a connection
	WritesConn       // of these: Write
	ReadsConn        // of these: Read
	ReadsPackets     // waits for a datagram
	FlushesBuffer    // writes out what a buffer holds
	PassesStream     // moves a stream: how many system calls it takes depends on the data
	CopiesStream     // of these: with a buffer that it makes
	ServesProfiles   // takes profiles for who asks over HTTP
	ServesTrace      // of these: traces

	// Goroutines, and what the runtime does for them.
	StartsGoroutine  // starts a goroutine
	StartsForCaller  // starts its caller's function in a goroutine
	StartsInGroup    // of these: in a group that is waited for
	AwaitsGroup      // waits for a group of goroutines
	EndsGoroutine    // ends one
	GoesIdle         // looks for a goroutine to run, and finds none
	AsksCallers      // asks which functions have called it
	NamesCallers     // asks in which file and line they are
	Parks            // leaves the processor to others, until somebody wakes it
	SchedulesNext    // looks for who is next, after one has parked
	SchedulesYield   // the same, after one has yielded
	Preempts         // interrupts a goroutine that runs long
	SweepsBehind     // is the collector's goroutine that sweeps
	MarksBehind      // is one of the collector's that mark
	Sends            // sends to a channel
	Receives         // receives from one
	SendsIfReady     // the same in a select with a default
	ReceivesIfReady  // the same
	MakesChannel     // makes a channel
	Sleeps           // sleeps for a time
	RunsFinalizers   // runs finalizers and cleanups
	SetsFinalizer    // sets or removes one
	QueuesFinalizer  // is what the collector does for them alone
	ForcesCollection // makes the collector run
	StartsPackages   // is the initialization of packages

	// Locks.
	OfMutex       // is a method of sync.Mutex, or below one
	OfRWMutex     // is a method of sync.RWMutex
	LocksAlone    // waits to write, of an RWMutex
	LocksToRead   // takes or gives back an RWMutex for reading
	OfOnce        // is a method of sync.Once
	RunsOnce      // of these: while the function runs
	OfCond        // is a method of sync.Cond
	OfLocks       // is of package sync, or below it
	WritesSyncMap // writes to a sync.Map
	ReadsSyncMap  // reads from one

	// Contexts, caches, files.
	AsksContext     // looks for a value from context to context
	FindsByLabels   // finds, for the same labels, the same metric, or makes a set of them
	DerivesLogger   // makes a logger of another, which does not keep it
	DerivesContext  // makes a context of another
	LoadsForCache   // computes or fetches what a cache lacks, or waits for who does
	MergesTables    // is of a store that merges sorted tables, which its name alone says
	CachesByPointer // is of a cache that keeps each entry behind pointers
	OpensDescriptor // makes a file descriptor
	StartsProgram   // starts a child process, and leaves the wait for its end to its caller
	WritesFile      // writes to a file
	SavesFile       // writes one whole, or puts one in the place of another
	ReadsFile       // reads from one
	WritesInKernel  // is a system call that writes
	ReadsInKernel   // is one that reads

	// Files.
	CallsOnFile   // is one system call on an open file, to move bytes or to force them to the disk
	SyncsFile     // of these: forces what was written to the disk
	FindsFile     // finds, opens or reads a whole file by its name
	PassesToFile  // calls a reader or a writer for each call of its own
	PassesToNamed // works on files by name for its caller

	// Passing on.
	OfOS     // is of package os
	PassesOn // standard library that calls for its caller, as often as that does

	// The runtime's own.
	MarksIdle       // marks on a processor that nobody else wants
	MarksToAllocate // marks because it allocates
	Marks           // marks in the background
	Sweeps          // frees what was not marked
	Collects        // starts and ends a collection, or is a write barrier
	Scavenges       // gives memory back to the system
	Schedules       // finds, parks and wakes goroutines, polls the network
	Allocates       // allocates
	GrowsStack      // grows and copies stacks of goroutines
	Locks           // is a lock of package sync, or the runtime's own
	CallsSystem     // enters a system call
	AsksClock       // reads the clock
	KeepsTimers     // keeps timers
	UsesChannel     // sends, receives, selects
	UsesMap         // looks up, stores in and grows maps
	Hashes          // hashes and compares keys
	OrdersText      // says which of two texts comes first
	MovesMemory     // copies and clears memory
	RaisesPanic     // is on the stack between who panics and who prints it
	TakesSize       // allocates as many bytes as its first argument says

	// Where goroutines park.
	ParksToReceive
	ParksToSend
	ParksInSelect
	ParksForMutex
	ParksToRead  // of an RWMutex
	ParksToWrite // of an RWMutex
	ParksInCond
	ParksForGroup
	ParksInPoller
	ParksToSleep
	ParksForSemaphore

	// Ends of stacks.
	EntersKernel    // makes a system call itself
	StopsWorld      // stops all goroutines
	BeginsGoroutine // is what a goroutine begins with
	BeginsStack     // is what a complete stack begins with
	RunsBenchmark   // is of a benchmark of package testing

	numWorks
)

// A Works is a set of works.
type Works [(numWorks + 63) / 64]uint64

// has reports whether one of the works is in the set.
func (s *Works) has(works []Work) bool {
	for _, w := range works {
		if s[w/64]&(1<<(w%64)) != 0 {
			return true
		}
	}
	return false
}

// Does reports whether a function does one of the works.
func (f Function) Does(works ...Work) bool { return f.works.has(works) }

// DoneBy are the functions that do one of the works, as patterns, in the order of the table.
func DoneBy(works ...Work) (out []string) {
	for _, row := range table() {
		if row.does(works) {
			out = append(out, row.Functions...)
		}
	}
	return out
}

func (r *Row) does(works []Work) bool {
	for _, w := range works {
		if w != NoWork && r.Work == w {
			return true
		}
	}
	return false
}

// A Fit is a row that has a function, and by how much of its name.
type Fit struct {
	row   *Row
	exact int
}

// Fits are the rows with works that have a function.
func Fits(name string) (out []Fit) {
	for e := range entries(name) {
		if e.row.Work != NoWork && e.matches(name) {
			out = append(out, Fit{e.row, len(e.pattern.prefix)})
		}
	}
	return out
}

// Exact is how much of a function's name the most exact of the patterns has of those that do one of the works; 0
// without any.
func Exact(fits []Fit, works []Work) (n int) {
	for _, m := range fits {
		if m.exact > n && m.row.does(works) {
			n = m.exact
		}
	}
	return n
}
