package cli

import (
	"cmp"
	"fmt"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/kube"
	"github.com/gocasebook/casebook/app/render"
	"github.com/gocasebook/casebook/casefile"
)

// Reasons of events on pods.
const (
	reasonOpened = "CaseOpened"
	reasonClosed = "CaseDiagnosed"
)

// opened writes an event on the pod whose case is being taken. A trip whose case is not admitted has none: the events
// of a thousand pods would say the same.
func (p *pods) opened(e kube.Endpoint, t casefile.Trigger) {
	if p.flags.events {
		p.telling.Tell(kube.Notice{Endpoint: e, Time: time.Now(), Reason: reasonOpened, Warning: true,
			Text: "Casebook takes evidence for a case: " + render.Plain(t.Rule+": "+t.Text)})
	}
}

// see writes an event on the pod whose case is diagnosed.
func (p *pods) see(t casework.WatchTarget, e casework.Event) {
	if !p.flags.events || e.Kind != casebook.Closed {
		return
	}
	if at, ok := p.endpoint(t.URL); ok {
		p.telling.Tell(kube.Notice{Endpoint: at, Time: e.Time, Reason: reasonClosed, Text: diagnosedText(e),
			Warning: worstScore(e.Case.Diagnosis) >= warningScore})
	}
}

func diagnosedText(e casework.Event) string {
	if len(e.Case.Findings) == 0 {
		what := cmp.Or(render.Plain(e.Case.Unexplained()), "no finding.")
		return fmt.Sprintf("Casebook closed case %s: %s casebook case show %[1]s", e.CaseID, what)
	}
	f := e.Case.Findings[0]
	return fmt.Sprintf("Casebook closed case %s: %s. casebook case show %[1]s", e.CaseID, render.Plain(f.Title))
}
