package feature

import (
	"fmt"
	"strings"
)

// A Model takes some features of a user, in this order.
type Model struct {
	Name     string
	Features []FeatureRef
}

// A FeatureRef names a feature: "amount_7d" of the group "orders".
type FeatureRef struct{ Group, Name string }

// models are those that ask for features. Each takes a few measures in a few windows of some groups: 18 to 32 numbers
// of the 128 to 256 that the groups hold.
func models() []Model {
	return []Model{
		model("ranking", "clicks orders searches views", "amount visits", "1h 1d 7d 30d"),
		model("pricing", "orders views", "amount discount items", "1d 7d 30d"),
		model("fraud", "clicks orders searches", "amount sessions visits", "1h 6h 1d"),
	}
}

func model(name, groups, measures, windows string) Model {
	m := Model{Name: name}
	for group := range strings.FieldsSeq(groups) {
		for measure := range strings.FieldsSeq(measures) {
			for window := range strings.FieldsSeq(windows) {
				m.Features = append(m.Features, FeatureRef{group, measure + "_" + window})
			}
		}
	}
	return m
}

// A plan is a model, prepared for reading answers.
type plan struct {
	model Model
	names string                    // of the groups, as in the call of the compute tier
	place map[string]map[string]int // group → feature → place in the vector
}

func newPlan(m Model) *plan {
	p := &plan{model: m, place: map[string]map[string]int{}}
	var names []string
	for i, f := range m.Features {
		if p.place[f.Group] == nil {
			p.place[f.Group] = map[string]int{}
			names = append(names, f.Group)
		}
		p.place[f.Group][f.Name] = i
	}
	p.names = strings.Join(names, ",")
	return p
}

// plans are those of all models, by name.
func plans() map[string]*plan {
	out := map[string]*plan{}
	for _, m := range models() {
		out[m.Name] = newPlan(m)
	}
	return out
}

// modelNames lists the models for people.
func modelNames() string {
	var names []string
	for _, m := range models() {
		names = append(names, m.Name)
	}
	return strings.Join(names, ", ")
}

// A missingError says that an answer lacks a feature of the model.
type missingError struct{ FeatureRef }

func (e missingError) Error() string {
	return fmt.Sprintf("the answer has no number for feature %s of group %s", e.Name, e.Group)
}
