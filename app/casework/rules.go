package casework

import (
	"fmt"
	"slices"
	"sync"

	"github.com/gocasebook/casebook/app/openfile"
	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

// rulesOf makes rules for a catalog, against which their signals are checked.
type rulesOf func(*vitals.Catalog) ([]rule.Rule, error)

// A RulesError says that a file holds no rules, or wrong ones.
type RulesError struct {
	File string
	Err  error // may join several faults
}

// Error names the file first.
func (e *RulesError) Error() string { return fmt.Sprintf("rules file %s: %v", e.File, e.Err) }

// Unwrap returns what is wrong with the rules.
func (e *RulesError) Unwrap() error { return e.Err }

// builtIn are the built-in rules, once for all watches of this process: their conditions are 60 KB.
var builtIn = sync.OnceValue(rule.Default)

// ReadRules reads the rules in a JSON file and checks their signals against the catalog; for file "" it returns the
// built-in ones, which must not be changed. What is wrong with rules is a *RulesError.
func ReadRules(file string, catalog *vitals.Catalog) ([]rule.Rule, error) {
	if file == "" {
		return slices.Clip(builtIn()), nil
	}
	data, err := openfile.ReadSmall(file)
	if err != nil {
		return nil, fmt.Errorf("reading the rules: %w", err)
	}
	rules, err := rule.Parse(data, catalog)
	if err != nil {
		return nil, &RulesError{file, err}
	}
	return rules, nil
}
