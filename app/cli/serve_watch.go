package cli

import (
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/fleet"
	"github.com/gocasebook/casebook/app/store"
	"github.com/gocasebook/casebook/instance"
)

// serveWatchFlags say what a server watches itself.
type serveWatchFlags struct {
	targets []string
	file    string
	allow   []string
	dir     string

	push, pushAuth string

	kube kubeFlags
	pods *pods // nil for none
}

const targetsText = `--target and --targets name services that the server watches itself, with the
default rules: no casebook watch is needed. The file has the form of watch's
--config and is read again every 15 s. dns+http://NAME:PORT stands for each
address of a name, asked again as often. The server asks private networks and
this machine only; --allow says which instead.`

func (f *serveWatchFlags) add(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.targets, "target", nil,
		"`URL` of net/http/pprof to watch, or dns+http://NAME:PORT for each address of a name (repeatable)")
	flags.StringVar(&f.file, "targets", "", "YAML or JSON `file` with more, read again when it changes")
	flags.StringSliceVar(&f.allow, "allow", nil, "`network` that targets and engines may be in, such as 10.1.0.0/16; any "+
		"is all but those that no service is in (default: this machine and private networks)")
	flags.StringVar(&f.push, "push", "",
		"push the profiles of each case of --target to this `engine`, pyroscope://host:4040 or parca://host:7070, or "+
			"env:NAME, or file:PATH")
	flags.StringVar(&f.pushAuth, "push-header-file", "", "`file` with headers for --push, such as Authorization")
	flags.StringVar(&f.dir, "watch-dir", "",
		"`folder` where cases of --target are until the store has them (default: in the folder of --store)")
}

func (f *serveWatchFlags) given() bool { return len(f.targets) > 0 || f.file != "" || f.kube.on }

// check refuses flags that belong to others that are not there.
func (f *serveWatchFlags) check(st *storeFlags) error {
	if err := f.kube.check(); err != nil {
		return err
	}
	switch {
	case !f.given() && f.dir != "":
		return errors.New("--watch-dir is for --target and --targets, which are not given")
	case !f.given() && f.push != "":
		return errors.New("--push is for the cases of --target and --targets, which are not given")
	case f.push == "" && f.pushAuth != "":
		return errors.New("--push-header-file is for --push, which is not given")
	case f.given() && !st.given():
		return errors.New("--target and --kubernetes need --store, where their cases go: casebook serve --store FOLDER " +
			"--target URL")
	}
	return nil
}

// fleet makes the watches.
func (f *serveWatchFlags) fleet(st *store.Store, where *storeFlags, log *slog.Logger) (*fleet.Fleet, error) {
	if _, err := f.list(); err != nil { // at the start a fault ends the server; later the old list stays
		return nil, err
	}
	networks, err := fleet.ParseNetworks(f.allow)
	if err != nil {
		return nil, fmt.Errorf("--allow: %w", err)
	}
	dir := f.dir
	if dir == "" {
		folder, err := where.folder()
		if err != nil {
			return nil, err
		}
		dir = filepath.Join(folder, "watch")
	}
	cfg := fleet.Config{Targets: f.list, Store: st, Dir: dir, Networks: networks, Most: f.kube.most, Tool: command.Tool(),
		Log: log}
	if f.kube.on {
		base, err := new(watchFlags).with()
		if err != nil {
			return nil, err
		}
		if f.pods, err = f.kube.pods(base, networks, log); err != nil {
			return nil, err
		}
		cfg.Targets, cfg.Changed, cfg.Admit, cfg.On = f.withPods, f.pods.finder.Changed, f.pods.admit, f.pods.see
	}
	if f.push != "" {
		to, err := pushTo(f.push, instance.HTTPOptions{HeaderFile: f.pushAuth, Allow: networks.Check})
		if err != nil {
			return nil, fmt.Errorf("--push: %w", err)
		}
		cfg.Reporters = append(cfg.Reporters, to)
	}
	return fleet.New(cfg)
}

// withPods is what is to be watched now, pods included. Until pods are known the others are watched alone.
func (f *serveWatchFlags) withPods() ([]casework.WatchTarget, error) {
	list, err := f.list()
	if err != nil {
		return nil, err
	}
	more, err := f.pods.list()
	if err != nil {
		f.pods.log.Info("pods are not watched yet", "why", err)
	}
	return append(list, more...), nil
}

// list is what is to be watched now, but for pods.
func (f *serveWatchFlags) list() (list []casework.WatchTarget, err error) {
	var watch watchFlags
	for _, url := range f.targets {
		flags, err := watch.with()
		if err != nil {
			return nil, err
		}
		t, err := flags.target(url)
		if err != nil {
			return nil, fmt.Errorf("--target %s: %w", url, err)
		}
		list = append(list, t)
	}
	if f.file == "" {
		return list, nil
	}
	more, err := f.fromFile()
	return append(list, more...), err
}

func (f *serveWatchFlags) fromFile() (list []casework.WatchTarget, err error) {
	watch := watchFlags{configFile: f.file}
	file, err := readWatchFile("--targets", f.file, new(watchFlags).command().Flags())
	if err != nil {
		return nil, err
	}
	for _, s := range file.common {
		if ofWholeWatch(s.name) {
			return nil, fmt.Errorf("--targets %s: %s%s is for casebook watch: a server keeps and reports cases itself",
				f.file, s.at(), s.name)
		}
	}
	for _, t := range file.targets {
		if strings.HasPrefix(t.url, "unix:") {
			return nil, fmt.Errorf("--targets %s: %s: a socket is named by --target alone: whoever writes the file could "+
				"make the server ask any socket here", f.file, t.url)
		}
		flags, err := watch.with(file.common, t.flag)
		if err != nil {
			return nil, err
		}
		one, err := flags.target(t.url)
		if err != nil {
			return nil, fmt.Errorf("--targets %s: %s: %w", f.file, t.url, err)
		}
		list = append(list, one)
	}
	return list, nil
}
