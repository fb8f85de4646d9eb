package terminal

import (
	"fmt"

	"github.com/gocasebook/casebook/app/render"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/words"
	"github.com/gocasebook/casebook/vitals"
)

// ages prints how long memory stays, by the line that allocates them, and a blank line below.
func (p *Printer) ages(all []casefile.ObjectAge) {
	if len(all) == 0 {
		return
	}
	p.Text("ages        ", "how long what a line allocates stays on average (95 %): live ÷ allocated a second")
	for _, a := range all {
		label := fmt.Sprintf("%*s%10s  %-21s  ", pictureLabel, "", vitals.Bytes.Format(float64(a.Bytes)),
			render.Plain(a.Text))
		p.Text(label, fmt.Sprintf("%s, %s", words.Symbol(a.Function), vitals.BytesPerSecond.Format(a.Allocated)))
	}
	fmt.Fprintln(p.W)
}
