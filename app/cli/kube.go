package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/fleet"
	"github.com/gocasebook/casebook/app/kube"
	"github.com/gocasebook/casebook/casefile"
)

// kubeFlags say which pods are watched.
type kubeFlags struct {
	on         bool
	namespaces []string
	selector   string
	peers      string
	server     string
	context    string
	rules      string
	events     bool
	limits     fleet.TurnLimits
	most       int
}

const kubeText = `--kubernetes watches pods that already say where their profiles are, in the
annotations of Alloy (profiles.grafana.com/cpu.scrape, .port, .port_name …), of
Coroot (coroot.com/profile-scrape) or of Prometheus (prometheus.io/scrape; those
are asked for net/http/pprof first). Several replicas share the pods. It runs
where pods can be reached: in the cluster. From a laptop, name one pod instead:
k8s://NAMESPACE/POD:PORT. docs/kubernetes.md has the manifests.`

func (f *kubeFlags) add(flags *pflag.FlagSet) {
	flags.BoolVar(&f.on, "kubernetes", false, "watch the pods of a cluster whose annotations say that they serve profiles")
	flags.StringSliceVar(&f.namespaces, "namespace", nil, "`namespace` of the pods (repeatable; default: all)")
	flags.StringVar(&f.selector, "selector", "", "`labels` that the pods have, such as team=shop,tier!=batch")
	flags.StringVar(&f.peers, "peers", "",
		"`labels` of the replicas of this watch, which share the pods; they are in the namespace of this pod")
	flags.StringVar(&f.server, "kube-server", "",
		"`URL` of a kubectl proxy, instead of this pod's account or the kubeconfig")
	flags.StringVar(&f.context, "kube-context", "", "`context` of the kubeconfig (default: its current one)")
	flags.StringVar(&f.rules, "rules-dir", "", "`folder` with the files of rules that pods may name by the annotation "+
		kube.RulesAnnotation)
	flags.BoolVar(&f.events, "kube-events", true, "write an event on the pod when a case opens, and when it is diagnosed")
	flags.IntVar(&f.limits.Node, "cases-per-node", fleet.DefaultTurnsNode, "`cases` that are taken at a time on one node")
	flags.IntVar(&f.limits.Service, "cases-per-service", fleet.DefaultTurnsService, "`cases` an hour of one service")
	flags.IntVar(&f.most, "max-targets", fleet.DefaultMost, "`containers` that are watched at once")
}

// check refuses flags that belong to others that are not there.
func (f *kubeFlags) check() error {
	switch {
	case !f.on && (len(f.namespaces) > 0 || f.selector+f.peers+f.server+f.context+f.rules != ""):
		return errors.New("--namespace, --selector, --peers, --kube-server, --kube-context and --rules-dir are for " +
			"--kubernetes, which is not given")
	case f.server != "" && f.context != "":
		return errors.New("--kube-server and --kube-context both say which cluster: remove one")
	case f.limits.Node < 1 || f.limits.Service < 1 || f.most < 1:
		return errors.New("--cases-per-node, --cases-per-service and --max-targets must be positive")
	}
	return nil
}

func (f *kubeFlags) cluster() (kube.Cluster, error) {
	switch {
	case f.server != "":
		c, err := kube.AtAddress(f.server)
		if err != nil {
			return c, fmt.Errorf("--kube-server: %w", err)
		}
		return c, nil
	case f.context == "" && kube.InPod():
		return kube.FromPod()
	}
	return kube.FromConfig(f.context)
}

// pods are the targets of a cluster.
type pods struct {
	flags    *kubeFlags
	base     *watchFlags // what the command line says of all targets
	client   *kube.Client
	finder   *kube.Finder
	turns    *fleet.Turns
	networks fleet.Networks
	self     string
	log      *slog.Logger
	telling  *kube.Teller

	mu    sync.Mutex               // guards what follows
	known map[string]kube.Endpoint // by the target's address
	said  map[string]bool          // problems that were logged
}

// pods checks the flags. It asks nothing yet.
func (f *kubeFlags) pods(base *watchFlags, networks fleet.Networks, log *slog.Logger) (*pods, error) {
	cluster, err := f.cluster()
	if err != nil {
		return nil, err
	}
	p := &pods{flags: f, base: base, networks: networks, log: log, self: os.Getenv("POD_NAME"),
		client: kube.NewClient(cluster, command.Tool()), known: make(map[string]kube.Endpoint), said: make(map[string]bool)}
	if p.self == "" {
		p.self, _ = os.Hostname() // in a pod it is the pod's name
	}
	if p.turns, err = fleet.NewTurns(f.limits); err != nil {
		return nil, err
	}
	p.telling = kube.NewTeller(p.client, p.self, log)
	p.finder, err = kube.NewFinder(kube.FinderConfig{Client: p.client, Namespaces: f.namespaces, Selector: f.selector,
		Self: p.self, PeersIn: cluster.Namespace, Peers: f.peers, Serves: p.serves, Log: log})
	return p, err
}

func (p *pods) serves(ctx context.Context, url string) bool {
	access, err := p.base.access.options()
	access.Allow = p.networks.Check
	return err == nil && casework.ServesProfiles(ctx, url, access)
}

// run looks at pods and writes events until ctx ends.
func (p *pods) run(ctx context.Context) {
	var work sync.WaitGroup
	work.Go(func() { p.finder.Run(ctx) })
	work.Go(func() { p.telling.Run(ctx) })
	work.Wait()
	p.client.Close()
}

// list is what is to be watched now.
func (p *pods) list() (list []casework.WatchTarget, err error) {
	endpoints, err := p.finder.Endpoints()
	if err != nil {
		return nil, err
	}
	known := make(map[string]kube.Endpoint, len(endpoints))
	for _, e := range endpoints {
		t, err := p.target(e)
		if err != nil {
			p.once(e, err)
			continue
		}
		known[t.URL] = e
		list = append(list, t)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.known = known
	return list, nil
}

// target is the target of an endpoint. Of its own annotations one that cannot be read is logged, and not used: a typing
// error in a deployment should not end the watch of it.
func (p *pods) target(e kube.Endpoint) (casework.WatchTarget, error) {
	t, err := p.base.target(e.URL)
	if err != nil {
		return t, err
	}
	t.Service, t.Labels = e.Service, labelsOf(e, p.base.about.labels)
	t.Signals.AutoPage = e.Metrics
	if e.Rules != "" {
		if t.Rules, err = p.rulesFile(e.Rules); err != nil {
			p.once(e, err)
			t.Rules = p.base.rules
		}
	}
	if e.Budget != "" {
		var b budgetValue
		if err := b.Set(e.Budget); err != nil {
			p.once(e, fmt.Errorf("annotation %s: %w", kube.BudgetAnnotation, err))
		} else {
			t.Budget = casebook.Budget(b.limits)
		}
	}
	return t, nil
}

// rulesFile is a file of --rules-dir. Whoever annotates a pod does not read other files of this machine by it.
func (p *pods) rulesFile(name string) (string, error) {
	const annotation = "annotation " + kube.RulesAnnotation
	switch {
	case p.flags.rules == "":
		return "", fmt.Errorf("%s names %.60q, and the watch has no --rules-dir", annotation, name)
	case !filepath.IsLocal(name) || filepath.Base(name) != name:
		return "", fmt.Errorf("%s is %.60q; want the name of a file in --rules-dir, or off", annotation, name)
	}
	file := filepath.Join(p.flags.rules, name)
	if _, err := os.Stat(file); err != nil {
		return "", fmt.Errorf("%s: %w", annotation, err)
	}
	return file, nil
}

// once logs a problem of an endpoint, unless it was logged before.
func (p *pods) once(e kube.Endpoint, err error) {
	key := e.Namespace + "/" + e.Service + ": " + err.Error()
	p.mu.Lock()
	said := p.said[key] || len(p.said) >= 1000
	p.said[key] = true
	p.mu.Unlock()
	if !said {
		p.log.Warn("pod", "namespace", e.Namespace, "pod", e.Pod, "problem", err)
	}
}

func labelsOf(e kube.Endpoint, given map[string]string) map[string]string {
	labels := map[string]string{"namespace": e.Namespace, "pod": e.Pod, "container": e.Container, "node": e.Node}
	for name, value := range given {
		labels[name] = value
	}
	return labels
}

func (p *pods) endpoint(url string) (kube.Endpoint, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	e, ok := p.known[url]
	return e, ok
}

// admit lets cases of pods be taken in turns; those of other targets of the same server have none.
func (p *pods) admit(ctx context.Context, t *casework.WatchTarget, trigger casefile.Trigger) (func(), error) {
	e, ok := p.endpoint(t.URL)
	if !ok {
		return nil, nil
	}
	same, all := p.finder.Parts(e.Workload())
	end, err := p.turns.Take(ctx, fleet.Turn{Node: e.Node, Service: e.Workload(), Same: fleet.Share(same),
		All: fleet.Share(all)})
	if err == nil {
		p.opened(e, trigger)
	}
	return end, err
}
