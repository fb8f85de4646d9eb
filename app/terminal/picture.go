package terminal

import (
	"fmt"
	"strings"

	"github.com/gocasebook/casebook/casefile"
)

// pictureLabel is the width of a picture line's name.
const pictureLabel = 12

// picture prints where memory, CPU and goroutines are, found or not, and a blank line below. Without the table of the
// memory, that has a line, too.
func (p *Printer) picture(all *casefile.Picture, table bool) {
	lines := all.Lines()
	for _, l := range lines {
		p.pictureLine(l.Name, l.Text)
	}
	withMemory := all != nil && all.Memory != nil && !table
	if withMemory {
		p.pictureLine("memory", all.Memory.Text)
	}
	if len(lines) > 0 || withMemory {
		fmt.Fprintln(p.W)
	}
}

func (p *Printer) pictureLine(name, text string) {
	label := fmt.Sprintf("%-*s", pictureLabel, name)
	for _, row := range rows(text, p.Width-pictureLabel) {
		p.Text(label, row)
		label = strings.Repeat(" ", pictureLabel)
	}
}

// rows breaks a list at its commas, so that a place and its share stay on one line if they fit.
func rows(text string, width int) []string {
	var out []string
	for _, part := range strings.SplitAfter(text, ", ") {
		if n := len(out); n > 0 && Visible(out[n-1])+Visible(strings.TrimRight(part, " ")) <= width {
			out[n-1] += part
			continue
		}
		out = append(out, part)
	}
	return out
}
