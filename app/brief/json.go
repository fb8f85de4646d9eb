package brief

import (
	"encoding/json"
	"slices"

	"github.com/gocasebook/casebook/app/facts"
)

// Schema is the version of a brief in JSON.
const Schema = 1

// A document is a brief in JSON: a Sheet of which some parts may be left out.
type document struct {
	Schema   int               `json:"schema"`
	Subject  facts.Subject     `json:"subject"`
	Facts    []json.RawMessage `json:"facts"`
	Modules  []facts.Module    `json:"modules"`
	Settings []facts.Setting   `json:"settings"`
	Code     []json.RawMessage `json:"code"`
	Cut      []cut             `json:"cut"`
	// Tokens is the estimate of what the whole document takes.
	Tokens int    `json:"tokens"`
	Answer string `json:"answer"` // how to answer
}

// JSON is a sheet as a program reads it, within the bound of the options: facts are whole but for their stacks, of which
// there may be fewer, and what is left out is counted.
func JSON(s *facts.Sheet, o Options) ([]byte, error) {
	doc := document{Schema: Schema, Subject: s.Subject, Modules: s.Modules, Settings: s.Settings, Answer: answerForm}
	frame, err := json.Marshal(doc)
	if err != nil {
		return nil, err
	}
	fixed := Tokens(string(frame)) + headTokens
	blocks, err := jsonBlocks(s)
	if err != nil {
		return nil, err
	}
	choose(blocks, o.bound()-fixed)
	doc.Facts, doc.Code = []json.RawMessage{}, []json.RawMessage{}
	doc.Tokens = fixed
	for _, b := range blocks {
		if b.chosen == notShown {
			continue
		}
		doc.Tokens += b.cost()
		part := json.RawMessage(b.forms[b.chosen])
		if b.excerpt {
			doc.Code = append(doc.Code, part)
		} else {
			doc.Facts = append(doc.Facts, part)
		}
	}
	doc.Cut, _, _ = left(blocks, fixed)
	doc.Cut = slices.Concat([]cut{}, doc.Cut)
	return json.Marshal(doc)
}

// jsonBlocks are the facts in the order of the sheet, then the excerpts.
func jsonBlocks(s *facts.Sheet) (out []*block, err error) {
	add := func(section int, sort facts.Sort, forms ...any) {
		var texts []string
		for _, form := range forms {
			data, e := json.Marshal(form)
			if e != nil {
				err = e
				return
			}
			texts = append(texts, string(data))
		}
		out = append(out, newBlock(section, sort, texts...))
	}
	excerpt := func(e facts.Excerpt) {
		add(ofCode, facts.Code, e)
		out[len(out)-1].excerpt = true
	}
	for i := range s.Facts {
		f := s.Facts[i]
		if e := slices.IndexFunc(s.Code, func(e facts.Excerpt) bool { return e.ID == f.ID }); e >= 0 {
			excerpt(s.Code[e])
			continue
		}
		add(sectionOf(f.Sort), f.Sort, f, fewer(f, 1))
	}
	return out, err
}

// fewer is a fact with some of its stacks and changes.
func fewer(f facts.Fact, most int) facts.Fact {
	f.Stacks = f.Stacks[:min(len(f.Stacks), most)]
	f.Cure = f.Cure[:min(len(f.Cure), most)]
	return f
}

// sectionOf is where facts of a sort stand.
func sectionOf(s facts.Sort) int {
	switch s {
	case facts.Felt, facts.Signal:
		return ofProcess
	case facts.Known:
		return ofKnown
	case facts.Code:
		return ofCode
	case facts.Judged:
		return ofJudged
	case facts.Missing:
		return ofMissing
	}
	return ofFacts
}
