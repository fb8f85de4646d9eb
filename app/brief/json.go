package brief

import (
	"encoding/json"
	"slices"
	"strconv"

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

// JSON is a sheet as a program reads it, within the bound of the options: facts are whole but for their stacks, of
// which there may be fewer, and what is left out is counted.
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
	w := &writer{sheet: s}
	for i := range s.Facts {
		if e := slices.IndexFunc(s.Code, func(e facts.Excerpt) bool { return e.ID == s.Facts[i].ID }); e >= 0 {
			shown := s.Code[e]
			shown.File = w.shownFile(facts.Frame{Function: shown.Function, File: shown.File, Owner: shown.Owner})
			excerpt(shown)
			continue
		}
		f := w.rounded(s.Facts[i])
		add(sectionOf(f.Sort), f.Sort, f, fewer(f, 2, 6, 3), fewer(f, 1, 4, 1), fewer(f, 1, 1, 0))
	}
	return out, err
}

// fewer is a fact with some of its stacks, some frames of each, and some of its changes.
func fewer(f facts.Fact, stacks, frames, changes int) facts.Fact {
	at, ok := f.Place()
	f.Stacks = slices.Clone(f.Stacks[:min(len(f.Stacks), stacks)])
	for i := range f.Stacks {
		f.Stacks[i].Frames = telling(f.Stacks[i].Frames, frames)
	}
	if ok && frames == 1 {
		f.Stacks[0].Frames = []facts.Frame{at}
		f.Numbers = f.Numbers[:min(len(f.Numbers), 4)]
	}
	f.Cure = f.Cure[:min(len(f.Cure), changes)]
	return f
}

// rounded is a fact whose numbers have the digits, and whose files the folders, that a reader may need: each of the
// rest would cost tokens.
func (w *writer) rounded(f facts.Fact) facts.Fact {
	f.Harm = digits6(f.Harm)
	f.Numbers, f.Stacks = slices.Clone(f.Numbers), slices.Clone(f.Stacks)
	for i := range f.Numbers {
		n := &f.Numbers[i]
		n.Value, n.Low, n.High = digits6(n.Value), digits6(n.Low), digits6(n.High)
	}
	for i := range f.Stacks {
		f.Stacks[i].Share = digits6(f.Stacks[i].Share)
		f.Stacks[i].Frames = slices.Clone(f.Stacks[i].Frames)
		for k := range f.Stacks[i].Frames {
			x := &f.Stacks[i].Frames[k]
			x.File = w.shownFile(*x)
		}
	}
	return f
}

// digits6 is a number with six digits.
func digits6(v float64) float64 {
	out, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 6, 64), 64)
	if err != nil {
		return v
	}
	return out
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
