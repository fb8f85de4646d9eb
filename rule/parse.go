package rule

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
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

// Parse reads a rules file. Errors carry the line, or the rule and the field at fault.
func Parse(data []byte) ([]Rule, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	var f File
	if err := dec.Decode(&f); err != nil {
		return nil, locate(data, dec.InputOffset(), err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, fmt.Errorf("line %d: there is more after the end of the rules", line(data, dec.InputOffset()))
	}
	if f.Schema != 1 {
		return nil, fmt.Errorf(`"schema" is %d: this version reads 1`, f.Schema)
	}
	if len(f.Rules) == 0 {
		return nil, errors.New(`"rules" is empty: nothing would be watched for`)
	}
	return f.Rules, Validate(f.Rules)
}

// locate puts the line before an error of encoding/json.
func locate(data []byte, offset int64, err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		offset = syntax.Offset
	case errors.As(err, &kind):
		return fmt.Errorf("line %d: %q wants %s, not a JSON %s", line(data, kind.Offset), kind.Field, kind.Type, kind.Value)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the file ends before the rules do: a bracket or brace is not closed")
	}
	return fmt.Errorf("line %d: %s", line(data, offset), strings.TrimPrefix(err.Error(), "json: "))
}

func line(data []byte, offset int64) int {
	return 1 + bytes.Count(data[:min(int(offset), len(data))], []byte{'\n'})
}

var nameSyntax = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,39}$`)

// Validate checks rules as the engine needs them. All faults are reported, each with the rule and the field.
func Validate(rules []Rule) error {
	var errs []error
	seen := make(map[string]bool)
	for i := range rules {
		r := &rules[i]
		fault := func(field, format string, args ...any) {
			errs = append(errs, fmt.Errorf("rule %d (%s): %s: %s", i+1, r.Name, field, fmt.Sprintf(format, args...)))
		}
		if !nameSyntax.MatchString(r.Name) {
			fault("name", "wants 1–40 lower-case letters, digits and dashes, not %q", r.Name)
		}
		if seen[r.Name] {
			fault("name", "is taken by an earlier rule")
		}
		seen[r.Name] = true
		for _, kind := range r.Capture {
			if !knownCapture(kind) {
				fault("capture", "unknown kind %q; known: %s", kind, strings.Join(captureKinds[:], ", "))
			}
		}
		if r.Cooldown < 0 {
			fault("cooldown", "is negative (%s)", r.Cooldown)
		}
		validateCondition(&r.When, "when", fault)
	}
	return errors.Join(errs...)
}

func validateCondition(c *Condition, path string, fault func(field, format string, args ...any)) {
	switch {
	case len(c.All) > 0 && len(c.Any) > 0:
		fault(path, "has both all and any; nest one in the other")
	case len(c.All)+len(c.Any) > 0:
		validateGroup(c, path, fault)
	default:
		validateTest(c, path, fault)
	}
	if c.For < 0 {
		fault(path+".for", "is negative (%s)", c.For)
	}
}

func validateGroup(c *Condition, path string, fault func(field, format string, args ...any)) {
	if c.Signal != "" || c.Above != nil || c.Below != nil || c.Rise != nil || c.Min != nil || c.Max != nil {
		fault(path, "has all or any beside a test of its own; put the test into the list")
	}
	for i := range c.All {
		validateCondition(&c.All[i], fmt.Sprintf("%s.all[%d]", path, i), fault)
	}
	for i := range c.Any {
		validateCondition(&c.Any[i], fmt.Sprintf("%s.any[%d]", path, i), fault)
	}
}

func validateTest(c *Condition, path string, fault func(field, format string, args ...any)) {
	if _, ok := vitals.Lookup(c.Signal); !ok {
		fault(path+".signal", "unknown signal %q; known: %s", c.Signal, strings.Join(vitals.Names(), ", "))
	}
	tests := 0
	for _, t := range []struct {
		field string
		value *float64
	}{{"above", c.Above}, {"below", c.Below}, {"rise", c.Rise}, {"min", c.Min}, {"max", c.Max}} {
		if t.value == nil {
			continue
		}
		if math.IsNaN(*t.value) || math.IsInf(*t.value, 0) {
			fault(path+"."+t.field, "is not a finite number")
		}
		if t.field != "min" && t.field != "max" {
			tests++
		}
	}
	if tests != 1 {
		fault(path, "wants exactly one of above, below and rise, has %d", tests)
	}
	if c.Rise != nil && *c.Rise <= 0 {
		fault(path+".rise", "wants a percentage above 0, not %g", *c.Rise)
	}
	if c.Over < 0 {
		fault(path+".over", "is negative (%s)", c.Over)
	}
	if c.Over != 0 && c.Rise == nil {
		fault(path+".over", "belongs to rise, which is not set")
	}
	if c.Min != nil && c.Max != nil && *c.Min >= *c.Max {
		fault(path+".min", "is not below max (%g, %g)", *c.Min, *c.Max)
	}
}
