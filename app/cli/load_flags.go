package cli

import (
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/app/load/targets"
)

// loadFlags say which requests to send, how, and when.
type loadFlags struct {
	rate, pace string
	duration   time.Duration
	count      uint64
	maxErrors  string

	method    string
	headers   []string
	body      string
	targets   string
	csv       string
	csvRandom bool
	plain     bool
	seed      uint64

	protocol    string
	timeout     time.Duration
	maxInFlight int
	connections int
	allow       []string
	insecure    bool
	caFile      string
	protoset    string
}

// A loadJob is a load that is ready to be sent.
type loadJob struct {
	config load.Config
	plan   load.Plan
	close  func()
}

func (f *loadFlags) add(cmd *cobra.Command) {
	command.Group(cmd, "Schedule", f.addSchedule)
	command.Group(cmd, "Requests", f.addRequests)
	command.Group(cmd, "Connections", f.addConnections)
}

func (f *loadFlags) addSchedule(fs *pflag.FlagSet) {
	fs.StringVar(&f.rate, "rate", "", "the `rate` at random times: 500 (a second), 30/m or 2000/h")
	fs.StringVar(&f.pace, "pace", "",
		"a `schedule` instead of a rate, see above; with --rate only poisson or constant: how requests are spaced")
	fs.DurationVarP(&f.duration, "duration", "t", 0, "how long to send (default: as long as --pace says, else 10s)")
	fs.Uint64VarP(&f.count, "count", "n", 0, "send at most this many `requests`")
	fs.StringVar(&f.maxErrors, "max-errors", "",
		"stop when `more` requests fail: a number such as 100, or a share such as 5%")
}

func (f *loadFlags) addRequests(fs *pflag.FlagSet) {
	fs.StringVarP(&f.method, "method", "X", "", "`method` of the request to URL (default: GET, POST with a body)")
	fs.StringArrayVarP(&f.headers, "header", "H", nil,
		"`header` of every request, as Name: value; for gRPC its metadata")
	fs.StringVarP(&f.body, "body", "d", "", "`text` of the body, or @FILE; for gRPC the message as JSON")
	fs.StringVar(&f.targets, "targets", "", "`file` with targets in vegeta's http or JSON format; - for standard input")
	fs.StringVar(&f.csv, "csv", "", "`file` with rows for templates; the first line has the column names")
	fs.BoolVar(&f.csvRandom, "csv-random", false, "pick rows at random (default: one after the other)")
	fs.BoolVar(&f.plain, "no-templates", false, "do not treat {{ as a template")
	fs.Uint64Var(&f.seed, "seed", 0, "`number` that seeds everything random (default: a new one each time)")
}

func (f *loadFlags) addConnections(fs *pflag.FlagSet) {
	fs.StringVar(&f.protocol, "protocol", "auto", "`protocol`: http/1.1, http/2 (without TLS: h2c with prior "+
		"knowledge), or auto: for https, what the server prefers")
	fs.DurationVar(&f.timeout, "timeout", 10*time.Second, "how long a request may take")
	fs.IntVar(&f.maxInFlight, "max-in-flight", 4096,
		"how many `requests` may wait for an answer; more are not sent and count as errors")
	fs.IntVar(&f.connections, "connections", 0,
		"how many `connections` HTTP/2 and gRPC requests are spread over (default 1)")
	fs.StringArrayVar(&f.allow, "allow", nil, "a `host` other than loopback to load; you are responsible for it")
	fs.BoolVar(&f.insecure, "insecure", false, "do not verify certificates")
	fs.StringVar(&f.caFile, "ca", "", "`file` with CA certificates (PEM) to trust instead of the system's")
	fs.StringVar(&f.protoset, "protoset", "",
		"`file` with a compiled FileDescriptorSet, for gRPC servers without reflection")
}

// job reads files and checks everything that can be checked before a request is sent.
func (f *loadFlags) job(cmd *cobra.Command, args []string) (*loadJob, error) {
	job := &loadJob{close: func() {}}
	cfg := &job.config
	*cfg = load.Config{Timeout: f.timeout, MaxInFlight: f.maxInFlight, AllowHosts: f.allow, Connections: f.connections}
	f.settleSeed()
	schedule, err := f.schedule()
	if err != nil {
		return nil, err
	}
	f.setEnd(cfg, schedule)
	if cfg.MaxErrors, cfg.MaxErrorShare, err = parseMaxErrors(f.maxErrors); err != nil {
		return nil, err
	}
	list, set, err := f.requests(cmd, args)
	if err != nil {
		return nil, err
	}
	job.plan = f.plan(list, schedule)
	return job, f.send(cmd.Context(), job, set)
}

// shownTargets is how many targets a result names.
const shownTargets = 10

func (f *loadFlags) plan(list []targets.Target, s load.Schedule) load.Plan {
	p := load.Plan{TargetCount: len(list), Pace: s.Text, Arrivals: s.Arrivals, Seconds: f.duration.Seconds(),
		Count: f.count, Timeout: f.timeout.Seconds(),
		MaxInFlight: f.maxInFlight, Connections: f.connections, Seed: f.seed}
	for _, t := range list[:min(len(list), shownTargets)] {
		p.Targets = append(p.Targets, t.String())
	}
	if p.Seconds == 0 && s.Ends == 0 && f.count == 0 {
		p.Seconds = 10
	}
	return p
}
