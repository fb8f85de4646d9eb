package cli

import (
	"io"
	"sync"

	"github.com/gocasebook/casebook/app/terminal"
)

// onTerminal shows on a terminal what a command does that takes more than two seconds. A pipe and a log of CI get
// nothing of it: nobody waits in front of them.
func onTerminal(to io.Writer) *terminal.Busy {
	if _, live := terminal.Width(to); !live {
		to = io.Discard
	}
	return terminal.NewBusy(to)
}

// busyWith says what is waited for, as onTerminal does, until it is ended; that may be done again.
func busyWith(to io.Writer, what string) (end func()) {
	b := onTerminal(to)
	b.Say(what)
	return sync.OnceFunc(b.End)
}
