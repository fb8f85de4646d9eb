package feature

import (
	"encoding/json"
	"fmt"
	"math"
)

// The values of -decode: how the API tier reads the answer of the compute tier.
const (
	decodeWhole  = "whole"  // all of it, into maps
	decodeFields = "fields" // the numbers of the model; the rest is passed over
)

var decodeNames = []string{decodeWhole, decodeFields}

// read puts the numbers of a model into vector, which has a place for each.
func (p *plan) read(decode string, body []byte, vector []float64) error {
	for i := range vector {
		vector[i] = math.NaN()
	}
	var err error
	if decode == decodeWhole {
		err = p.readWhole(body, vector)
	} else {
		err = p.readFields(body, vector)
	}
	if err != nil {
		return err
	}
	for i, v := range vector {
		if math.IsNaN(v) {
			return missingError{p.model.Features[i]}
		}
	}
	return nil
}

// readWhole decodes the answer, and takes the model's features from it.
func (p *plan) readWhole(body []byte, vector []float64) error {
	var answer map[string]any
	if err := json.Unmarshal(body, &answer); err != nil {
		return fmt.Errorf("decoding the answer: %w", err)
	}
	groups, _ := answer["groups"].(map[string]any)
	for name, place := range p.place {
		group, _ := groups[name].(map[string]any)
		features, _ := group["features"].([]any)
		for _, f := range features {
			feature, _ := f.(map[string]any)
			name, _ := feature["name"].(string)
			value, isNumber := feature["value"].(float64)
			if i, wanted := place[name]; wanted && isNumber {
				vector[i] = value
			}
		}
	}
	return nil
}

// readFields goes through the answer once, and parses only the model's numbers.
func (p *plan) readFields(body []byte, vector []float64) error {
	s := scanner{data: body}
	s.object(func(name []byte) {
		if string(name) != "groups" {
			s.skip()
			return
		}
		s.object(func(group []byte) {
			if place := p.place[string(group)]; place != nil {
				s.group(place, vector)
				return
			}
			s.skip()
		})
	})
	return s.end()
}

// group reads {"features":[…],…}.
func (s *scanner) group(place map[string]int, vector []float64) {
	s.object(func(name []byte) {
		if string(name) == "features" {
			s.array(func() { s.feature(place, vector) })
			return
		}
		s.skip()
	})
}

// feature reads {"name":…,"value":…,…}, in any order, and takes the number when the model wants it.
func (s *scanner) feature(place map[string]int, vector []float64) {
	at, wanted := 0, false
	var number []byte
	s.object(func(name []byte) {
		switch string(name) {
		case "name":
			at, wanted = place[string(s.text())]
		case "value":
			number = s.value()
		default:
			s.skip()
		}
	})
	if wanted {
		vector[at] = s.float(number)
	}
}
