// Command casebook-store is casebook with the databases and buckets in which casebook serve --store keeps cases.
// casebook runs it for that. Releases have it under the name of casebook.
package main

import (
	"os"

	"github.com/gocasebook/casebook/app/cli"
	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/lint"
	"github.com/gocasebook/casebook/app/pprofweb"
	_ "github.com/gocasebook/casebook/app/store/drivers"
)

func main() {
	lint.As(os.Args[1:])     // go vet asks for an analyzer, before anything is made
	pprofweb.As(os.Args[1:]) // serve asks for a page of pprof
	os.Exit(command.Main(cli.Run))
}
