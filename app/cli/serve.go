package cli

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"sync"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/app/access"
	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/ranking"
	"github.com/gocasebook/casebook/app/report"
	"github.com/gocasebook/casebook/app/server"
	"github.com/gocasebook/casebook/app/store"
	"github.com/gocasebook/casebook/casefile"
)

// A serveRequest is what the flags of serve say.
type serveRequest struct {
	dir       string // of cases, to be shown as it is
	store     storeFlags
	addr      string
	hosts     []string
	cert, key string
	metrics   int // findings in /metrics
	watch     serveWatchFlags
	rank      serveRankFlags
	grafana   grafanaFlags
	asked     askedFlags
	retain    keepFlags // of the store
}

func serveCommand() *cobra.Command {
	var req serveRequest
	cmd := &cobra.Command{
		Use:   "serve [DIR]",
		Short: "Show cases in a browser, and receive them from watches",
		Long: `Serve shows the cases of a folder in a browser: a list that can be searched, and
the page of each case. The folder is not changed.

With --store it keeps cases instead: watches send them with --collector, several
servers may share one store, and a case that was acknowledged survives a crash.
Cases that come without a diagnosis are diagnosed. casebook store has what an
operator needs: tokens, check, backup, move.

` + targetsText + `

` + kubeText + `

` + rankText + `

--grafana makes an annotation of each case in a Grafana, with a link to its page.

--ask sends a brief of each new case to an agent that a file of yours names, and
keeps its checked answer as an opinion (docs/ask.md). Without it nobody is asked.

With --keep-age, --keep-bytes or --keep-cases the cases of a store that came first
are removed once an hour, until what is left is within the limits. What is pinned
stays, and the first and the worst case of each kind of finding of a service.

It listens on the loopback interface. Each request needs a token, also on this
machine: a browser gets in by the link that serve prints, good once, and watches
and other programs of yours by a file (docs/serve.md#who-may). With --host there
is no link. TLS is up to --tls-cert or to a proxy that you have. docs/serve.md
describes the HTTP API; /api/v1/openapi.json is it for programs.`,
		Example: `  casebook serve                              the cases of casebook watch, here
  casebook serve ~/incidents
  casebook serve --store /var/lib/casebook-store
  casebook serve --store env:CASEBOOK_DB --blobs 's3://cases?endpoint=https://minio:9000' \
      --addr :7070 --host cases.example.org --tls-cert cert.pem --tls-key key.pem
  casebook serve --store cases-store --target http://127.0.0.1:6060 --target dns+http://shop.internal:6060
  casebook serve --store cases-store --kubernetes --namespace shop
  casebook serve --store cases-store --engine pyroscope://pyroscope:4040`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if req.store.given() {
				if err := needDrivers(); err != nil { // before anything is read from standard input
					return err
				}
			}
			if req.metrics < 1 {
				return fmt.Errorf("--metric-findings is %d; want 1 or more", req.metrics)
			}
			if err := errors.Join(req.checkAllow(), req.watch.check(&req.store), req.rank.check(&req.store),
				req.grafana.check(&req.store), req.asked.check(&req.store), req.checkRetain()); err != nil {
				return err
			}
			req.dir = casebook.DefaultDir
			if len(args) > 0 {
				if req.store.given() {
					return errors.New("name a folder of cases, or --store, not both: a store keeps its cases itself")
				}
				req.dir = args[0]
			}
			return req.serve(cmd.Context(), cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	req.store.add(flags)
	flags.StringVar(&req.addr, "addr", "127.0.0.1:7070", "`address` to listen on; port 0 takes any")
	flags.StringSliceVar(&req.hosts, "host", nil, "`name` that the server goes by, beside localhost (repeatable)")
	flags.StringVar(&req.cert, "tls-cert", "", "`file` with the certificate, PEM")
	flags.StringVar(&req.key, "tls-key", "", "`file` with its key, PEM")
	flags.IntVar(&req.metrics, "metric-findings", server.DefaultMetricFindings,
		"`findings` in /metrics: so many of the ranking, and as many of open cases")
	command.Group(cmd, "Retention", req.retain.addNone)
	command.Group(cmd, "Watching", req.watch.add)
	command.Group(cmd, "Kubernetes", req.watch.kube.add)
	command.Group(cmd, "Ranking", req.rank.add)
	command.Group(cmd, "Grafana", req.grafana.add)
	command.Group(cmd, "Agents", req.asked.add)
	return cmd
}

func (req *serveRequest) serve(ctx context.Context, stderr io.Writer) (err error) {
	certificates, err := req.certificates()
	if err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(stderr, nil))
	cfg := server.Config{Hosts: req.hosts, Secret: keepSecret(log), Log: log,
		MetricFindings: req.metrics,
		Compare:        compareCases,
		Proof: func(w io.Writer, p casefile.Proof) error {
			page := report.OfProof(p, nil)
			page.Served = "/cases/proof"
			return report.WriteComparison(w, page)
		}}
	if req.store.given() {
		var stop func() error
		if stop, err = req.keep(ctx, &cfg, stderr); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, stop()) }()
	} else {
		shelf, err := openShelf(req.dir)
		if err != nil {
			return err
		}
		printMisnamed(stderr, req.dir)
		cfg.Cases, cfg.Opinions = shelf, shelf
		command.InOrder(ctx)
		defer readShelf(ctx, shelf, log)()
	}
	cfg.Page, cfg.Answer = casework.ServedPage(cfg.Cases, cfg.Keeper != nil), checkAnswer
	cfg.Views, cfg.Pprof = casework.Views(cfg.Cases, req.rank.sources), casework.PprofPages(cfg.Cases)
	l, err := net.Listen("tcp", req.addr)
	if err != nil {
		return fmt.Errorf("--addr: %w", err)
	}
	at := address(l, certificates != nil)
	tell := func(code string) { fmt.Fprintf(stderr, "Sign in once: %slogin/%s\n", at, code) }
	if len(req.hosts) == 0 { // a server with a name is for others, who have tokens
		cfg.Desk = access.NewDesk(cfg.Secret, tell)
	}
	sv, err := server.New(cfg)
	if err != nil {
		return errors.Join(err, l.Close())
	}
	fmt.Fprintf(stderr, "Cases at %s\n", at)
	if cfg.Desk != nil {
		tell(cfg.Desk.Code())
	}
	return sv.Serve(ctx, l, certificates)
}

// keep opens the store, and starts what works beside the server: detectors, watches, annotations. stop ends all of it.
func (req *serveRequest) keep(ctx context.Context, cfg *server.Config, stderr io.Writer) (stop func() error,
	err error) {
	who, err := req.agents(stderr)
	if err != nil {
		return nil, err
	}
	st, err := req.store.open(ctx, cfg.Log, func(c *store.Config) {
		c.Annotate, c.Ask = req.grafana.given(), len(who) > 0
	})
	if err != nil {
		return nil, err
	}
	works, err := req.works()
	var ranker *ranking.Ranker
	if err == nil {
		ranker, cfg.Release, err = req.rank.ranker(st, req.watch.allow, cfg.Log)
	}
	if err == nil && req.watch.given() {
		cfg.Fleet, err = req.watch.fleet(st, &req.store, cfg.Log)
	}
	if err != nil {
		return nil, errors.Join(err, st.Close())
	}
	cfg.Cases, cfg.Keeper = st, st
	command.InOrder(ctx)
	working, end := context.WithCancel(ctx)
	var work sync.WaitGroup
	if req.retain.given() {
		keep, _ := req.retain.retention() // was checked
		cfg.Retention = &keep
		work.Go(func() {
			st.Retain(working, rand.Text(), keep, func(p store.Pruning, err error) { logPruning(cfg.Log, p, err) })
		})
	}
	work.Go(func() {
		casework.DoJobs(working, st, works, func(err error) {
			cfg.Log.Warn("a job of a case failed; it is tried again later", "error", err)
		})
	})
	if len(who) > 0 { // beside the other jobs: an answer takes minutes
		work.Go(func() {
			asking := map[string]casework.Work{store.Ask: newDesk(who).work(cfg.Log)}
			casework.DoJobs(working, st, asking, func(err error) {
				cfg.Log.Warn("asking about a case failed", "error", err)
			})
		})
	}
	work.Go(func() { ranker.Run(working) })
	switch {
	case req.watch.pods != nil:
		work.Go(func() { runBoth(working, req.watch.pods, cfg.Fleet) })
	case cfg.Fleet != nil:
		work.Go(func() { cfg.Fleet.Run(working) })
	}
	return func() error {
		end()
		work.Wait()
		return st.Close()
	}, nil
}

// checkRetain refuses limits for a folder: it is not changed.
func (req *serveRequest) checkRetain() error {
	if _, err := req.retain.retention(); err != nil {
		return err
	}
	if req.retain.given() && !req.store.given() {
		return errors.New("--keep-age, --keep-bytes and --keep-cases are for --store; casebook case prune removes from a folder")
	}
	return nil
}

func logPruning(log *slog.Logger, p store.Pruning, err error) {
	if err != nil {
		log.Warn("old cases cannot be removed; it is tried again", "error", err)
	}
	for i := range p.Removed {
		log.Info("case removed", "case", p.Removed[i].ID, "who", "(retention)")
	}
	if p.OverBytes > 0 {
		log.Warn("the store is above --keep-bytes, and no more cases may be removed", "bytes", p.Bytes, "above", p.OverBytes)
	}
}

// checkAllow refuses networks for nobody.
func (req *serveRequest) checkAllow() error {
	if len(req.watch.allow) > 0 && !req.watch.given() && !req.rank.given() {
		return errors.New("--allow is for --target, --targets and --engine, which are not given")
	}
	return nil
}

// compareCases draws what differs between two cases, as casebook compare --html does.
func compareCases(ctx context.Context, w io.Writer, before, after *casefile.Folder) error {
	var page report.Comparison
	var err error
	if waited := casework.InTurn(ctx, func() { page, err = assess.CompareCases(ctx, before, after) }); waited != nil {
		return waited
	}
	if err != nil {
		return errors.Join(server.ErrIncomparable, err)
	}
	page.Served = "/compare"
	return report.WriteComparison(w, page)
}

// works are what this server does of the jobs of cases.
func (req *serveRequest) works() (map[string]casework.Work, error) {
	works := map[string]casework.Work{store.Diagnose: casework.DiagnoseReceived}
	if !req.grafana.given() {
		return works, nil
	}
	g, err := req.grafana.client()
	works[store.Annotate] = g.Annotate
	return works, err
}

// readShelf reads a folder beside the server. end waits until it has stopped.
func readShelf(ctx context.Context, s *store.Shelf, log *slog.Logger) (end func()) {
	ctx, stop := context.WithCancel(ctx)
	var work sync.WaitGroup
	work.Go(func() {
		if err := s.Read(ctx); err != nil && ctx.Err() == nil {
			log.Warn("the folder cannot be read", "error", err)
		}
	})
	return func() {
		stop()
		work.Wait()
	}
}

func openShelf(dir string) (*store.Shelf, error) {
	s, err := store.OpenShelf(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("there is no folder %s; casebook watch makes one, or name another: casebook serve DIR", dir)
	}
	return s, err
}

func (req *serveRequest) certificates() (*tls.Config, error) {
	if req.cert == "" && req.key == "" {
		return nil, nil
	}
	if req.cert == "" || req.key == "" {
		return nil, errors.New("--tls-cert and --tls-key belong together: give both")
	}
	pair, err := tls.LoadX509KeyPair(req.cert, req.key)
	if err != nil {
		return nil, fmt.Errorf("--tls-cert, --tls-key: %w", err)
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}, nil
}

// address is what to type into a browser on this machine.
func address(l net.Listener, encrypted bool) string {
	scheme := "http"
	if encrypted {
		scheme = "https"
	}
	host, port, err := net.SplitHostPort(l.Addr().String())
	if ip := net.ParseIP(host); err == nil && ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return scheme + "://" + net.JoinHostPort(host, port) + "/"
}
