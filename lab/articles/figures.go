package articles

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Figures are what docs/evidence/lab.md and other pages say, to be looked up.
type Figures struct {
	// Read gives the text of a page by its path in the repository.
	Read func(path string) (string, error)
	lab  map[string][][]string // the lines of the table below each heading of docs/evidence/lab.md
}

// labPage is where the lab's runs write.
const labPage = "docs/evidence/lab.md"

// NewFigures reads docs/evidence/lab.md.
func NewFigures(read func(path string) (string, error)) (*Figures, error) {
	text, err := read(labPage)
	if err != nil {
		return nil, err
	}
	return &Figures{Read: read, lab: tablesOf(text)}, nil
}

// tablesOf collects the lines of the tables of a page, without those of dashes, under the headings above them.
func tablesOf(page string) map[string][][]string {
	all, heading := make(map[string][][]string), ""
	for line := range strings.Lines(page) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") {
			heading = strings.TrimLeft(line, "# ")
			continue
		}
		if cells := cellsOf(line); cells != nil {
			all[heading] = append(all[heading], cells)
		}
	}
	return all
}

// cellsOf is a line of a table; nil for every other line.
func cellsOf(line string) []string {
	if !strings.HasPrefix(line, "| ") {
		return nil
	}
	const bar = "\x00" // stands for a bar that is part of a cell
	cells := strings.Split(strings.Trim(strings.ReplaceAll(line, `\|`, bar), "|"), "|")
	for i, c := range cells {
		c = strings.TrimSpace(c)
		if bold, ok := strings.CutPrefix(c, "**"); ok {
			c = strings.TrimSuffix(bold, "**")
		}
		cells[i] = strings.ReplaceAll(c, bar, "|")
	}
	return cells
}

// Words is a figure as the page shows it.
func (fs *Figures) Words(f Figure) (string, error) {
	switch {
	case f.Row != "":
		return fs.ofRow(f)
	case f.Table != "":
		return fs.ofTable(f), nil
	}
	text, err := fs.Read(f.Page)
	if err != nil {
		return "", err
	}
	if !strings.Contains(oneLine(text), oneLine(f.Text)) {
		return "", fmt.Errorf("%s does not say %q", f.Page, f.Text)
	}
	return fmt.Sprintf("%s ([%s](%s))", f.Text, strings.TrimPrefix(strings.TrimPrefix(f.Page, "docs/"), "evidence/"),
		link(f.Page)), nil
}

// link is a page as one in docs/evidence reaches it.
func link(page string) string {
	if rest, ok := strings.CutPrefix(page, "docs/evidence/"); ok {
		return rest
	}
	if rest, ok := strings.CutPrefix(page, "docs/"); ok {
		return "../" + rest
	}
	return "../../" + page
}

// ofRow is a figure of a row, sick and cured. A row that the lab's last run did not have is no mistake of the table,
// nor is a figure that the row leaves out because it cannot be told from noise; a name that no row has is one.
func (fs *Figures) ofRow(f Figure) (string, error) {
	lines, ok := fs.lab[f.Row]
	if !ok {
		return fmt.Sprintf("`%s`: not in the lab's last run", f.Row), nil
	}
	for _, cells := range lines {
		if cells[0] == f.Name && len(cells) >= 4 {
			return fmt.Sprintf("%s %s → %s (%s) ([%s](lab.md#%s))", f.Name, cells[1], cells[2], cells[3], f.Row,
				anchor(f.Row)), nil
		}
	}
	if fs.isFigure(f.Name) {
		return fmt.Sprintf("%s: not told from noise in the lab's last run ([%s](lab.md#%s))", f.Name, f.Row,
				anchor(f.Row)),
			nil
	}
	return "", fmt.Errorf("no row of %s has a figure %q", labPage, f.Name)
}

func (fs *Figures) isFigure(name string) bool {
	for _, lines := range fs.lab {
		if slices.ContainsFunc(lines, func(cells []string) bool { return cells[0] == name }) {
			return true
		}
	}
	return false
}

// ofTable is a cell of a micro-benchmark, with the names of its line and column. A table, a line or a column that the
// lab's last run did not have is no mistake of ours: TestTables looks for them in what a run of today has.
func (fs *Figures) ofTable(f Figure) string {
	cell, err := fs.cell(f)
	if err != nil {
		return fmt.Sprintf("%s, %s (%s): not in the lab's last run", f.Line, f.Column, f.Table)
	}
	return fmt.Sprintf("%s: %s %s ([table](lab.md#%s))", f.Line, f.Column, cell, anchor(f.Table))
}

// cell looks a figure of a micro-benchmark up.
func (fs *Figures) cell(f Figure) (string, error) {
	lines, ok := fs.lab[f.Table]
	if !ok || len(lines) == 0 {
		return "", fmt.Errorf("%s has no table %q", labPage, f.Table)
	}
	column := slices.Index(lines[0], f.Column)
	if column < 0 {
		return "", fmt.Errorf("the table %q has no column %q", f.Table, f.Column)
	}
	for _, cells := range lines[1:] {
		if line := strings.Join(cells, ", ") + ", "; strings.HasPrefix(line, f.Line+", ") {
			return cells[column], nil
		}
	}
	return "", fmt.Errorf("the table %q has no line %q", f.Table, f.Line)
}

var punctuation = regexp.MustCompile(`[^\p{L}\p{N} _-]`)

// anchor is a heading as GitHub links to it.
func anchor(heading string) string {
	return strings.ReplaceAll(punctuation.ReplaceAllString(strings.ToLower(heading), ""), " ", "-")
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
