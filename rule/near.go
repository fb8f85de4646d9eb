package rule

import (
	"strings"

	"github.com/gocasebook/casebook/internal/near"
	"github.com/gocasebook/casebook/vitals"
)

// maxNear is the length in bytes beyond which a name is not treated as misspelt.
const maxNear = 60

// unknownSignal says which names are similar to an unknown one, or lists all of them.
func unknownSignal(name string, catalog *vitals.Catalog) string {
	var all []string
	for _, s := range catalog.Signals() {
		all = append(all, s.Name)
	}
	text := "unknown signal \"" + clip([]byte(name)) + "\"; "
	if meant := near.Names(name, all); len(name) <= maxNear && len(meant) > 0 {
		return text + "near it: " + strings.Join(meant, ", ")
	}
	return text + "known: " + strings.Join(all, ", ")
}
