// Command answers measures how well a case can be answered by somebody else: what is in a brief, and what is said to an
// answer. It runs a built casebook, as a user would.
//
//	go run ./answers brief -cases DIR        # size, time and memory of briefs, and what is at their beginning
//	go run ./answers labels -cases DIR       # what the check of answers says to the labels of cases, as answers
//	go run ./answers planted                 # and to answers that somebody else wrote: planted.txtar, right.txtar
//	go run ./answers run -cases DIR -- AGENT # let an agent answer, with the files of evidence and with briefs
//
// A folder of cases has a folder for each: DIR/NAME/case is the case, DIR/NAME/src the program's source. Exit codes: 0
// all is as it should be, 1 it is not, 2 wrong usage or failure.
package main

import (
	"fmt"
	"io"
	"os"
)

// A subcommand reads its own flags; its exit code is the program's.
type subcommand struct {
	name string
	run  func(args []string, out, errs io.Writer) int
}

var subcommands = [...]subcommand{
	{"brief", measureBriefs},
	{"labels", labels},
	{"planted", planted},
	{"run", runAgent},
}

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, out, errs io.Writer) int {
	names := ""
	for _, c := range subcommands {
		if len(args) > 0 && args[0] == c.name {
			return c.run(args[1:], out, errs)
		}
		names += " " + c.name
	}
	fmt.Fprintf(errs, "usage: answers COMMAND [FLAGS]; commands:%s\n", names)
	return 2
}
