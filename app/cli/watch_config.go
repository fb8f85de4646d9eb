package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"

	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/command"
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

// A setting is a flag's name and the texts it is given, one after the other, as on a command line.
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

// readWatchFile reads the file of --config. It reports all faults at once, each with its line.
func readWatchFile(name string, flags *pflag.FlagSet) (watchFile, error) {
	data, err := casework.ReadSmall(name)
	if err != nil {
		return watchFile{}, fmt.Errorf("--config: %w", err)
	}
	r := configReader{flags: flags}
	dec := yaml.NewDecoder(bytes.NewReader(data)) // JSON is YAML
	var doc yaml.Node
	switch err := dec.Decode(&doc); {
	case errors.Is(err, io.EOF):
		r.fault(1, "is empty; it needs targets: and below it a list of URLs")
	case err != nil:
		return watchFile{}, fmt.Errorf("--config %s: %w", name, err)
	default:
		r.document(doc.Content[0])
		if dec.Decode(&yaml.Node{}) == nil {
			r.fault(1, "has a second document; one is read")
		}
	}
	if len(r.faults) > 0 {
		return watchFile{}, fmt.Errorf("--config %s:\n  %s", name, strings.Join(r.faults, "\n  "))
	}
	return r.file, nil
}

// A configReader turns the nodes of the file into settings, and collects what is wrong with it.
type configReader struct {
	flags  *pflag.FlagSet
	file   watchFile
	faults []string
}

func (r *configReader) fault(line int, format string, args ...any) {
	r.faults = append(r.faults, fmt.Sprintf("line %d: ", line)+fmt.Sprintf(format, args...))
}

func (r *configReader) document(n *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		r.fault(n.Line, "must have names and values: targets, and the flags of casebook watch")
		return
	}
	r.pairs(n, func(key string, value *yaml.Node) {
		switch {
		case key == keyTargets:
			r.targets(value)
		case r.known(key, value.Line, keyTargets):
			r.file.common = append(r.file.common, r.setting(key, value))
		}
	})
}

// pairs calls do for each name and value of a map.
func (r *configReader) pairs(n *yaml.Node, do func(key string, value *yaml.Node)) {
	seen := make(map[string]bool)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if seen[key.Value] {
			r.fault(key.Line, "%q is there twice", key.Value)
			continue
		}
		seen[key.Value] = true
		do(key.Value, resolve(n.Content[i+1]))
	}
}

// resolve follows an alias (*name) to its anchor (&name).
func resolve(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

func (r *configReader) targets(n *yaml.Node) {
	if n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
		r.fault(n.Line, "targets must be a list of URLs, or of maps with a url")
		return
	}
	for _, item := range n.Content {
		switch item = resolve(item); item.Kind {
		case yaml.ScalarNode:
			r.file.targets = append(r.file.targets, targetSettings{url: item.Value})
		case yaml.MappingNode:
			r.target(item)
		default:
			r.fault(item.Line, "a target must be a URL, or a map with a url")
		}
	}
}

func (r *configReader) target(n *yaml.Node) {
	var t targetSettings
	r.pairs(n, func(key string, value *yaml.Node) {
		switch {
		case key == keyURL:
			t.url = value.Value
		case !r.known(key, value.Line, keyURL):
		case ofWholeWatch(key):
			r.fault(value.Line, "%s is for the whole watch: set it at the top level", key)
		default:
			t.flag = append(t.flag, r.setting(key, value))
		}
	})
	if t.url == "" {
		r.fault(n.Line, "a target needs its url, such as http://127.0.0.1:6060")
	}
	r.file.targets = append(r.file.targets, t)
}

// known reports whether a name is a flag that a file may set.
func (r *configReader) known(key string, line int, also string) bool {
	var names []string
	r.flags.VisitAll(func(f *pflag.Flag) {
		if f.Name != "help" && f.Name != "config" && !f.Hidden {
			names = append(names, f.Name)
		}
	})
	if slices.Contains(names, key) {
		return true
	}
	r.fault(line, "unknown name %q%s", key, command.Meant(key, append(names, also), ""))
	return false
}

// setting reads a flag's value: a text, a list of texts, or a map of names to texts.
func (r *configReader) setting(key string, n *yaml.Node) setting {
	s := setting{name: key, line: n.Line}
	switch n.Kind {
	case yaml.ScalarNode:
		s.values = []string{n.Value}
	case yaml.SequenceNode:
		for _, item := range n.Content {
			if item = resolve(item); item.Kind != yaml.ScalarNode {
				r.fault(item.Line, "the list of %s must have texts or numbers", key)
			}
			s.values = append(s.values, item.Value)
		}
	case yaml.MappingNode:
		r.pairs(n, func(name string, value *yaml.Node) {
			if value.Kind != yaml.ScalarNode {
				r.fault(value.Line, "the values below %s must be texts or numbers", key)
			}
			s.values = append(s.values, name+"="+value.Value)
		})
	}
	return s
}

// ofWholeWatch reports whether a flag applies to all targets of a watch at once: when the watch ends, where its cases
// go, which of them it keeps, and where it reports them.
func ofWholeWatch(name string) bool {
	var whole watchFlags
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	whole.keep.add(flags)
	whole.report.add(flags)
	return flags.Lookup(name) != nil || slices.Contains([]string{"for", "once", "json", "dir"}, name)
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
		if file, err = readWatchFile(f.configFile, cmd.Flags()); err != nil {
			return nil, err
		}
		whole, err := f.with(file.common, fromLine)
		if err != nil {
			return nil, err
		}
		*f = *whole
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
			return nil, fmt.Errorf("target %s: %w", t.url, err)
		}
		all = append(all, watched{t.url, one})
	}
	return all, nil
}

// with returns fresh flags with the settings applied, one list after the other.
func (f *watchFlags) with(settings ...[]setting) (*watchFlags, error) {
	var fresh watchFlags
	if err := apply(fresh.command().Flags(), slices.Concat(settings...)); err != nil {
		return nil, fmt.Errorf("--config %s: %w", f.configFile, err)
	}
	return &fresh, nil
}
