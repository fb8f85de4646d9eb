package terminal

import (
	"fmt"
	"io"
	"strings"
)

// Error says why a command of a program failed. On a terminal prose is wrapped; lines that begin with a space are
// somebody's output, and stay as they are. Elsewhere a message is one line, for programs that look for it. Further
// lines of an error are indented: so none looks like a message of its own, wherever its text is from.
func Error(w io.Writer, program string, err error) {
	text := program + ": " + strings.TrimPrefix(err.Error(), program+": ")
	text = indented(text)
	if _, terminal := Width(w); terminal {
		text = wrapError(text, New(w).Width)
	}
	fmt.Fprintln(w, text)
}

func indented(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines[1:] {
		if !strings.HasPrefix(line, " ") {
			lines[i+1] = "  " + line
		}
	}
	return strings.Join(lines, "\n")
}

func wrapError(text string, width int) string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(line, " ") {
			out = append(out, line)
		} else {
			out = append(out, Wrap(line, width)...)
		}
	}
	return strings.Join(out, "\n")
}
