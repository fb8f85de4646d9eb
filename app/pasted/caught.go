package pasted

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"strings"
)

// A panic that something caught is printed in as many forms as there are middlewares. Those that print the goroutine
// (runtime/debug.Stack) have the frames of the panic below the function that caught it; gin prints the frames in a form
// of its own, and so does chi:
//
//	[Recovery] 2025/02/11 - 10:11:13 panic recovered:        panic: runtime error: index out of range
//	runtime error: index out of range
//	/srv/shop/handlers/items.go:41 (0x8f9b33)                -> example.com/shop/page.(*Store).Get
//		(*Items).Show: c.JSON(200, item.Price)                ->   /srv/shop/page/store.go:55
//
// They are written as net/http writes those that it catches, which package stacks reads.
var (
	ginHead   = []byte("panic recovered:")
	ginPlace  = regexp.MustCompile(`^(\S.*\.(?:go|s)):(\d+) \(0x[0-9a-f]+\)$`)
	ginName   = regexp.MustCompile(`^\t([^:]+): `)
	chiPlace  = regexp.MustCompile(`^ (?:->|  ) +(\S+\.(?:go|s)):(\d+)$`)
	chiName   = regexp.MustCompile(`^ (?:->|  ) (\S+)$`)
	saidError = regexp.MustCompile(`runtime error: [^"\\<>\n]*`)
	saidPanic = regexp.MustCompile(`(?:[Pp]anic(?:ked)?: |panic="|PANIC RECOVER\] )([^"\n]+)`)
)

// maxCaught bounds the text of one panic.
const maxCaught = 1 << 20

// A catch is a panic whose lines are read.
type catch struct {
	said   string // of the lines so far, the one that says what happened
	frames [][2]string
	place  string // of a frame whose other line is to come
	gin    bool
}

// catchLine takes a line of a panic in gin's form or chi's.
func (s *splitter) catchLine(line []byte) bool {
	switch {
	case bytes.HasSuffix(line, ginHead):
		s.endCatch()
		s.caught = &catch{gin: true}
		return true
	case s.caught == nil && bytes.HasPrefix(line, []byte(" -> ")) && chiName.Match(line):
		s.caught = &catch{said: said(s.before)}
	case s.caught == nil:
		return false
	}
	if s.caught.line(string(line)) {
		return true
	}
	s.endCatch()
	return false
}

// line takes a line, and reports whether it belongs to the panic.
func (c *catch) line(line string) bool {
	place, name := ginPlace, ginName
	if !c.gin {
		place, name = chiPlace, chiName
	}
	if m := place.FindStringSubmatch(line); m != nil {
		at := m[1] + ":" + m[2]
		if !c.gin && c.place != "" {
			c.frames, c.place = append(c.frames, [2]string{c.place, at}), ""
		} else {
			c.place = at
		}
		return len(c.frames) < maxDepth
	}
	if m := name.FindStringSubmatch(line); m != nil && (!c.gin || c.place != "") {
		if c.gin {
			c.frames, c.place = append(c.frames, [2]string{qualified(m[1], c.place), c.place}), ""
		} else {
			c.place = m[1]
		}
		return true
	}
	if line = strings.TrimSpace(line); len(c.frames) == 0 && c.gin {
		if line != "" {
			c.said = line // what the panic says comes last before the frames
		}
		return true
	}
	return line == "" && !c.gin
}

// endCatch writes the panic as net/http would.
func (s *splitter) endCatch() {
	c := s.caught
	s.caught = nil
	if c == nil || len(c.frames) == 0 {
		return
	}
	var b strings.Builder
	b.WriteString("goroutine 1 [running]:\n")
	if c.gin {
		b.WriteString("panic(...)\n\t/runtime/panic.go:1\n")
	}
	for _, f := range c.frames {
		fmt.Fprintf(&b, "%s(...)\n\t%s\n", f[0], f[1])
	}
	s.addCaught(c.said, []byte(b.String()))
}

// addCaught adds a panic, and the goroutine that it was raised in, to those that were caught.
func (s *splitter) addCaught(said string, goroutine []byte) {
	back := s.cur
	if s.panic == nil {
		s.panic = s.begin()
	}
	s.cur = back
	s.normal = true
	s.panic.Data = fmt.Appendf(s.panic.Data, "%sit: %s\n", caught, said)
	s.panic.Data = append(append(s.panic.Data, goroutine...), '\n')
	s.panic.seen = nil
}

// qualified is a function that gin names without its package: the folder of its file has that, below the module cache
// and the standard library all of its path.
func qualified(name, file string) string {
	dir := path.Dir(strings.ReplaceAll(file, `\`, "/"))
	for _, root := range []string{"/pkg/mod/", "/src/"} {
		if i := strings.LastIndex(dir, root); i >= 0 {
			dir = dir[i+len(root):]
			if before, version, ok := strings.Cut(dir, "@"); ok {
				_, below, _ := strings.Cut(version, "/")
				dir = path.Join(before, below)
			}
			return dir + "." + name
		}
	}
	if dir = path.Base(dir); dir == "." || dir == "/" {
		dir = "main"
	}
	return dir + "." + name
}

// said is what a line says of a panic: the runtime's own words, or what stands behind "panic".
func said(line string) string {
	if m := saidError.FindString(line); m != "" {
		if strings.Count(m, ")") > strings.Count(m, "(") {
			m = strings.TrimSuffix(m, ")")
		}
		return strings.TrimSpace(strings.TrimSuffix(m, " goroutine"))
	}
	if m := saidPanic.FindStringSubmatch(line); m != nil {
		return strings.TrimSpace(m[1])
	}
	return "a panic"
}

// wasCaught reports whether the stack of a running goroutine is that of who caught a panic and prints it: the runtime
// itself prints the stack of one that ends the process from the panic on, or from below it.
func wasCaught(goroutine []byte) bool {
	_, frames, _ := bytes.Cut(goroutine, []byte("\n"))
	at := bytes.Index(frames, []byte("panic("))
	return at > 0 && frames[at-1] == '\n' && !bytes.HasPrefix(frames, []byte("runtime.")) &&
		bytes.IndexByte(frames[:at-1], '\n') > 0
}
