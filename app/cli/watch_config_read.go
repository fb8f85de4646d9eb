package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"

	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/openfile"
)

// readWatchFile reads the file that a flag such as --config names.
func readWatchFile(flag, name string, flags *pflag.FlagSet) (watchFile, error) {
	r := watchReader{configReader: configReader{flags: flags}}
	err := r.read(flag, name, "targets: and below it a list of URLs", r.document)
	return r.file, err
}

// A watchReader reads the file of a watch.
type watchReader struct {
	configReader
	file watchFile
}

// A configReader turns the nodes of a YAML or JSON file into settings, and collects what is wrong with it.
type configReader struct {
	flags  *pflag.FlagSet // what can be set
	faults []string
}

// read gives document the file that a flag names. It reports all faults at once, each with its line. needs is what an
// empty file lacks.
func (r *configReader) read(flag, name, needs string, document func(*yaml.Node)) error {
	data, err := openfile.ReadSmall(name)
	if err != nil {
		return fmt.Errorf("%s: %w", flag, err)
	}
	dec := yaml.NewDecoder(bytes.NewReader(data)) // JSON is YAML
	var doc yaml.Node
	switch err := dec.Decode(&doc); {
	case errors.Is(err, io.EOF):
		r.fault(1, "is empty; it needs %s", needs)
	case err != nil:
		return fmt.Errorf("%s %s: %w", flag, name, err)
	default:
		document(doc.Content[0])
		if dec.Decode(&yaml.Node{}) == nil {
			r.fault(1, "has a second document; one is read")
		}
	}
	if len(r.faults) > 0 {
		return fmt.Errorf("%s %s:\n  %s", flag, name, strings.Join(r.faults, "\n  "))
	}
	return nil
}

func (r *configReader) fault(line int, format string, args ...any) {
	r.faults = append(r.faults, fmt.Sprintf("line %d: ", line)+fmt.Sprintf(format, args...))
}

func (r *watchReader) document(n *yaml.Node) {
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
