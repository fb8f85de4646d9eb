// Command lab runs the services that Casebook is proved on, sick and cured, and the demo.
package main

import (
	"os"

	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/lab/cli"
)

func main() { os.Exit(command.Main(cli.Run)) }
