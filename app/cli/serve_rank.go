package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook/app/engine"
	"github.com/gocasebook/casebook/app/fleet"
	"github.com/gocasebook/casebook/app/ranking"
	"github.com/gocasebook/casebook/app/server"
	"github.com/gocasebook/casebook/app/store"
	"github.com/gocasebook/casebook/instance"
)

// serveRankFlags say of which services a server ranks the findings, beside those that have cases.
type serveRankFlags struct {
	engines []string
	access  accessFlags
	owners  []string
	sources map[string]string // of services: folders
}

const rankText = `--engine names a Pyroscope or Parca. Once an hour the detectors judge each service
that it lists, and the first page shows the findings that cost most CPU. Servers
that share a store share the work.`

func (f *serveRankFlags) add(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.engines, "engine", nil, "`address` whose services are ranked, such as pyroscope://host:4040 "+
		"for all or with ?service=NAME for one; or env:NAME or file:PATH with it (repeatable)")
	flags.StringVar(&f.access.bearerFile, "engine-bearer-file", "", "`file` with the bearer token of --engine")
	flags.StringVar(&f.access.bearerEnv, "engine-bearer-env", "", "environment `variable` that holds it")
	flags.StringVar(&f.access.basicFile, "engine-basic-file", "", "`file` with user:password of --engine")
	flags.StringVar(&f.access.headerFile, "engine-header-file", "", "`file` with headers for --engine, one per line")
	flags.StringVar(&f.access.ca, "engine-ca", "", "`file` with the CA certificates (PEM) to trust for --engine")
	flags.StringSliceVar(&f.owners, "owner-label", engine.OwnerLabels,
		"`label` of profiles and cases that has a service's owner; the first that there is counts")
	flags.StringToStringVar(&f.sources, "repository", nil,
		"`SERVICE=FOLDER` with a service's git repository, for its source beside what lines cost and the commits that a release"+
			" brought (repeatable)")
}

func (f *serveRankFlags) given() bool { return len(f.engines) > 0 }

func (f *serveRankFlags) check(st *storeFlags) error {
	secret := f.access.bearerFile + f.access.bearerEnv + f.access.basicFile + f.access.headerFile
	switch {
	case f.given() && !st.given():
		return errors.New("--engine needs --store, where the ranking is kept: casebook serve --store FOLDER --engine ADDRESS")
	case !f.given() && secret+f.access.ca != "":
		return errors.New("--engine-bearer-file and the like are for --engine, which is not given")
	}
	return nil
}

// ranker makes what ranks: the cases of the store, and the engines. compare says what their services' releases changed.
func (f *serveRankFlags) ranker(st *store.Store, allow []string, log *slog.Logger) (r *ranking.Ranker,
	compare func(context.Context, string) (server.Release, error), err error) {
	networks, err := fleet.ParseNetworks(allow)
	if err != nil {
		return nil, nil, fmt.Errorf("--allow: %w", err)
	}
	access, err := f.access.options()
	if err != nil {
		return nil, nil, fmt.Errorf("of --engine: %w", err)
	}
	access.Allow = networks.Check
	sources := []ranking.Source{ranking.OfCases(st, f.owners...)}
	engines, err := f.directories(access)
	if err != nil {
		return nil, nil, fmt.Errorf("--engine: %w", err)
	}
	if len(engines) > 0 {
		compare = releases(engines, f.sources)
	}
	for _, d := range engines {
		sources = append(sources, ranking.OfEngine(d))
	}
	r, err = ranking.New(ranking.Config{Store: st, Sources: sources, Log: log})
	return r, compare, err
}

// directories refuses to send the credentials of one engine to another.
func (f *serveRankFlags) directories(access instance.HTTPOptions) (list []*engine.Directory, err error) {
	hosts := make(map[string]bool)
	for _, text := range f.engines {
		address, err := secret(text)
		if err != nil {
			return nil, err
		}
		d, err := engine.NewDirectory(address, engine.Options{Access: access}, f.owners...)
		if err != nil {
			return nil, err
		}
		hosts[d.Host()] = true
		list = append(list, d)
	}
	if len(hosts) > 1 && (len(access.Header) > 0 || access.HeaderFile+access.BearerFile != "") {
		return nil, errors.New("the credentials would be sent to several hosts; start a server for each, which may share " +
			"the store, or put user:password@ into addresses that files hold (file:PATH)")
	}
	return list, nil
}
