// Package articles is the page docs/evidence/articles.md: what five articles of engineers describe, thing by thing, and what
// Casebook has for each.
//
// Casebook grew from these articles: a gateway for phone numbers, tables of advice, escape analysis with codecs, a
// dumper of profiles beside two services, and an ad service. Their things are a table, a JSON file for each article. A
// thing names the commands that show what Casebook has, and where our figure is: a figure of docs/evidence/lab.md or a sentence
// of another page. The page is made of both, so that a figure is written down once. The tests run every command that
// is quick, look up the flags, rows, targets and tests of the others, and fail when the page is not what the table and
// the lab's last run say.
//
// The audit of what an article describes was made by hand. Whether a thing is missing from the table no test can tell.
package articles

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
)

//go:embed *.json
var files embed.FS

// names are the articles, in the order of the page.
var names = []string{"gateway", "advice", "escape", "dumper", "worker", "features", "ads"}

// An Article is one file of the table.
type Article struct {
	Title string // "A gateway for phone numbers"
	Text  string // what it is about, with the versions and machines that are known
	Parts []Part
}

// A Part is a section of an article.
type Part struct {
	Title  string
	Things []Thing
}

// A Thing is something that an article describes: a system, a fault, a tool, a step, a figure.
type Thing struct {
	What  string   // in a few words of ours
	State State    //
	Has   string   // what Casebook has for it, and what is missing of it
	Run   []string // commands that show it, as they are typed in the repository's root
	Shows []string // what the commands print; each of them in one of those that a test can run
	Said  string   // the article's figure; "" when it has none
	Ours  []Figure // ours beside it
	Why   string   // why they differ; "" when they do not, or when one of them is missing
}

// A State says how much of a thing Casebook has.
type State string

const (
	Full     State = "yes"      // all of it
	Answered State = "answered" // it was measured, and does not hold on today's Go: Why says so
	Partly   State = "in part"  // Has says what is missing
	Missing  State = "missing"
)

// A Figure says where one of ours is written: in the table of a row of docs/evidence/lab.md, in a micro-benchmark of it, or in
// another page.
type Figure struct {
	Row    string // a row of the lab: "phones/gcache"
	Name   string // its figure: "gc_cpu"
	Table  string // the title of a micro-benchmark
	Line   string // the first cells of its line, as many as tell it apart: "2, CAS loop"
	Column string //
	Page   string // another page: "docs/remedies.md"
	Text   string // what stands there, to the letter
}

// All reads the table.
func All() ([]Article, error) {
	var all []Article
	for _, name := range names {
		text, err := files.ReadFile(name + ".json")
		if err != nil {
			return nil, err
		}
		var a Article
		d := json.NewDecoder(bytes.NewReader(text))
		d.DisallowUnknownFields()
		if err := d.Decode(&a); err != nil {
			return nil, fmt.Errorf("reading %s.json: %w", name, err)
		}
		all = append(all, a)
	}
	return all, nil
}

// Things are those of an article, one after the other.
func (a Article) Things() []Thing {
	var all []Thing
	for _, p := range a.Parts {
		all = append(all, p.Things...)
	}
	return all
}
