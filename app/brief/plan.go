package brief

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/facts"
	"github.com/gocasebook/casebook/internal/number"
)

// Bounds of a brief, in tokens.
const (
	DefaultTokens = 6_000
	LeastTokens   = 500
	MostTokens    = 100_000
)

// Options are how much a brief may be. The zero value is the default.
type Options struct {
	Tokens int // DefaultTokens where it is 0; LeastTokens to MostTokens
}

// bound is how many tokens there may be.
func (o Options) bound() int {
	if o.Tokens == 0 {
		return DefaultTokens
	}
	return min(max(o.Tokens, LeastTokens), MostTokens)
}

// The sections of a brief, in their order.
const (
	ofProcess = iota
	ofFacts
	ofKnown
	ofCode
	ofJudged
	ofSettings
	ofMissing
	sections
)

// shares are the parts of the room that a section may fill before what is left is given away, in the order of sections.
// With the default bound the facts end within the first 2,500 tokens.
var shares = [sections]float64{0.10, 0.35, 0.13, 0.22, 0.11, 0.03, 0.06}

// leftTo is in which order sections get what others left.
var leftTo = [sections]int{ofFacts, ofKnown, ofJudged, ofCode, ofProcess, ofMissing, ofSettings}

// A block is a part of a section that is shown whole or not at all.
type block struct {
	section int
	sort    facts.Sort // of what is cut where it is left out; "": of no fact
	forms   []string   // how it may be shown, the longest first
	tokens  []int      // of each form
	chosen  int        // which form; notShown
	excerpt bool       // of JSON: it is no fact
}

const notShown = -1

func newBlock(section int, sort facts.Sort, forms ...string) *block {
	b := &block{section: section, sort: sort, chosen: notShown}
	for _, form := range forms {
		n := Tokens(form) + 1 // beside its neighbours it may have one more
		if k := len(b.tokens); k > 0 && b.tokens[k-1] <= n {
			continue
		}
		b.forms, b.tokens = append(b.forms, form), append(b.tokens, n)
	}
	return b
}

// cost is what it takes as it is shown.
func (b *block) cost() int {
	if b.chosen == notShown {
		return 0
	}
	return b.tokens[b.chosen]
}

// least is what its shortest form takes.
func (b *block) least() int { return b.tokens[len(b.tokens)-1] }

// fit shows the longest form that fits into some room beside what it takes already, and returns what that costs more.
func (b *block) fit(room int) (more int) {
	now := b.cost()
	for i, n := range b.tokens {
		if i == b.chosen {
			break
		}
		if n-now <= room {
			b.chosen = i
			return n - now
		}
	}
	return 0
}

// choose shows what fits: the most harmful fact first of all; then each section fills its share, the largest harm
// first; what is left goes to what is not shown yet, section by section, and then to longer forms.
func choose(blocks []*block, room int) {
	left := room
	if i := slices.IndexFunc(blocks, func(b *block) bool { return b.section == ofFacts }); i >= 0 {
		left -= blocks[i].fit(max(int(shares[ofFacts]*float64(room)), blocks[i].least()))
		if left < 0 {
			blocks[i].chosen, left = notShown, room
		}
	}
	for section, share := range shares {
		quota := int(share * float64(room))
		for _, b := range blocks {
			if b.section == section && b.chosen != notShown {
				quota -= b.cost()
			}
		}
		for _, b := range blocks {
			if b.section == section && b.chosen == notShown {
				spent := b.fit(min(quota, left))
				quota, left = quota-spent, left-spent
			}
		}
	}
	for _, shown := range []bool{false, true} {
		for _, section := range leftTo {
			for _, b := range blocks {
				if b.section == section && (b.chosen != notShown) == shown {
					left -= b.fit(left)
				}
			}
		}
	}
}

// A cut is how many facts of a sort are not shown.
type cut struct {
	Sort  facts.Sort `json:"sort"`
	Count int        `json:"count"`
}

// left is what is not shown, or shown in a shorter form, and the bound that would show all of it.
func left(blocks []*block, fixed int) (cuts []cut, shorter, all int) {
	all = fixed
	for _, b := range blocks {
		all += b.tokens[0]
		switch {
		case b.chosen > 0:
			shorter++
		case b.chosen == notShown:
			i := slices.IndexFunc(cuts, func(c cut) bool { return c.Sort == b.sort })
			if i < 0 {
				i = len(cuts)
				cuts = append(cuts, cut{Sort: b.sort})
			}
			cuts[i].Count++
		}
	}
	const step = 500
	return cuts, shorter, min(int(math.Ceil(float64(all)/step))*step, MostTokens)
}

// cutText says what was left out; "" if nothing.
func cutText(cuts []cut, shorter, all int) string {
	var parts []string
	for _, c := range cuts {
		parts = append(parts, number.Things(c.Count, word(c.Sort)))
	}
	if shorter > 0 {
		parts = append(parts, number.Things(shorter, "part")+" shortened")
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("Cut: %s; `--tokens %d` shows them.", strings.Join(parts, ", "), all)
}

// word is what a reader calls a fact of a sort.
func word(s facts.Sort) string {
	switch s {
	case facts.Felt:
		return "symptom"
	case facts.Machine:
		return "machine fact"
	case facts.Known:
		return "known row"
	case facts.Code:
		return "excerpt"
	case facts.Judged:
		return "finding"
	case facts.Missing:
		return "missing piece"
	case "":
		return "setting"
	}
	return string(s) // signal, wait, hold, cost
}
