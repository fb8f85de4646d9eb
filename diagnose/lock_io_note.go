package diagnose

import (
	"fmt"

	"github.com/gocasebook/casebook/casefile"
)

// noteIO adds, if the evidence shows it, that the function of a contended lock reads or writes a file: then the lock is
// held for as long as the disk takes.
func noteIO(lock *casefile.Finding, file casefile.Finding) {
	at := file.Where[0]
	lock.Summary += fmt.Sprintf(" The same function %s, at line %d: if that is between Lock and Unlock, every "+
		"waiter waits for the disk (lock-held-io).", at.Role, at.Line)
	lock.Remedies = append([]casefile.Remedy{
		takePackage("Move the I/O out of the lock", fmt.Sprintf("At line %d of %s: change the state under the "+
			"lock, and let one goroutine write the gathered records, with one Sync for all "+
			"(github.com/gocasebook/casebook/remedy/batch); code that only reads the state then never waits for "+
			"the disk.", at.Line, short(at.Function)), "a record waits for the batch before it"),
	}, lock.Remedies...)
	lock.Remedies = lock.Remedies[:min(len(lock.Remedies), maxFixes)]
}
