package vitals

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/internal/checkout"
	"github.com/gocasebook/casebook/internal/golden"
)

const signalsPage = "../docs/signals.md"

// TestSignalsPage writes docs/signals.md from the signals with -update, and fails when the page is out of date.
func TestSignalsPage(t *testing.T) {
	checkout.Need(t)
	golden.Is(t, signalsPage, writeSignals())
}

// signalsHead has quotes where the page has backquotes.
const signalsHead = `# Signals

This page is for people who write [rules](rules.md) or read the signals of a case. A watch reads these %d numbers once a
second, unless you change the interval. Shares are from 0 to 1. Rates are over the time since the sample before.

What Casebook cannot read is absent, never zero, and Casebook says why. From another machine there is no /proc: the
signals of the process and 'gc_cpu' are absent. From outside, what only the Go runtime itself knows is absent, such as
'gc_assist'; a Prometheus page gives 'mutex_wait' and 'sched_latency_p99' there. The signals of HTTP come from the
middleware, or from the metrics of requests on a Prometheus page ('--http-metrics'). A watch may have %d more signals of
your own: 'Config.Sources', '--prometheus', '--expvar'.

'go test ./vitals -run TestSignalsPage -update' writes this page. Do not edit it by hand.

| signal | unit | what it is |
|---|---|---|
`

func writeSignals() string {
	var b strings.Builder
	fmt.Fprintf(&b, strings.ReplaceAll(signalsHead, "'", "`"), NumSignals, MaxExtra)
	for _, s := range signals {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", s.Name, s.Unit, strings.ReplaceAll(s.Text, "|", `\|`))
	}
	return b.String()
}
