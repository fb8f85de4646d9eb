package catalogue

// waiting: goroutines, locks, channels, connections. First an end for every wait, then a bound for what may wait, then
// less to wait for.
func waiting() map[string][]Remedy {
	deadline := Remedy{"Give every wait a deadline", "context", "slow answers are lost"}
	leaktest := Remedy{"Let tests fail that leave goroutines behind", goleak, "a dependency of the tests"}
	return map[string][]Remedy{
		"goroutine-leak":     {{"An end for every goroutine: ctx.Done beside each send, receive and sleep", "context", none}, {"Start them in a group that waits", errgroup, none}, leaktest},
		"goroutine-surge":    {{"Bound how many run", errgroup, "work waits, or is refused"}, {"Goroutines that are used again", "github.com/panjf2000/ants/v2", "a dependency"}, {"Refuse what cannot be done in time", failsafe, "requests are refused under load"}},
		"goroutine-stuck":    {deadline, {"Stop asking who does not answer", "github.com/sony/gobreaker/v2", "a healthy answer may be refused for some seconds"}, {"Retries, breakers and limits that compose", failsafe, "a dependency"}},
		"goroutine-deadlock": {{"Take locks in one order; call nothing of others' under a lock", "", none}, {"Find orders that differ, in tests", "github.com/sasha-s/go-deadlock", "slow: tests only"}},
		"goroutine-churn":    {{"Do small work in place, or many pieces in one goroutine", "", none}, {"As many workers as CPUs over a channel of batches", errgroup, code}, {"Goroutines that are used again", "github.com/panjf2000/ants/v2", "a dependency"}},
		"goroutine-busy-poll": {{"Be told: a channel, a sync.Cond, a context", "sync", "whoever makes the work must know of it"},
			{"Be told of changed files", "github.com/fsnotify/fsnotify", "no events on network file systems"}, {"Poll on a ticker of tens of milliseconds", "time", "it notices later"}},
		"thread-surge":    {{"Bound how many are in C or in the system call at once", errgroup, "requests wait in line, or are refused"}, {"A call that does not block its thread", "", code}, deadline},
		"timer-leak":      {{"Stop timers, defer cancel()", "context", none}, {"One timer for the first of many deadlines", "time", "entries expire a little late"}},
		"connection-leak": {{"Close bodies, rows and transactions on every path", "", none}, {"A pool that bounds and checks connections", pgx, "PostgreSQL only"}},
		"lock-contention": {
			{"Do less under the lock: no I/O, encoding or logging", "", code},
			{"Shards by a hash of the key", "hash/maphash", "no view of all shards at one moment"},
			{"Data that is never changed, swapped behind an atomic pointer", "sync/atomic", "a write copies the data"},
			{"Striped counters and a concurrent map", xsync, "a dependency"},
			{"Gather updates and apply them together", ownBatch, "an update waits for its batch"},
		},
		"lock-rwmutex": {
			{"Readers without a lock: an atomic pointer to data that is never changed", "sync/atomic", "a write copies the data"},
			{"A plain Mutex in shards", "hash/maphash", "no view of all shards at one moment"},
			{"RBMutex, whose readers do not share a cache line", xsync, "writers pay more; a dependency"},
		},
		"lock-syncmap": {{"A map with a mutex, in shards", "hash/maphash", "no view of all keys at one moment"}, {"A concurrent map made for writing", xsync, "a dependency"}},
		"lock-held-io": {
			{"Copy under the lock, unlock, call, lock to store", "", "two may do the same call at once"},
			{"One call for all who want the same key", flight, "all who wait share one failure"},
			{"A cache with one load a key", ownCache, stale},
			deadline,
		},
		"chan-bottleneck": {
			{"More readers where the work is independent", errgroup, "order is lost"},
			{"Take many at a time", ownBatch, "an item waits for its batch"},
			{"Refuse what cannot be done in time", failsafe, "requests are refused under load"},
		},
		"net-no-keepalive": {
			{"One http.Client; read bodies to their end and close them", "", none},
			{"MaxIdleConnsPerHost about as high as requests are under way", "", "idle connections on both sides"},
			{"Several operations a call", ownBatch, "an operation waits for its batch"},
			{"Pipelines of Redis commands", redis, "their errors come together"},
		},
		"net-round-trips": {
			{"One command for many keys, or a pipeline of the client's", "", "their errors come together"},
			{"Pipelines of Redis commands", redis, "their errors come together"},
			{"The questions of all requests in one exchange", ownBatch, "a question waits for its batch"},
			{"Keep what seldom changes", ownCache, stale},
			{"Of failed calls: back off, few tries, a budget for them", failsafe, "a dependency"},
		},
		"net-dns-tls": {
			{"Keep connections; a ClientSessionCache for TLS", "", none},
			{"Cache names", "github.com/rs/dnscache", "changes are seen a TTL later"},
			{"When single calls are slow, a second one", ownHedge, "up to 5 % more calls"},
		},
	}
}
