package catalogue

// waiting: goroutines, locks, channels, connections. First an end for every wait, then a bound for what may wait, then
// less to wait for.
func waiting() map[string][]Remedy {
	deadline := Remedy{"Give every wait a deadline", "context", "slow answers are lost"}
	leaktest := Remedy{"Fail tests that leave goroutines behind", goleak, "a dependency of the tests"}
	return map[string][]Remedy{
		"goroutine-leak": {{"End every goroutine: select on ctx.Done with each send, receive and sleep", "context",
			none}, {"Start them in a group that waits", errgroup, none}, leaktest},
		"goroutine-surge": {{"Limit how many run", errgroup, "work waits, or is rejected"}, {"Reused goroutines",
			"github.com/panjf2000/ants/v2", "a dependency"}, {"Reject what cannot be done in time", failsafe,
			"requests are rejected under load"}},
		"goroutine-stuck": {deadline, {"Stop calling a service that does not answer", "github.com/sony/gobreaker/v2",
			"healthy calls may be rejected for a few seconds"}, {"Retries, breakers and limits that compose", failsafe,
			"a dependency"}},
		"goroutine-deadlock": {{"Take locks in one order; do not call other code under a lock", "", none},
			{"Find lock orders that differ, in tests", "github.com/sasha-s/go-deadlock", "slow: tests only"}},
		"lock-never-released": {{"defer Unlock right after Lock", "sync",
			"the lock is held to the end of the function"},
			{"Find who keeps a lock, in tests", "github.com/sasha-s/go-deadlock", "slow: tests only"}},
		"goroutine-churn": {{"Do small work in place, or many pieces in one goroutine", "", none},
			{"As many workers as CPUs over a channel of batches", errgroup, code}, {"Reused goroutines",
				"github.com/panjf2000/ants/v2", "a dependency"}},
		"goroutine-busy-poll": {{"Get notified: a channel, a sync.Cond, a context", "sync",
			"the producer must know about the consumer"},
			{"Get notified of changed files", "github.com/fsnotify/fsnotify", "no events on network file systems"},
			{"Poll on a ticker of tens of milliseconds", "time", "it notices later"}},
		"thread-surge": {{"Limit how many are in C or in the system call at once", errgroup,
			"requests queue, or are rejected"}, {"A call that does not block its thread", "", code}, deadline},
		"timer-leak": {{"Stop timers, defer cancel()", "context", none},
			{"One timer for the first of many deadlines", "time", "entries expire a little late"}},
		"connection-leak": {{"Close bodies, rows and transactions on every path", "", none},
			{"A pool that limits and checks connections", pgx, "PostgreSQL only"}},
		"sched-latency": {{"Less CPU where most is used: take a CPU profile", "", code},
			{"Let in no more requests than the processors can serve", failsafe, "requests are rejected under load"},
			{"A higher CPU limit, or more instances", "", "machines"}},
		"sched-hog": {{"A fixed number of workers, a quarter of GOMAXPROCS", errgroup, "the work takes longer"},
			{"A process of its own, with its own CPU limit", "", "one more program to run"}},
		"gc-stw": {{"Copy in pieces of 256 KiB, with runtime.Gosched between two", "", none},
			{"runtime/metrics instead of runtime.ReadMemStats", "", none}},
		"syscall-long": {{"One goroutine that makes the call for all requests that have come in", "",
			"a request waits for its turn"},
			{"Keep what was read", ownCache, stale}, deadline},
		"lock-contention": {
			{"Do less under the lock: no I/O, encoding or logging", "", code},
			{"Shards by a hash of the key", "hash/maphash", "no consistent view of all shards"},
			{"Immutable data, swapped behind an atomic pointer", "sync/atomic", "a write copies the data"},
			{"Striped counters and a concurrent map", xsync, "a dependency"},
			{"Gather updates and apply them together", ownBatch, "an update waits for its batch"},
		},
		"lock-rwmutex": {
			{"Readers without a lock: an atomic pointer to immutable data", "sync/atomic", "a write copies the data"},
			{"A plain Mutex in shards", "hash/maphash", "no consistent view of all shards"},
			{"RBMutex, whose readers do not share a cache line", xsync, "writers pay more; a dependency"},
		},
		"lock-syncmap": {{"A map with a mutex, in shards", "hash/maphash", "no consistent view of all keys"},
			{"A concurrent map built for writes", xsync, "a dependency"}},
		"lock-held-io": {
			{"Copy under the lock, unlock, call, lock to store", "", "two goroutines may make the same call at once"},
			{"One call for all callers that want the same key", flight, "all waiters share one failure"},
			{"A cache with one load per key", ownCache, stale},
			deadline,
		},
		"chan-bottleneck": {
			{"More readers if the work is independent", errgroup, "order is lost"},
			{"Take many at a time", ownBatch, "an item waits for its batch"},
			{"Reject what cannot be done in time", failsafe, "requests are rejected under load"},
		},
		"net-no-keepalive": {
			{"One http.Client; read bodies to their end and close them", "", none},
			{"MaxIdleConnsPerHost about as high as the number of concurrent requests", "",
				"idle connections on both sides"},
			{"Several operations per call", ownBatch, "an operation waits for its batch"},
			{"Pipelines of Redis commands", redis, "their errors arrive together"},
		},
		"net-round-trips": {
			{"One command for many keys, or the client's pipeline", "", "their errors arrive together"},
			{"Pipelines of Redis commands", redis, "their errors arrive together"},
			{"The queries of all requests in one exchange", ownBatch, "a query waits for its batch"},
			{"Keep data that rarely changes", ownCache, stale},
			{"For failed calls: back off, few retries, a retry budget", failsafe, "a dependency"},
		},
		"net-dns-tls": {
			{"Keep connections; a ClientSessionCache for TLS", "", none},
			{"Cache names", "github.com/rs/dnscache", "changes are noticed one TTL later"},
			{"If single calls are slow, send a second one", ownHedge, "up to 5 % more calls"},
		},
		"slow-dependency": {
			{"A second call when the first is late", ownHedge, "up to 5 % more calls"},
			{"Keep answers", ownCache, stale},
		},
		"periodic-spike": {
			{"Scheduled work in small steps over the whole period", "", "its result is complete later"},
			{"Build the new state beside the old one, then swap a pointer", "sync/atomic", "two states in memory"},
			{"A random delay before the scheduled work of each caller and replica", "", "answers come later"},
		},
		"expiry-stampede": {
			{"Lifetimes of random length", ownCache, "entries are loaded a little more often"},
			{"One load for all who ask", flight, "all waiters share one failure"},
			{"A load before the end, while the old entry is served", ownCache, stale},
		},
	}
}
