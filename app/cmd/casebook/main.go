// Command casebook watches Go services, keeps the evidence when one misbehaves, says what is wrong, and proves the fix.
package main

import (
	"os"

	"github.com/gocasebook/casebook/app/cli"
	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/lint"
	"github.com/gocasebook/casebook/app/pprofweb"
)

func main() {
	lint.As(os.Args[1:])     // go vet asks for an analyzer, before anything is made
	pprofweb.As(os.Args[1:]) // serve asks for a page of pprof
	os.Exit(command.Main(cli.Run))
}
