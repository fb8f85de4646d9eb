package stacks

import (
	"bytes"
	"regexp"
	"strconv"

	"github.com/gocasebook/casebook/diagnose/known"
)

// isDump recognises a dump, also behind the message of a panic, and a crash without one.
func isDump(b []byte) bool { return hasHeader(b) || isCrash(b) }

// hasHeader reports whether a goroutine begins in the first lines.
func hasHeader(b []byte) bool {
	head := b[:min(len(b), 64<<10)]
	for len(head) > 0 {
		i := bytes.Index(head, []byte("goroutine "))
		if i < 0 {
			return false
		}
		line, _, _ := bytes.Cut(head[i:], []byte("\n"))
		if (i == 0 || head[i-1] == '\n') && isHeader(line) {
			return true
		}
		head = head[i+len("goroutine "):]
	}
	return false
}

// isHeader recognises "goroutine 18 [running]:", also with the fields that GOTRACEBACK=system adds.
func isHeader(line []byte) bool {
	_, ok := headerState(line)
	return ok
}

// headerState is what the brackets of a header say of its state. Go 1.27 prints labels behind them, quoted where they
// hold more than letters and digits: "goroutine 18 [select, 2 minutes] {path: "/items/{id}"}:"; Go 1.26 does within
// them, if GODEBUG=tracebacklabels=1: "[select labels:{"path": "/items"}]:". A long line is cut before its end.
func headerState(line []byte) (state []byte, ok bool) {
	rest, ok := bytes.CutPrefix(bytes.TrimRight(line, "\r"), []byte("goroutine "))
	if !ok || len(rest) == 0 || rest[0] < '0' || rest[0] > '9' {
		return nil, false
	}
	_, rest, _ = bytes.Cut(rest, []byte("["))
	state, rest, ok = bytes.Cut(rest, []byte("]"))
	if before, _, labels := bytes.Cut(state, []byte(" labels:{")); labels {
		return before, true
	}
	return state, ok && (string(rest) == ":" || bytes.HasPrefix(rest, []byte(" {")))
}

// isRemark recognises what go run and go test print right behind the last stack, "exit status 2" and "FAIL", and the
// next crash in a log: a function's line has spaces only in its brackets.
func isRemark(line []byte) bool {
	return bytes.HasPrefix(line, []byte(panicPrefix)) || bytes.HasPrefix(line, []byte(fatalPrefix)) ||
		bytes.Contains(line, []byte(caughtInfix)) || bytes.Equal(line, []byte("FAIL")) ||
		bytes.ContainsAny(line, " \t") && !bytes.ContainsAny(line, "([")
}

// placeLine is the line below a function in a text that lost its tabs: "/src/main.go:22 +0x1d".
var placeLine = regexp.MustCompile(`^\s*[^\s(][^(]*\.(?:go|s|c|cc|cpp|goc):\d+(?: \+0x[0-9a-f]+.*)?$`)

// isPlace recognises such a line. A function's ends with its arguments.
func isPlace(line []byte) bool {
	return line[len(line)-1] != ')' && placeLine.Match(line)
}

// lockAddress reads which lock a function of package sync was called on, from its printed arguments: "(0xaa6790)".
// Arguments of inlined calls are not printed ("..."), those with a question mark may be out of date.
func lockAddress(args, fn []byte) (uint64, bool) {
	fn = bytes.TrimPrefix(fn, []byte("internal/"))
	if !bytes.HasPrefix(fn, []byte(known.Mutex)) && !bytes.HasPrefix(fn, []byte(known.RWMutex)) {
		return 0, false
	}
	hex, ok := bytes.CutPrefix(args, []byte("(0x"))
	end := bytes.IndexAny(hex, ",)?")
	if !ok || end < 0 || hex[end] == '?' {
		return 0, false
	}
	addr, err := strconv.ParseUint(string(hex[:end]), 16, 64)
	return addr, err == nil
}

// withoutArgs cuts the arguments from "main.(*T).run(0xc000, {0x1, 0x2})". They never hold parentheses of their own.
func withoutArgs(line []byte) []byte {
	if i := bytes.LastIndexByte(line, '('); i > 0 && line[len(line)-1] == ')' {
		return line[:i]
	}
	return line
}

// parseState splits "chan receive, 5 minutes, locked to thread" into the state and the minutes.
func parseState(b []byte) (state []byte, minutes int64) {
	state, rest, _ := bytes.Cut(b, []byte(", "))
	for len(rest) > 0 {
		var part []byte
		part, rest, _ = bytes.Cut(rest, []byte(", "))
		if bytes.HasSuffix(part, []byte(" minutes")) {
			minutes = min(int64(leadingNumber(part)), 1<<30)
		}
	}
	return state, minutes
}
