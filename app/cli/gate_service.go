package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook/app/child"
	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/gate"
	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/app/prove/trial"
)

// gateService says how to start and load a service.
type gateService struct {
	load                        loadFlags // the requests and the rate; the schedule is the trial's
	env                         []string
	slice, warmup, readyTimeout time.Duration
	ready                       string
}

func (s *gateService) add(cmd *cobra.Command) {
	command.Group(cmd, "Service", func(fs *pflag.FlagSet) {
		fs.StringVar(&s.load.rate, "rate", "",
			"the request `rate` for each server during its turn: 500 (a second) or 30/m, at random times")
		fs.StringVar(&s.load.pace, "pace", string(load.RandomArrivals),
			"how requests are `spaced`: poisson (at random times) or constant (evenly)")
		fs.StringArrayVar(&s.env, "env", nil, "`NAME=value` in the environment of both servers")
		fs.DurationVar(&s.slice, "slice", 0,
			"how long a server's turn is (default 250ms, longer if a limit on p99 or a queue needs it)")
		fs.DurationVar(&s.warmup, "warmup", trial.DefaultWarmup, "how long to load a server before it counts")
		fs.StringVar(&s.ready, "ready", "",
			"a `path` that answers when the server is ready (default: wait until its port accepts connections)")
		fs.DurationVar(&s.readyTimeout, "ready-timeout", trial.DefaultReadyTimeout,
			"how long a server may take to get ready")
	})
	command.Group(cmd, "Requests", s.load.addRequests)
	command.Group(cmd, "Connections", s.load.addConnections)
}

// asked reports whether the flags ask for a service.
func (s *gateService) asked() bool { return s.load.rate != "" }

// notPackages refuses arguments that belong to a service when benchmarks are measured.
func notPackages(args []string) error {
	for _, a := range args {
		if strings.Contains(a, child.PortPlace) || strings.HasPrefix(a, "/") && len(args) == 2 {
			return fmt.Errorf("%q is not a package but belongs to a service: how many requests a second should it "+
				"get? For instance: --rate 300", a)
		}
	}
	return nil
}

// plan reads the command and the URL, and returns the arguments after them: packages.
func (s *gateService) plan(cmd *cobra.Command, args []string, cfg *gate.Config) (rest []string, err error) {
	if len(args) == 0 || len(args) == 1 && s.load.targets == "" {
		return nil, errors.New("which service, and which URL? Give its command and a URL, for instance: " +
			"casebook gate --against main --rate 300 './cmd/server -addr 127.0.0.1:{port}' /items")
	}
	words, err := child.Split(args[0])
	if err != nil {
		return nil, err
	}
	if len(words) == 0 {
		return nil, errors.New("the command is empty: it begins with the Go package of the server, such as " +
			"./cmd/server")
	}
	url, rest, err := s.url(args[1:])
	if err != nil {
		return nil, err
	}
	rate, err := load.ParseRate(s.load.rate)
	if err != nil {
		return nil, fmt.Errorf("--rate: %w", err)
	}
	arrivals, schedule := s.load.arrivals()
	if schedule != "" {
		return nil, fmt.Errorf("--pace %q: a gate measures at one --rate: want poisson or constant; "+
			"casebook prove takes schedules", schedule)
	}
	// They are read once here, so that a fault in them is reported before anything is built.
	if _, _, err := s.load.requests(cmd, []string{strings.ReplaceAll(url, child.PortPlace, "1")}); err != nil {
		return nil, err
	}
	s.load.settleSeed()
	cfg.Service = &gate.Service{
		Package: words[0], Args: words[1:], Env: s.env,
		Trial: trial.Config{Rate: rate, Arrivals: arrivals, Slice: s.slice, Lengthen: s.slice == 0, Warmup: s.warmup,
			Ready: s.ready, ReadyTimeout: s.readyTimeout, Seed: s.load.seed,
			Load: s.load.onPort(cmd, url)},
	}
	return rest, nil
}

// url returns the URL, with a place for the port, and the arguments after it.
func (s *gateService) url(args []string) (url string, rest []string, err error) {
	isURL := func(a string) bool { return strings.HasPrefix(a, "/") || strings.Contains(a, "://") }
	if len(args) == 0 || !isURL(args[0]) {
		if s.load.targets == "" {
			return "", nil, fmt.Errorf("which URL should be loaded? A path such as /items follows the command, "+
				"then packages: there is %q", strings.Join(args, " "))
		}
		args = slices.Insert(slices.Clone(args), 0, "/")
	}
	url, err = s.load.serverURL(args[0])
	return url, args[1:], err
}
