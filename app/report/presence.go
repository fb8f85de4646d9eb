package report

import "github.com/gocasebook/casebook/vitals"

// A presence is the signals that the samples may have, and which they do have.
type presence struct {
	signals []vitals.Signal // by ID, those of the service's own included
	present []bool          // by ID
	trip    vitals.ID       // the trigger's signal; negative without one
}

func presenceIn(in Input) presence {
	catalog := in.VitalsHeader.Catalog
	p := presence{signals: catalog.Signals(), present: make([]bool, catalog.Len()), trip: -1}
	for i := range in.Vitals {
		for id := range p.present {
			if _, ok := in.Vitals[i].Get(vitals.ID(id)); ok {
				p.present[id] = true
			}
		}
	}
	if id, ok := catalog.Lookup(in.Case.Trigger.Signal); ok {
		p.trip = id
	}
	return p
}

func (p *presence) has(id vitals.ID) bool { return p.present[id] }

func (p *presence) isTrip(id vitals.ID) bool { return id == p.trip && p.has(id) }

// absentSignals says of each signal without a value why. Without samples there is nothing to say.
func absentSignals(p presence, in Input) []absentSignal {
	if len(in.Vitals) == 0 {
		return nil
	}
	var out []absentSignal
	for id, signal := range p.signals {
		if p.present[id] {
			continue
		}
		reason := in.VitalsHeader.Absent[signal.Name]
		if reason == "" {
			reason = "the samples do not contain it, and the target gave no reason"
		}
		out = append(out, absentSignal{signal.Name, reason})
	}
	return out
}
