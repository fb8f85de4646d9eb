package brief

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/app/facts"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/internal/words"
)

// fraction is a part of 1 with two digits.
func fraction(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) }

// names are the functions and files of all facts.
func names(s *facts.Sheet) (out []string) {
	for i := range s.Facts {
		for _, stack := range s.Facts[i].Stacks {
			for _, f := range stack.Frames {
				out = append(out, f.Function, short(f.Function), f.File, path.Base(f.File))
			}
		}
	}
	return out
}

// short is a function's name without the path of its package, as the texts of facts have it:
// "minio.(*Client).GetObject".
func short(function string) string { return words.Function(function) }

// shownFile is where a reader finds a frame's file: below the folder of the user's module, or within a package.
func (w *writer) shownFile(f facts.Frame) string {
	file := strings.ReplaceAll(f.File, `\`, "/")
	base := path.Base(file)
	switch {
	case file == "" || f.Function == "": // a line that was looked for is named below the module's folder already
		return file
	case f.Owner != facts.User:
		return base
	}
	module := w.sheet.Subject.Module
	pkg, _, _ := strings.Cut(strings.TrimPrefix(f.Function, module), ".")
	switch {
	case module != "" && strings.HasPrefix(pkg, "/") && strings.HasPrefix(f.Function, module):
		return path.Join(strings.TrimPrefix(pkg, "/"), base)
	case module != "" && strings.HasPrefix(file, module+"/"): // -trimpath
		return strings.TrimPrefix(file, module+"/")
	}
	return base
}

// place is a frame in a sentence.
func (w *writer) place(f facts.Frame) string {
	text := span(short(f.Function))
	if file := w.shownFile(f); file != "" {
		text += " (" + w.quoter.prose(fmt.Sprintf("%s:%d", file, f.Line)) + ")"
	}
	return text
}

// stacks are lines of some stacks, a line a frame, leaf first. Stacks that differ in what is not shown are one.
func (w *writer) stacks(f *facts.Fact, most, frames int) (lines []string) {
	var shown []string
	var shares []float64
	for _, stack := range f.Stacks {
		var text []string
		for _, x := range telling(stack.Frames, frames) {
			text = append(text, w.frame(x))
		}
		all := strings.Join(text, "\n  ")
		if i := slices.Index(shown, all); i >= 0 {
			shares[i] += stack.Share
		} else if len(shown) < most && all != "" {
			shown, shares = append(shown, all), append(shares, stack.Share)
		}
	}
	for i, text := range shown {
		if len(shown) > 1 && shares[i] > 0 {
			text = number.Share(min(shares[i], 1)) + " " + text
		}
		lines = append(lines, strings.Split(text, "\n")...)
	}
	return lines
}

// frame is a line of a stack.
func (w *writer) frame(f facts.Frame) string {
	text := bounded(oneLine(short(f.Function)))
	if file := w.shownFile(f); file != "" {
		text += " " + bounded(oneLine(file)) + ":" + strconv.Itoa(f.Line)
	}
	if f.Owner == facts.User {
		text += " (user)"
	}
	return text
}

// telling are some frames of a stack: where there are more, those around the user's innermost one, and the leaf.
func telling(frames []facts.Frame, most int) []facts.Frame {
	const ofGo = 2 // frames of a stack that has none but Go's own
	named := func(f facts.Frame) bool { return f.Owner == facts.User || f.Owner == facts.Dependency }
	if !slices.ContainsFunc(frames, named) {
		most = min(most, ofGo)
	}
	if len(frames) <= most || most < 2 {
		return frames[:min(len(frames), most)]
	}
	at := max(slices.IndexFunc(frames, func(f facts.Frame) bool { return f.Owner == facts.User }), 0)
	first := min(max(at-most/2, 1), len(frames)-most+1)
	return slices.Concat(frames[:1], frames[first:first+most-1])
}

// unsaid are numbers of a fact that its text does not say.
func (w *writer) unsaid(f *facts.Fact) string {
	const most = 5
	var parts []string
	for _, n := range f.Numbers {
		value := n.String()
		if len(parts) < most && !strings.Contains(f.Text, value) {
			parts = append(parts, w.quoter.label(n.Name)+" "+value)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "Also: " + strings.Join(parts, ", ") + "."
}
