package diagnose

import (
	"slices"

	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A logger that package known has no row for is known by what it does below lines of the user's: it writes to a file,
// and asks who called it, or for the stack, to say so in the line. Packages for errors ask that, too, and do not write;
// what exports writes, and does not ask; a library for databases may do both for its own log, and talks to its server
// or reads its files.

// loggerShare is how much of a module's CPU goes to the two of them at least. A panic that somebody writes down is far
// below.
const loggerShare = 0.1

// A logging is what a module does below lines of the user's, in ns.
type logging struct{ all, asks, writes, other float64 }

// logs reports whether that is what a logger does.
func (l *logging) logs() bool {
	return l.asks > 0 && l.writes > 0 && l.other == 0 && l.asks+l.writes >= loggerShare*l.all
}

// learnLoggers puts the functions of unknown loggers into the row of logging.
func (c *costView) learnLoggers() {
	row, modules := int16(c.row("cpu-logging")), map[string]*logging{}
	for i := range c.cpu.set.Samples {
		c.addLogging(modules, &c.cpu.set.Samples[i])
	}
	for i := range c.x.t.Funcs {
		f := &c.x.t.Funcs[i]
		if f.Owner == stacks.Dependency && c.x.byFunc[i] == noKind {
			if l := modules[f.Module()]; l != nil && l.logs() {
				c.x.byFunc[i] = row
			}
		}
	}
}

// addLogging adds a sample to the module that does its work: that of the dependency nearest to the leaf.
func (c *costView) addLogging(modules map[string]*logging, s *stacks.Sample) {
	t := c.x.t
	_, u := t.UserFrame(s.Stack)
	for i, id := range s.Stack[:max(u, 0)] {
		if t.Func(id).Owner != stacks.Dependency {
			continue
		}
		module, w := t.Func(id).Module(), float64(max(c.cpu.weight(s), 0))
		l := modules[module]
		if l == nil {
			l = &logging{}
			modules[module] = l
		}
		l.all += w
		switch below := s.Stack[:i]; {
		case t.Has(below, withWork(known.WritesFile)):
			l.writes += w
		case t.Has(below, withWork(known.AsksCallers)):
			l.asks += w
		case s.Class == stacks.Syscall:
			l.other += w
		}
		return
	}
}

// A line such as log.Debug(fmt.Sprintf(…)) formats before the logger can check that the level is off. The profile then
// shows the formatting, and only the level check of the logger. A line that is really written costs a handler, a lock
// and a system call, which is more than the formatting.

// droppedShare: when the logger at the same line takes at most this part of the formatting's CPU, it drops the text.
// When it writes to a file, log/slog's text handler takes as much as fmt.Sprintf of five values, and more with a pipe
// behind it.
const droppedShare = 0.25

// forKey is the row for a line that formats and looks up a map.
func (k costKind) forKey(l *lineCost) costKind {
	if !l.looksUp {
		return k
	}
	k.what = "Formatting, with a map's look-up at the same line,"
	k.fixes = slices.Insert(slices.Clone(k.fixes), 0, byChange("", "Look up by the parts, without a text", "At {line}: "+
		"if the text is the map's key, make the key a struct or an array of the parts: nothing is formatted, and the hash is "+
		"shorter.", "another type of key"))
	return k
}

// forLogger is the row for a line that formats for a logger at the same line: the remedy is to skip the formatting, not
// to make it faster.
func (k costKind) forLogger(c *costView, l *lineCost) costKind {
	if k.kind != "alloc-fmt" || c.cpu == nil {
		return k
	}
	logger := c.byLine[costKey{c.row("cpu-logging"), l.line}]
	if logger == nil || logger.cpu <= 0 {
		return k
	}
	leave := byChange("", "Do not format what is not logged",
		"At {line}: pass the values as attributes (slog.LogAttrs, zap fields), which a logger does not format when "+
			"its level is "+
			"off, or check Enabled first.", "none")
	k.gain, k.gainWhy = [2]float64{0.7, 0.95}, "what is not formatted costs nothing"
	if logger.cpu > droppedShare*l.cpu {
		leave.Title = "Let the logger format"
	} else {
		k.what = "Formatting text that a logger drops"
		k.explanation += " The logger at the same line takes next to nothing: its level is off, so it drops the text " +
			"that was formatted for it."
	}
	k.fixes = slices.Insert(slices.Clone(k.fixes), 0, leave)
	return k
}
