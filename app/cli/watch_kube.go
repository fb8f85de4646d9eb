package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/fleet"
)

// checkKube refuses what does not go with pods: a token for one of them would be sent to whoever annotates a pod.
func (f *watchFlags) checkKube(urls []string) error {
	a := &f.access
	switch {
	case len(urls) > 0 || f.configFile != "":
		return errors.New("--kubernetes finds its targets itself; URLs and --config are for another casebook watch")
	case f.once || f.limit != 0:
		return errors.New("--once and --for are of targets that are known at the start; --kubernetes runs until it is ended")
	case len(a.headers) > 0 || a.headerFile+a.bearerFile+a.bearerEnv+a.basicFile+a.cert+a.key != "":
		return errors.New("headers, tokens and certificates would be sent to whoever annotates a pod; --kubernetes takes " +
			"only --ca and --insecure")
	case f.about.service != "":
		return errors.New("--service is of one target; the services of pods are their workloads")
	case f.sources.prometheus+f.sources.expvar != "":
		return errors.New("--prometheus and --expvar are of one target; of pods the page that prometheus.io/* names is read")
	}
	return nil
}

// runKube watches pods until the command is ended.
func (f *watchFlags) runKube(cmd *cobra.Command, urls []string) error {
	if err := errors.Join(f.checkKube(urls), f.check()); err != nil {
		return err
	}
	networks, err := fleet.ParseNetworks(f.allow)
	if err != nil {
		return fmt.Errorf("--allow: %w", err)
	}
	log := slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), nil))
	p, err := f.kube.pods(f, networks, log)
	if err != nil {
		return err
	}
	v := newWatchView(cmd.OutOrStdout(), cmd.ErrOrStderr(), true)
	v.json = f.json
	cfg := fleet.Config{Targets: p.list, Changed: p.finder.Changed, Dir: f.dir, Networks: networks, Most: f.kube.most,
		Wake: captureSignals(), Admit: p.admit, Tool: command.Tool(), Log: log,
		On: func(t casework.WatchTarget, e casework.Event) {
			p.see(t, e)
			v.see(e)
		}}
	f.report.links = &f.links
	if cfg.Reporters, err = f.report.reporters(f.dir); err != nil {
		return err
	}
	if err := f.report.sayAsked(cmd.ErrOrStderr()); err != nil {
		return err
	}
	if cfg.Keep, err = f.keep.retention(); err != nil {
		return err
	}
	watching, err := fleet.New(cfg)
	if err != nil {
		return err
	}
	fitCollector(f.kube.most)
	log.Info("watching pods", "cluster", p.client.From(), "namespaces", f.kube.namespaces, "selector", f.kube.selector)
	command.InOrder(cmd.Context())
	runBoth(cmd.Context(), p, watching)
	v.end()
	return v.unread()
}

// runBoth ends what looks for pods after the watches, so that the events of their last cases are written.
func runBoth(ctx context.Context, p *pods, watching *fleet.Fleet) {
	looking, stop := context.WithCancel(context.WithoutCancel(ctx))
	var work sync.WaitGroup
	work.Go(func() { p.run(looking) })
	watching.Run(ctx)
	stop()
	work.Wait()
}
