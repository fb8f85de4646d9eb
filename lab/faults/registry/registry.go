// Package registry lists the faults of the proving ground. Each group of kinds has a file of its own.
package registry

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/lab/faults"
)

// All lists every fault, group by group.
func All() []faults.Fault {
	return slices.Concat(costFaults(), memoryFaults(), waitFaults(), evidenceFaults(), []faults.Fault{none()})
}

// Find is the fault of a name.
func Find(name string) (faults.Fault, error) {
	var known []string
	for _, f := range All() {
		if f.ID() == name {
			return f, nil
		}
		known = append(known, f.ID())
	}
	return faults.Fault{}, fmt.Errorf("no fault %q; there are: %s", name, strings.Join(known, ", "))
}

// None is the kind of the service without a fault: the shop alone.
const None = "none"

func none() faults.Fault {
	healthy := func() faults.Service { return faults.Service{} }
	return faults.Fault{Kind: None, Text: "the shop alone, with no fault", Repaired: healthy}
}
