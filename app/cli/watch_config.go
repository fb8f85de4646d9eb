package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook/app/casework"
)

// A watchFile is what the file of --config says: targets, and flags by their names. The flags are the only list of what
// can be set; the file adds only the names targets and url.
type watchFile struct {
	common  []setting
	targets []targetSettings
}

type targetSettings struct {
	url  string
	flag []setting
}

// A setting is a flag's name and the texts that it is given, one after another, as on a command line.
type setting struct {
	name   string
	values []string
	line   int
}

const (
	keyTargets = "targets"
	keyURL     = "url"
)

// configText explains the file, for the help of watch.
const configText = `--config reads targets and flags from a YAML or JSON file. Flags at the top
level, by their names, apply to all targets. "targets" is a list of URLs, or of
maps with a url and the flags of that target alone. The command line takes
precedence over the file.`

// ofWholeWatch reports whether a flag applies to all targets of a watch at once: when the watch ends, where its cases
// go, which of them it keeps, and where it reports them.
func ofWholeWatch(name string) bool {
	var whole watchFlags
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	whole.keep.add(flags)
	whole.report.add(flags)
	whole.kube.add(flags)
	return flags.Lookup(name) != nil || slices.Contains([]string{"for", "once", "json", "dir", "allow"}, name)
}

// apply sets flags as the command line would. If a flag is set several times, the last value counts; maps are merged.
func apply(flags *pflag.FlagSet, settings []setting) error {
	last := make(map[string]int)
	for i, s := range settings {
		last[s.name] = i
	}
	for i, s := range settings {
		if last[s.name] != i && flags.Lookup(s.name).Value.Type() != mapType {
			continue
		}
		for _, v := range s.values {
			if err := flags.Set(s.name, v); err != nil {
				return fmt.Errorf("%s%w", s.at(), err)
			}
		}
	}
	return nil
}

const mapType = "stringToString" // pflag's word for a flag of names and values

// at says on which line of the file a setting is; "" for a setting of the command line.
func (s *setting) at() string {
	if s.line == 0 {
		return ""
	}
	return fmt.Sprintf("line %d: ", s.line)
}

// given returns the flags on the command line.
func given(flags *pflag.FlagSet) []setting {
	var all []setting
	flags.Visit(func(f *pflag.Flag) {
		s := setting{name: f.Name, values: []string{f.Value.String()}}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			s.values = list.GetSlice()
		} else if f.Value.Type() == mapType {
			s.values[0] = strings.Trim(s.values[0], "[]")
		}
		all = append(all, s)
	})
	return all
}

// A watched is one target, and the flags that apply to it.
type watched struct {
	url   string
	flags *watchFlags
}

// watched returns what to watch: the URLs on the command line and the targets of --config, whose flags f takes over.
func (f *watchFlags) watched(cmd *cobra.Command, urls []string) ([]watched, error) {
	var file watchFile
	fromLine := given(cmd.Flags())
	if f.configFile != "" {
		var err error
		if file, err = readWatchFile("--config", f.configFile, cmd.Flags()); err != nil {
			return nil, err
		}
		whole, err := f.with(file.common, fromLine)
		if err != nil {
			return nil, err
		}
		*f = *whole
		if f.kube.on {
			return nil, fmt.Errorf("--config %s: kubernetes is for the command line: such a watch has no other targets",
				f.configFile)
		}
	}
	for _, u := range urls {
		file.targets = append(file.targets, targetSettings{url: u})
	}
	if len(file.targets) == 0 {
		return nil, fmt.Errorf("--config %s: it has no targets, and the command line has no URL", f.configFile)
	}
	if err := errors.Join(f.check(), f.sources.check(len(file.targets))); err != nil {
		return nil, err
	}
	var all []watched
	for _, t := range file.targets {
		one, err := f.with(file.common, t.flag, fromLine)
		if err != nil {
			return nil, fmt.Errorf("target %s: %w", casework.Shown(t.url), err)
		}
		all = append(all, watched{t.url, one})
	}
	return all, nil
}

// with returns fresh flags with the settings applied, one list after another.
func (f *watchFlags) with(settings ...[]setting) (*watchFlags, error) {
	var fresh watchFlags
	if err := apply(fresh.command().Flags(), slices.Concat(settings...)); err != nil {
		return nil, fmt.Errorf("--config %s: %w", f.configFile, err)
	}
	return &fresh, nil
}
