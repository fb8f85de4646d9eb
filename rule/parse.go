package rule

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/vitals"
)

// A File is the content of a rules file.
//
//	{"schema": 1, "rules": [
//	  {"name": "gc-cpu", "when": {"signal": "gc_cpu", "above": 0.15, "for": "5s"}}
//	]}
type File struct {
	Schema int    `json:"schema"`
	Rules  []Rule `json:"rules"`
}

// maxFile limits a rules file: four thousand rules of 250 bytes.
const maxFile = 1 << 20

// Parse reads a rules file for samples of a catalog. It reports all faults, each with the line and, if there is one,
// the rule and the field, joined like those of Validate. A JSON syntax error is reported alone.
func Parse(data []byte, catalog *vitals.Catalog) ([]Rule, error) {
	if len(data) > maxFile {
		return nil, fmt.Errorf("the file has %d bytes; rules may have at most %d", len(data), maxFile)
	}
	if err := syntax(data); err != nil {
		return nil, err
	}
	var head struct {
		Schema *int              `json:"schema"`
		Rules  []json.RawMessage `json:"rules"`
	}
	_ = json.Unmarshal(data, &head) // the survey finds what does not fit, with its line
	if head.Schema != nil && *head.Schema != 1 {
		return nil, fmt.Errorf(`"schema" is %d: this version reads 1`, *head.Schema)
	}
	s := survey(data)
	if len(s.faults) == 0 && head.Schema == nil {
		return nil, errors.New(`"schema" is missing: this version reads 1`)
	}
	if len(s.faults) == 0 && len(head.Rules) == 0 {
		return nil, errors.New(`"rules" is empty: there would be nothing to watch for`)
	}
	rules := s.decode(head.Rules, catalog)
	if len(s.faults) > 0 {
		return nil, joinFaults(s.faults)
	}
	return rules, nil
}

// decode reads and validates the rules in which the survey found nothing wrong.
func (s *surveyor) decode(raw []json.RawMessage, catalog *vitals.Catalog) []Rule {
	rules := make([]Rule, len(raw))
	for i := range raw {
		if s.broken(i) {
			continue
		}
		if err := json.Unmarshal(raw[i], &rules[i]); err != nil {
			s.fault(rulePath(i), err.Error())
		}
	}
	for _, f := range append(validate(rules, catalog), doubtful(rules, catalog)...) {
		if !s.broken(f.rule) { // faults of a rule that was not decoded are already reported
			s.faults = append(s.faults, located{s.line(rulePath(f.rule) + "." + f.field), f.describe(rules)})
		}
	}
	return rules
}

// A located text has a line of the file.
type located struct {
	line int
	text string
}

func joinFaults(faults []located) error {
	slices.SortStableFunc(faults, func(a, b located) int { return a.line - b.line })
	errs := make([]error, len(faults))
	for i, f := range faults {
		errs[i] = fmt.Errorf("line %d: %s", f.line, f.text)
	}
	return errors.Join(errs...)
}

// syntax checks that data is one JSON value.
func syntax(data []byte) error {
	var any json.RawMessage
	err := json.Unmarshal(data, &any)
	var bad *json.SyntaxError
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &bad):
		return err
	case strings.HasPrefix(bad.Error(), "unexpected end"):
		return errors.New("the file ends in the middle of the rules: a bracket or brace is not closed")
	case strings.HasSuffix(bad.Error(), "after top-level value"):
		return fmt.Errorf("line %d: unexpected text after the end of the rules", lineAt(data, bad.Offset))
	}
	return fmt.Errorf("line %d: %w", lineAt(data, bad.Offset), bad)
}
