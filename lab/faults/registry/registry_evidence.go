package registry

import (
	"github.com/gocasebook/casebook/lab/faults"
	"github.com/gocasebook/casebook/lab/faults/evidence_few_samples"
	"github.com/gocasebook/casebook/lab/faults/evidence_short"
	"github.com/gocasebook/casebook/lab/faults/evidence_stale_heap"
	"github.com/gocasebook/casebook/lab/faults/evidence_symbols"
	"github.com/gocasebook/casebook/lab/faults/evidence_truncated"
)

// evidenceFaults are those in which the evidence carries less than it seems to. No function is to blame.
func evidenceFaults() []faults.Fault {
	return []faults.Fault{
		evidence_few_samples.Fault(),
		evidence_short.Fault(),
		evidence_stale_heap.Fault(),
		evidence_symbols.Fault(),
		evidence_truncated.Fault(),
	}
}
