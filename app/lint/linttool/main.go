// Command linttool is what casebook is for go vet, and no more. Tests have go vet run it: what it finds in the standard
// library stays in Go's build cache as long as it is the same, while casebook and its tests are another program with
// each change of anything, for which 250 packages are analyzed again.
package main

import (
	"os"

	"github.com/gocasebook/casebook/app/lint"
)

func main() {
	lint.As(os.Args[1:])
	os.Exit(2)
}
