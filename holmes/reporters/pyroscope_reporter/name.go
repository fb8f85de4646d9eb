package pyroscope_reporter //nolint:revive // the name is that of mosn.io/holmes

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// ReservedTagKeyName is the tag that Pyroscope keeps the application's name in.
const ReservedTagKeyName = "__name__"

// nameOf makes Pyroscope's name of a series, app{tag=value,tag=value} with the tags in order, of an application's name,
// which may have tags itself, and of tags, which win. A tag without a value is left out. It is read as Pyroscope reads
// it: https://grafana.com/docs/pyroscope/latest/reference-server-api/.
func nameOf(app string, tags map[string]string) (string, error) {
	name, list, _ := strings.Cut(app, "{")
	name = strings.TrimSpace(name)
	if name == "" {
		return "", errors.New("pyroscope reporter: the application has no name")
	}
	if i := strings.IndexFunc(name, func(r rune) bool {
		return !tagRune(r) && r != '-' && r != '.' &&
			r != '/'
	}); i >= 0 {
		return "", fmt.Errorf("pyroscope reporter: the name %q has a %q; letters, digits and _ - . / are allowed", name,
			name[i:i+1])
	}
	all := make(map[string]string)
	for tag := range strings.SplitSeq(strings.TrimSuffix(strings.TrimSpace(list), "}"), ",") {
		if key, value, ok := strings.Cut(tag, "="); ok {
			all[strings.TrimSpace(key)] = strings.TrimSpace(value)
		} else if strings.TrimSpace(tag) != "" {
			return "", fmt.Errorf("pyroscope reporter: %q in the name is not tag=value", tag)
		}
	}
	maps.Copy(all, tags)
	return name + "{" + join(all) + "}", checkTags(all)
}

func join(tags map[string]string) string {
	var parts []string
	for _, key := range slices.Sorted(maps.Keys(tags)) {
		if key != ReservedTagKeyName && tags[key] != "" {
			parts = append(parts, key+"="+tags[key])
		}
	}
	return strings.Join(parts, ",")
}

func checkTags(tags map[string]string) error {
	for key, value := range tags {
		if key == "" || strings.IndexFunc(key, func(r rune) bool { return !tagRune(r) }) >= 0 {
			return fmt.Errorf("pyroscope reporter: the tag %q is not made of letters, digits and _", key)
		}
		if strings.ContainsAny(value, ",}=") {
			return fmt.Errorf("pyroscope reporter: the tag %s is %q, which has one of , = }", key, value)
		}
	}
	return nil
}

func tagRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_'
}
