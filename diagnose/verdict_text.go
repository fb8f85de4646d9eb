package diagnose

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/internal/words"
)

// A verdict is read by somebody who was woken up.
const (
	verdictLines   = 3
	verdictColumns = 80 - len("Verdict  ") // of a terminal, behind the label
)

// causeText is the whole sentence, with as much of it as fits.
func causeText(effect string, root casefile.Finding) string {
	because, change, expect := clause(root.Title), changeText(root), expectText(root)
	return firstThatFits(
		fmt.Sprintf("%s because %s; change: %s; expect %s.", effect, because, change, expect),
		fmt.Sprintf("%s because %s; change: %s; expect %s.", effect, shorter(root), change, expect),
		fmt.Sprintf("%s because %s; change: %s.", effect, shorter(root), change),
		fmt.Sprintf("%s because of %s; change: %s.", effect, kindAt(root), change),
	)
}

// noticeText says what could be saved.
func noticeText(root casefile.Finding) string {
	change, expect := changeText(root), expectText(root)
	return firstThatFits(
		fmt.Sprintf("Nothing is seen to hurt. Worth knowing: %s; change: %s; expect %s.", clause(root.Title), change,
			expect),
		fmt.Sprintf("Nothing is seen to hurt. Worth knowing: %s; change: %s.", shorter(root), change),
		fmt.Sprintf("Nothing is seen to hurt. Worth knowing: %s.", kindAt(root)),
	)
}

// rivalText names both causes; how to tell them apart is in Settle.
func rivalText(effect string, a, b casefile.Finding, kind string) string {
	return firstThatFits(
		fmt.Sprintf("%s because of %s or %s; %s tells which.", effect, kindAt(a), kindAt(b), settleNoun(kind)),
		fmt.Sprintf("%s because of %s or %s.", effect, kindAt(a), kindAt(b)),
		fmt.Sprintf("%s because of %s or %s.", effect, a.Kind, b.Kind),
	)
}

// firstThatFits is the first text that is short enough; the last one is cut if it is not.
func firstThatFits(texts ...string) string {
	for _, t := range texts {
		if linesOf(t) <= verdictLines {
			return t
		}
	}
	last := []rune(texts[len(texts)-1])
	for linesOf(string(last)) > verdictLines {
		last = append(last[:len(last)-2], '…')
	}
	return string(last)
}

// linesOf is how many lines a text takes, broken between words.
func linesOf(text string) int {
	lines, used := 1, 0
	for _, word := range strings.Fields(text) {
		n := len([]rune(word))
		if used > 0 && used+1+n > verdictColumns {
			lines, used = lines+1, 0
		}
		if used > 0 {
			used++
		}
		used += n
		for ; used > verdictColumns; used -= verdictColumns {
			lines++
		}
	}
	return lines
}

// clause is a title within a sentence: its first letter small, unless it begins a name: "JSON takes", "GOGC is".
func clause(title string) string {
	r := []rune(strings.TrimSuffix(title, "."))
	if len(r) > 1 && unicode.IsUpper(r[0]) && (unicode.IsLower(r[1]) || r[1] == ' ') {
		r[0] = unicode.ToLower(r[0])
	}
	return string(r)
}

// shorter is a title without what follows its first colon or semicolon: numbers, and what is beside it.
func shorter(f casefile.Finding) string {
	title := clause(f.Title)
	for _, end := range []string{"; ", ": "} {
		title, _, _ = strings.Cut(title, end)
	}
	return title
}

// kindAt is a finding in two words: "lock-held-io at main.get (store.go:12)".
func kindAt(f casefile.Finding) string {
	if len(f.Where) == 0 {
		return f.Kind
	}
	at := f.Where[0]
	at.Function, at.File = short(at.Function), words.Base(at.File)
	return f.Kind + " at " + words.Place(at)
}

// changeText is the first remedy.
func changeText(f casefile.Finding) string {
	if len(f.Remedies) == 0 {
		return "see the finding"
	}
	return clause(f.Remedies[0].Title)
}

// nearlyAll is a gain that is not written as a number: nobody can promise 100 % of the waiting.
const nearlyAll = 0.99

// expectText is the gain of the first remedy.
func expectText(f casefile.Finding) string {
	g := f.Impact.Gain
	if g.High <= 0 {
		return "what casebook prove measures"
	}
	share, all := number.Estimate(g.Low, g.High), g.Low >= nearlyAll
	switch r := f.Impact.Resource; {
	case all && r == effectGoroutines:
		return "nearly all of them to end"
	case all && r == effectLatency:
		return "nearly all of the waiting to go"
	case r == effectCPU:
		return share + " less CPU"
	case r == effectMemory:
		return share + " less memory"
	case r == effectGoroutines:
		return share + " fewer goroutines"
	}
	return share + " less waiting"
}
