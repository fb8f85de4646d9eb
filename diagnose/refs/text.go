package refs

import (
	"fmt"
	"strings"

	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/internal/words"
)

// String says what the summary is of.
func (s *Summary) String() string {
	what := "references of"
	if s.Version != "" {
		what = "heap dump:"
	}
	return fmt.Sprintf("%s %s in %s objects", what, number.Bytes(float64(s.Bytes)), number.Count(float64(s.Objects)))
}

// Describe is a root in words, with what is known of the way from it to its memory: "global main.app.cache, a map".
func (s *Summary) Describe(r Root) string {
	for _, h := range s.Holders {
		if h.Root == r && len(h.Parts) > 0 {
			return r.String() + r.variable() + h.Parts[0].way()
		}
	}
	return r.String()
}

// variable is ", in NAME" of a goroutine's.
func (r Root) variable() string {
	if r.Variable == "" {
		return ""
	}
	return ", in " + r.Variable
}

// way names fields, and otherwise types and closures, on a part's chain.
func (p *Part) way() string {
	var fields, types []string
	last := ""
	for _, s := range p.Chain {
		switch {
		case s.Field == "[]" && len(fields) > 0:
			fields[len(fields)-1] += "[]"
			last = s.Type
		// The first step is the variable itself.
		case s.Field != "" || s.Holds > 0 && s.Address == 0 && len(fields) == 0:
			fields = append(fields, s.Field)
			last = s.Type
		case s.Type != "":
			types = append(types, typeText(s.Type))
		}
	}
	text := fieldsText(fields) + sortText(last)
	if len(types) > 0 {
		text += ", by " + strings.Join(types[:min(len(types), maxTypes)], ", ")
	}
	return text
}

// maxFields on a chain are named; of more the last ones are.
const maxFields = 4

func fieldsText(fields []string) string {
	if len(fields) > maxFields+1 {
		return fields[0] + "…" + strings.Join(fields[len(fields)-maxFields:], ".")
	}
	return strings.Join(fields, ".")
}

// maxTypes on a chain are named.
const maxTypes = 3

// sortText says what sort of structure a type is, where the word tells more than the variable's name.
func sortText(typ string) string {
	switch {
	case strings.HasPrefix(typ, "map["):
		return ", a map"
	case strings.HasPrefix(typ, "["):
		return ", a slice"
	case strings.HasPrefix(typ, "chan "):
		return ", a channel"
	}
	return ""
}

// typeText is a type or closure without the path of its package.
func typeText(name string) string {
	if fn, ok := strings.CutPrefix(name, "closure "); ok {
		return "closure " + words.Function(fn)
	}
	return words.Function(name)
}
