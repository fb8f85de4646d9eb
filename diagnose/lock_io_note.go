package diagnose

import (
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/casefile"
)

// noteIO adds, if it can be seen, that the function of a contended lock reads or writes a file: the lock is then held
// as long as the disk takes.
func noteIO(fs []casefile.Finding) {
	for i := range fs {
		f := &fs[i]
		if f.Kind != "lock-contention" || len(f.Where) == 0 {
			continue
		}
		j := slices.IndexFunc(fs, func(g casefile.Finding) bool {
			return slices.Contains([]string{"io-small", "io-reread"}, g.Kind) && len(g.Where) > 0 && g.Where[0].Function == f.Where[0].Function
		})
		if j < 0 {
			continue
		}
		at := fs[j].Where[0]
		f.Summary += fmt.Sprintf(" The same function %s, at line %d: if that is between Lock and Unlock, every "+
			"waiter waits for the disk (lock-held-io).", at.Role, at.Line)
		f.Remedies = append([]casefile.Remedy{
			takePackage("Move the I/O out of the lock", fmt.Sprintf("At line %d of %s: change the state under the "+
				"lock, and let one goroutine write the gathered records, with one Sync for all "+
				"(github.com/gocasebook/casebook/remedy/batch); code that only reads the state then never waits for "+
				"the disk.", at.Line, short(at.Function)), "a record waits for the batch before it"),
		}, f.Remedies...)
		f.Remedies = f.Remedies[:min(len(f.Remedies), maxFixes)]
	}
}
