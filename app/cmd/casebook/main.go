// Command casebook watches Go services, keeps the evidence when one misbehaves, says what is wrong, and proves the fix.
package main

import (
	"os"

	"github.com/gocasebook/casebook/app/cli"
	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/lint"
)

func main() {
	lint.As(os.Args[1:]) // go vet asks for an analyzer, before anything is made
	os.Exit(command.Main(cli.Run))
}
