package terminal_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gocasebook/casebook/app/terminal"
)

// TestBusy: who waits two seconds is told for what, and again each ten; who does not, is told nothing.
func TestBusy(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(b *terminal.Busy)
		want string
	}{
		{"quick", func(b *terminal.Busy) { b.Say("a"); time.Sleep(time.Second) }, ""},
		{"nothing to say", func(b *terminal.Busy) { b.Say("a"); b.Say(""); time.Sleep(time.Minute) }, ""},
		{"slow", func(b *terminal.Busy) { b.Say("a"); time.Sleep(2500 * time.Millisecond) }, "0:02 a\n"},
		{"very slow", func(b *terminal.Busy) { b.Say("a"); time.Sleep(15500 * time.Millisecond) }, "0:02 a\n0:12 a\n"},
		{"the step of now", func(b *terminal.Busy) {
			b.Say("a")
			time.Sleep(1500 * time.Millisecond)
			b.Say("b")
			time.Sleep(time.Second)
		}, "0:02 b\n"},
		{"lines stay", func(b *terminal.Busy) {
			fmt.Fprint(b, "one\ntwo\n")
			time.Sleep(3500 * time.Millisecond)
		}, "one\ntwo\n0:02 two\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var out bytes.Buffer
				b := terminal.NewBusy(&out)
				c.do(b)
				b.End()
				if got := out.String(); got != c.want {
					t.Errorf("it printed %q, want %q", strings.TrimSpace(got), c.want)
				}
			})
		})
	}
}
