// Package lab is the list of the lab: services that are really sick, what cures them, and the figures that engineers
// have reported of such cures.
//
// A service is a program of its own, in a package below this one that imports nothing of Casebook but its remedies, and
// is run as `lab NAME`. A disease is one thing that the service can be run with and without. What runs, watches and
// measures them is package lab/bench; what it measured is docs/evidence/lab.md.
package lab

import (
	"context"
	"net/http"
	"time"
)

// A Service is one of the lab's patients.
type Service struct {
	Name     string // as in `lab NAME`
	Text     string // what it does, one line
	Diseases []Disease
}

// A Disease is one row of docs/evidence/lab.md: what a service is run with, sick and cured.
type Disease struct {
	Name    string // within its service: "zlib-best"; `lab run worker/zlib-best`
	Sick    string // the fault in a few words: "zlib at BestCompression"
	Cure    string // "zlib at BestSpeed"
	Article string // what was reported of such a cure, in a few words with its figure; "" when nothing was

	SickArgs, CuredArgs []string // what the two command lines of the service differ in
	SickEnv, CuredEnv   []string // NAME=value

	// Fix says that nobody wrote the cure: the cured form is the sick one, built with the change that `casebook fix` makes
	// for the wanted finding of the sick form's case.
	Fix bool

	// CPUs is how many CPUs the service has (-cpus), for itself: what loads, feeds and watches it gets the others. 0:
	// all share all.
	CPUs int
	// Quota is the CPU quota of each form in cores, in a cgroup of its own, which takes root; 0 means none.
	Quota float64
	// Rig starts what both forms need, and says how they are run and loaded. Whatever it starts is stopped after the
	// row.
	Rig func(ctx context.Context, s Starter) (Rig, error)

	Want Want
	// Alone says that the row is played only when it is asked for by its own name: it takes longer than all others.
	Alone bool
	// Limit is an objective: the highest rate at which each form meets it is searched. "": it is not.
	Limit string
	// Over is the load of the row, in times of the sick form's limit, which is then searched first: what the sick form
	// cannot do and the cured one can, whatever the machine. 0: it is the rig's.
	Over float64
	// Below is a share of the sick form's limit at which its case, taken by hand, must have the wanted finding at the
	// top as well. 0: none is taken.
	Below float64
	// Key is the figure that the cure is for, by its name in package prove: "cpu", "p99", "gc_cpu", "rss" …
	Key string
	// Reported is the article's ratio of Key after to before, for the table: 0.4 for "60 % less". 0: none, or not
	// comparable.
	Reported float64
	// Also are the article's ratios of other figures.
	Also []Reported
	// Note says why today's Go or hardware does not give the article's figure; "" when it does.
	Note string
}

// A Reported is an article's ratio of a figure after to before.
type Reported struct {
	Figure string  `json:"figure"` // by its name in package prove
	Ratio  float64 `json:"ratio"`
}

// Want is the finding that the sick form must get at the top.
type Want struct {
	Kinds    []string // any of these is right: "gc-pointer-heap"
	Function string   // a part of the name of the function that it must name; "" for findings that have none
	// Needs says what of Casebook is missing to see the disease: "Diagnose II". "" when it can be seen.
	Needs string
	// Still are kinds that the cured form has too, at 50 or more, because what was reported as the cure is none today, or
	// what `casebook fix` makes has a price: the disease's Note says why.
	Still []string
}

// A Rig is how a service is run and loaded.
type Rig struct {
	Args []string // of both forms: `lab NAME` Args, then SickArgs or CuredArgs. {port} and {pprof} are free ports.
	Env  []string // NAME=value
	// From is what a service without requests takes its work from, for the report.
	From string
	// Ready is a path of the service that answers 200 when it is in the state that is to be measured: warm, caches
	// filled.
	Ready string
	// Request is the i-th request to the service at addr (host:port); nil when the service finds its work by itself, as
	// a consumer does. A service without requests answers GET /stats with {"done": N, "failed": N}: the items it has
	// finished so far.
	Request func(addr string, i uint64) (*http.Request, error)
	Rate    float64 // requests per second, open model
	// Busy is how many CPUs the load would use of the sick form if it had them: Rate, which is where the search begins,
	// is scaled to the machine. 0: Rate is the load.
	Busy float64
	// Metrics is the path of the service's page of Prometheus metrics. The watch reads the requests from it, as
	// `casebook watch --http-metrics` does; "" leaves it net/http/pprof alone.
	Metrics string
	// Bytes is the path at which the service says how many bytes of its stream it has worked on, as {"bytes": N}; ""
	// where it counts none. With it the row has the figures stream, write_rate and written_per_byte.
	Bytes string
	// Callers is how many requests may wait for an answer at a time, as the connection pools of callers have it; what
	// arrives beyond them fails. 0: any number.
	Callers int
	// Timeout is how long a caller waits for an answer; what comes later fails. 0: as long as the lab's.
	Timeout time.Duration
	// Passes is how often the forms have their turns at the least, or rounds of a second each where they are measured
	// one after the other; 0: as often as the lab's. A cure that brings a fifth needs more to be told from noise than
	// one that brings a half.
	Passes int
	// Window is how long a window of the load is; each turn of a form is three of them. 0: as short as the lab's. A
	// service whose course takes longer to show has longer turns.
	Window time.Duration
	// Period is how often the caches of the service are emptied, by the clock: the mark phases of both forms are traced,
	// and the first of each period is told from the others. 0: none is traced.
	Period time.Duration
	// Patience is how long a rule has to trip; 0: as long as the lab's.
	Patience time.Duration
	// Loads are fixed ones that the cured form gets after all else.
	Loads []Load
}

// The load of the rows whose disease is CPU: above what the one CPU of the sick form can do, by more than what the
// machine's speed changes in a minute, so that a default rule can see it; and from so many callers, so that its queue
// does not grow without end.
const (
	saturated = 1.5
	callers   = 32
	// of a row that shows what overload does to those who ask: a queue of as many is a second or so long
	overloaded = 1.2
	crowd      = 1000
)

// A Load is a fixed one, which the cured form gets by itself when everything else is measured: what it answers then,
// and how fast.
type Load struct {
	Rate  float64 // requests per second
	Times float64 // instead of Rate: in times of the sick form's limit, of a disease that has one
	// Kind and Request are of another kind of request than the row's; "" and nil: the row's.
	Kind    string // "one slot, one keyword"
	Request func(addr string, i uint64) (*http.Request, error)
}

// A Starter starts what services depend on, as child processes that listen on loopback.
type Starter interface {
	// Lab starts `lab NAME args` and waits for the line of JSON with its addresses that it prints when it listens,
	// which it decodes into addresses.
	Lab(ctx context.Context, name string, args []string, addresses any) error
	// Redis starts a Redis server (Debian's package) without persistence and gives its host:port.
	Redis(ctx context.Context) (string, error)
	// Kafka starts an Apache Kafka broker and gives its host:port and what it is, where lab run --kafka asks for one.
	// Otherwise both are empty, and the worker has the lab's own broker.
	Kafka(ctx context.Context) (addr, name string, err error)
}
