// Command casebook watches Go services, keeps the evidence when one misbehaves, says what is wrong, and proves the fix.
package main

import (
	"os"

	"github.com/gocasebook/casebook/app/cli"
	"github.com/gocasebook/casebook/app/command"
)

func main() { os.Exit(command.Main(cli.Run)) }
