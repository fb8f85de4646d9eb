package known

// The roles.
const (
	BeginsRequest     Role = 1 << iota // what is below it answers a request: a client waits for it
	CallsOut                           // asks another service or process, which ends when that answers or a deadline passes
	TakesPlace                         // waits for a connection of a pool
	Logs                               // formats and writes lines of a log
	ServesApart                        // begins requests that no summary of a trace counts
	AsksOne                            // waits for the answer to one question, and for nothing else
	HasOwnReader                       // whoever calls waits for a goroutine of the client's, which reads the answer
	NamesSystemCall                    // a package whose functions are called as the system calls that they make
	OneConnection                      // is a method of a single connection
	FromPool                           // takes a connection out of a pool for a call
	SetsUpClient                       // makes or ends the connection of a client
	Profiles                           // takes profiles, or sends them
	WrapsWork                          // runs the caller's own work below it, such as to label it
	AwaitsPlace                        // waits for a place of a pool or limit: nothing was sent yet
	AwaitsTurn                         // waits in a limiter of rates
	AwaitsBatch                        // waits until a library sends what it has gathered, or keeps back
	AwaitsOutput                       // waits for the end of a child process's output
	AwaitsChild                        // waits for a child process
	AwaitsReader                       // waits until the peer has read more of what is sent
	AwaitsAnswer                       // waits for what a peer answers
	IsPrimitive                        // what its places are good for is the caller's own affair
	MakesTimer                         // makes a timer, which stays until it fires or is stopped
	Ticks                              // of these: one that fires again and again
	MakesContext                       // makes a context that stays with its parent until it is cancelled
	KeepsContext                       // of these: what it allocates is the parent's table of children
	RunsTimers                         // runs the functions of timers whose time has come
	MapsMemory                         // maps memory or a file
	CallsC                             // calls C
	KeepsOutside                       // holds memory outside of Go's heap for its user
	BeginsTransaction                  // begins a transaction, which keeps its connection until it ends
	KeepsOpen                          // returns What, which keeps its connection until it is closed
	MustBeEnded                        // begins, for its caller, what only another call ends
	AwaitsOtherEnd                     // waits for the other end of a pipe in the same process, alone at that pipe
	RemovesOld                         // is the loop that removes what has expired from a store: without it nothing does
	KeepsByType                        // keeps a type, or what it makes for a type, as long as the process lives
	MakesType                          // of these: makes a type at run time
	OpensForCaller                     // of a pool: opens a connection in the goroutine that asks for one, or hands one out
	TriesToChange                      // runs a transaction that fails if others have changed what it read
	Accepts                            // is the loop of a server that accepts connections, and waits in its listener alone
)
