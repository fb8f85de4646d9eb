package prometheus

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	dto "github.com/prometheus/client_model/go"
)

// A selector picks series: those of one name that have all the labels.
type selector struct {
	text   string
	name   string
	labels []label // in the order given
}

type label struct{ name, value string }

var (
	nameStart  = regexp.MustCompile(`^[a-zA-Z_:][a-zA-Z0-9_:]*`)
	labelStart = regexp.MustCompile(`^\s*([a-zA-Z_][a-zA-Z0-9_]*)\s*(=~|!~|!=|=)\s*"((?:[^"\\]|\\.)*)"\s*`)
)

// parseSelector reads name or name{label="value",…}, as in PromQL, where only = is known.
func parseSelector(text string) (selector, error) {
	text = strings.TrimSpace(text)
	s := selector{text: text, name: nameStart.FindString(text)}
	rest := text[len(s.name):]
	if s.name == "" || rest != "" && (rest[0] != '{' || rest[len(rest)-1] != '}' || len(rest) < 2) {
		return s, fmt.Errorf(`%q is not a selector; want name or name{label="value"}`, text)
	}
	if rest == "" {
		return s, nil
	}
	rest = strings.TrimSpace(rest[1 : len(rest)-1])
	for rest != "" {
		m := labelStart.FindStringSubmatch(rest)
		if m == nil {
			return s, fmt.Errorf(`%q: %q is not a label; want label="value"`, text, rest)
		}
		if m[2] != "=" {
			return s, fmt.Errorf("%q: %s is not supported; select each value by = instead", text, m[2])
		}
		s.labels = append(s.labels, label{m[1], unescape(m[3])})
		if rest = rest[len(m[0]):]; rest == "" {
			break
		}
		if rest[0] != ',' {
			return s, fmt.Errorf("%q: want a comma before %q", text, rest)
		}
		rest = strings.TrimSpace(rest[1:])
	}
	return s, nil
}

func unescape(value string) string {
	return strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\n`, "\n").Replace(value)
}

// matches says whether a series has the labels. An empty value is a label that the series does not have.
func (s *selector) matches(series *dto.Metric) bool {
	for _, want := range s.labels {
		i := slices.IndexFunc(series.Label, func(l *dto.LabelPair) bool { return l.GetName() == want.name })
		got := ""
		if i >= 0 {
			got = series.Label[i].GetValue()
		}
		if got != want.value {
			return false
		}
	}
	return true
}

// take removes a label and returns its value.
func (s *selector) take(name string) (value string, ok bool) {
	i := slices.IndexFunc(s.labels, func(l label) bool { return l.name == name })
	if i < 0 {
		return "", false
	}
	value = s.labels[i].value
	s.labels = slices.Delete(slices.Clone(s.labels), i, i+1)
	return value, true
}
