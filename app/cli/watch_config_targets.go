package cli

import (
	"go.yaml.in/yaml/v3"
)

func (r *watchReader) targets(n *yaml.Node) {
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

func (r *watchReader) target(n *yaml.Node) {
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
