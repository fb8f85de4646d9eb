package diagnose

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
)

// A verdict is read by somebody who was woken up.
const (
	verdictLines   = 3
	verdictColumns = 80 - len("Verdict  ") // of a terminal, behind the label
)

// causeText is the whole sentence, with as much of it as fits.
func causeText(effect string, root casefile.Finding) string {
	change, expect := changeText(root), expectText(root)
	because := func(title string) string { return effect + " because " + clause(title) }
	if sameSubject(effect, root.Title) { // "Requests wait for fsync" needs no "Requests are late because" before it
		because = func(title string) string { return strings.TrimSuffix(title, ".") }
	}
	return firstThatFits(
		fmt.Sprintf("%s; change: %s; %s.", because(root.Title), change, expect),
		fmt.Sprintf("%s; change: %s; %s.", because(shorter(root)), change, expect),
		fmt.Sprintf("%s; change: %s.", because(shorter(root)), change),
		fmt.Sprintf("%s because of %s; change: %s.", effect, kindAt(root), change),
	)
}

// sameSubject reports whether a title says what befalls those that an effect names: "Requests are late" and "12
// requests wait for one of 3 places", "Connections pile up" and "90 HTTP connections … stay open".
func sameSubject(effect, title string) bool {
	subject, _, _ := strings.Cut(strings.TrimPrefix(effect, "The "), " ")
	words := strings.Fields(title)
	if len(words) > 0 && strings.ContainsFunc(words[0], unicode.IsDigit) {
		words = words[1:]
	}
	return slices.ContainsFunc(words[:min(len(words), 2)], func(w string) bool { return strings.EqualFold(w, subject) })
}

// noticeText says what could be saved, or what somebody waits for. That nothing hurts it does not say: of the first,
// nobody has asked those who pay for it, and of the second those who wait.
func noticeText(root casefile.Finding, waits bool) string {
	intro, change, expect := "Worth knowing: ", changeText(root), expectText(root)
	if waits {
		intro = "Worth a look: "
	}
	title, brief := clause(root.Title), clause(shorter(root))
	return firstThatFits(
		fmt.Sprintf("%s%s; change: %s; %s.", intro, title, change, expect),
		fmt.Sprintf("%s%s; change: %s.", intro, brief, change),
		fmt.Sprintf("Worth knowing: %s; change: %s.", brief, change),
		fmt.Sprintf("Worth knowing: %s; change: %s.", kindAt(root), change),
		fmt.Sprintf("Worth knowing: %s.", kindAt(root)),
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

// clause is a title within a sentence: its first letter small, unless it begins a name: "JSON takes", "GOGC is", "Go
// 1.24 has a known fault".
func clause(title string) string { return asClause(strings.TrimSuffix(title, ".")) }

// asClause is a sentence with a small first letter, unless its first word is a name.
func asClause(s string) string {
	if beginsWithName(s) {
		return s
	}
	return lowerFirst(s)
}

// asTitle is a clause with a large first letter, unless its first word is a name.
func asTitle(s string) string {
	if beginsWithName(s) {
		return s
	}
	return upperFirst(s)
}

func beginsWithName(s string) bool {
	first, _, _ := strings.Cut(s, " ")
	_, n := utf8.DecodeRuneInString(first)
	return first == "Go" || strings.ContainsFunc(first[n:], unicode.IsUpper) || strings.ContainsAny(first, ".(")
}

// extended is a sentence that goes on before its full stop.
func extended(sentence, more string) string { return strings.TrimSuffix(sentence, ".") + more }

// shorter is a title without what follows its first colon or semicolon: numbers, and what is beside it.
func shorter(f casefile.Finding) string {
	title := f.Title
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
	return f.Kind + " at " + frameText(f.Where[0])
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

// expectText is the gain of the first remedy, or what tells it.
func expectText(f casefile.Finding) string {
	g := f.Impact.Gain
	switch f.Impact.Resource {
	case effectProcess:
		return "the next run says whether it stays up"
	case effectRequests:
		return "the log says whether more come"
	}
	if g.High <= 0 {
		return "casebook prove measures the gain"
	}
	share, all := "expect "+number.Estimate(g.Low, g.High), g.Low >= nearlyAll
	switch r := f.Impact.Resource; {
	case all && r == effectGoroutines:
		return "expect nearly all of them to end"
	case all && r == effectLatency:
		return "expect nearly all of the waiting to go"
	case r == effectCPU:
		return share + " less CPU"
	case r == effectMemory:
		return share + " less memory"
	case r == effectGoroutines:
		return share + " fewer goroutines"
	}
	return share + " less waiting"
}
