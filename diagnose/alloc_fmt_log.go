package diagnose

import "slices"

// A line such as log.Debug(fmt.Sprintf(…)) formats before the logger can check that the level is off. The profile then
// shows the formatting, and only the level check of the logger. A line that is really written costs a handler, a lock
// and a system call, which is more than the formatting.

// droppedShare: when the logger at the same line takes at most this part of the formatting's CPU, it drops the text.
// When it writes to a file, log/slog's text handler takes as much as fmt.Sprintf of five values, and more with a pipe
// behind it.
const droppedShare = 0.25

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
