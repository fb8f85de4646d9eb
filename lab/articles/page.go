package articles

import (
	"fmt"
	"strings"
)

const opening = `# The articles: what they describe, and what Casebook has for it

This page is for people who know the articles that Casebook grew from, or who have the trouble that one of them
describes. It lists every described thing: what Casebook has for it, the command that shows it, the article's figure
beside ours, and why they differ.

` + "`make articles`" + ` writes it from the tables in [lab/articles](../../lab/articles) and from the lab's last run
([lab.md](lab.md)). A test runs each command that is quick, and looks up the flags, rows, targets and tests that the
others name. Recorded cases are packed in evidence/, and the commands name them in /tmp/cases: in evidence/,
` + "`" + `go run ./cmd/evidence extract '*/*' /tmp/cases` + "`" + ` puts them there. The articles' figures are their engineers', on
their machines and their Go; ours are of today's Go.

"yes": all of it is there. "answered": measured, and not so on today's Go. "in part": the text says what is missing.

`

// Page writes docs/evidence/articles.md.
func Page(all []Article, figures *Figures) (string, error) {
	var b strings.Builder
	b.WriteString(opening)
	summary(&b, all)
	for _, a := range all {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", a.Title, a.Text)
		for _, p := range a.Parts {
			fmt.Fprintf(&b, "\n### %s: %s\n\n| described | state | Casebook | article | here "+
				"|\n|---|---|---|---|---|\n",
				a.Title, p.Title)
			for _, t := range p.Things {
				line, err := t.line(figures)
				if err != nil {
					return "", fmt.Errorf("%s, %q: %w", a.Title, t.What, err)
				}
				b.WriteString(line)
			}
		}
	}
	return b.String(), nil
}

// summary counts the things of each article by their state.
func summary(b *strings.Builder, all []Article) {
	states := []State{Full, Answered, Partly, Missing}
	b.WriteString("| article | things | yes | answered | in part | missing |\n|---|---:|---:|---:|---:|---:|\n")
	total := make(map[State]int)
	line := func(name string, count map[State]int) {
		sum := 0
		for _, n := range count {
			sum += n
		}
		fmt.Fprintf(b, "| %s | %d |", name, sum)
		for _, s := range states {
			fmt.Fprintf(b, " %d |", count[s])
		}
		b.WriteString("\n")
	}
	for _, a := range all {
		count := make(map[State]int)
		for _, t := range a.Things() {
			count[t.State]++
			total[t.State]++
		}
		line(fmt.Sprintf("[%s](#%s)", a.Title, anchor(a.Title)), count)
	}
	line("all", total)
}

// line is a thing as a line of a table.
func (t Thing) line(figures *Figures) (string, error) {
	has := []string{t.Has}
	for _, r := range t.Run {
		has = append(has, "`"+r+"`")
	}
	var ours []string
	for _, f := range t.Ours {
		words, err := figures.Words(f)
		if err != nil {
			return "", err
		}
		ours = append(ours, words)
	}
	here := strings.Join(ours, "; ")
	if t.Why != "" {
		here = strings.TrimPrefix(here+". "+t.Why, ". ")
	}
	cells := []string{t.What, string(t.State), strings.Join(has, "<br>"), t.Said, here}
	for i, c := range cells {
		cells[i] = strings.ReplaceAll(c, "|", `\|`)
	}
	return "| " + strings.Join(cells, " | ") + " |\n", nil
}
