package terminal

import (
	"fmt"
	"strings"

	"github.com/gocasebook/casebook/casefile"
)

// Opinion prints an answer as it was checked: the verdict, the reasons, the worst first.
func (p *Printer) Opinion(o *casefile.Opinion) {
	head := strings.ToUpper(o.Verdict)
	switch o.Verdict {
	case casefile.Supported:
		p.Text("Verdict  ", head+": the evidence shows what it says")
	case casefile.Unsupported:
		p.Text("Verdict  ", head+": the evidence does not show a part of it")
	default:
		p.Text("Verdict  ", head+": the evidence, or the code, shows otherwise")
	}
	before := ""
	for _, r := range o.Reasons {
		if r.Verdict != before {
			fmt.Fprintf(p.W, "\n%s\n", r.Verdict)
			before = r.Verdict
		}
		p.Text(fmt.Sprintf("  %-8s ", r.About), r.Text)
	}
}
