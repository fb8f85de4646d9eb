package main

import (
	"fmt"
	"regexp"
	"strings"
)

// A policy is what the editors decided: words and shapes that may not be shown.
type policy struct {
	words  []string // each whole, in any case, with the usual letters replaced by digits
	shapes map[string]string
}

func defaultPolicy() *policy {
	p := &policy{shapes: map[string]string{
		"address of mail": `[a-z0-9._%+-]+@[a-z0-9.-]+\.[a-z]{2,}`,
		"telephone":       `\+?\d[\d ()/-]{7,}\d`,
		"link":            `https?://[^\s]+`,
		"card":            `\b(?:\d[ -]?){13,16}\b`,
	}}
	firsts := strings.Fields(`spam scam fraud casino lottery pill crypto giveaway jackpot poker slot bet loan credit debt forex
		replica watches detox miracle keto escort adult dating webcam hack crack warez torrent keygen phish malware`)
	for _, first := range firsts {
		for _, second := range []string{"", "er", "ing", "s", "offer", "deal"} {
			p.words = append(p.words, first+second)
		}
	}
	return p
}

// pattern is a word as people write it to get around us.
func pattern(word string) string {
	r := strings.NewReplacer("a", "[a4@]", "e", "[e3]", "i", "[i1!]", "o", "[o0]", "s", "[s5$]")
	return `(?i)\b` + r.Replace(word) + `\b`
}

// judge says whether a comment may be shown, and how.
func (p *policy) judge(c comment) (verdict, error) {
	v := verdict{Allowed: true, Masked: c.Text}
	for _, word := range p.words {
		re, err := regexp.Compile(pattern(word)) // trial:fault
		if err != nil {
			return v, fmt.Errorf("word %q: %w", word, err)
		}
		if re.MatchString(c.Text) {
			v.Allowed = false
			v.Reasons = append(v.Reasons, "word: "+word)
			v.Masked = re.ReplaceAllString(v.Masked, "***")
		}
	}
	for name, shape := range p.shapes {
		found, err := regexp.MatchString(shape, strings.ToLower(c.Text)) // trial:fault
		if err != nil {
			return v, fmt.Errorf("shape %q: %w", name, err)
		}
		if found {
			v.Allowed = false
			v.Reasons = append(v.Reasons, name)
		}
	}
	return v, nil
}
