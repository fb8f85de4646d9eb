package ads

import "fmt"

// A flags dictionary gives each of up to 64 texts a bit, so that two lists are compared in one step.
type flags map[string]uint64

// of is the bits of texts, new ones for those that are new.
func (f flags) of(what string, texts []string) (uint64, error) {
	var all uint64
	for _, text := range texts {
		bit, known := f[text]
		if !known {
			if len(f) == 64 {
				return 0, fmt.Errorf("there are more than 64 %s", what)
			}
			bit = 1 << len(f)
			f[text] = bit
		}
		all |= bit
	}
	return all, nil
}

// known is the bits of texts, without those that have none.
func (f flags) known(texts ...string) uint64 {
	var all uint64
	for _, text := range texts {
		all |= f[text]
	}
	return all
}

// An audience is whom an ad is for, or who asks: countries and categories as bits of the catalogue's. An ad without any
// is for all.
type audience struct{ countries, categories uint64 }

// includes reports whether an ad's audience has the asking one's country, and one of its categories.
func (a audience) includes(asking audience) bool {
	return (a.countries == 0 || a.countries&asking.countries != 0) &&
		(a.categories == 0 || a.categories&asking.categories != 0)
}

// audienceOf is whom a request is for.
func (c *catalogue) audienceOf(q *query) audience {
	return audience{c.countries.known(q.country), c.categories.known(q.categories...)}
}
