package prometheus

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// families are the metrics of a page by name.
type families = map[string]*dto.MetricFamily

// wanted are the names of the families whose lines are given to the parser.
type wanted map[string]bool

func wantedBy(selectors []selector) wanted {
	w := make(wanted)
	for _, s := range selectors {
		w[s.name] = true
		if base, _, ok := cutPart(s.name); ok {
			w[base] = true
		}
	}
	return w
}

// The parts of a histogram or summary that are counters themselves.
const (
	countPart = "_count"
	sumPart   = "_sum"
)

func cutPart(name string) (base, part string, ok bool) {
	for _, part := range []string{countPart, sumPart} {
		if base, ok := strings.CutSuffix(name, part); ok && base != "" {
			return base, part, true
		}
	}
	return name, "", false
}

// lineBuffers hold the wanted lines of a page while it is parsed; larger ones than maxKept are not kept.
var lineBuffers = sync.Pool{New: func() any { return new([]byte) }}

const maxKept = 1 << 20

// parse reads the wanted lines of a page.
func (w wanted) parse(p page) (families, error) {
	buf := lineBuffers.Get().(*[]byte)
	lines, samples := w.filter(p, (*buf)[:0])
	defer func() {
		if *buf = lines; cap(lines) <= maxKept {
			lineBuffers.Put(buf)
		}
	}()
	if samples == 0 {
		return nil, errors.New("the page has no metrics; is this the URL of the metrics?")
	}
	parser := expfmt.NewTextParser(model.LegacyValidation)
	f, err := parser.TextToMetricFamilies(bytes.NewReader(lines))
	if pe := (expfmt.ParseError{}); errors.As(err, &pe) { // its line number is that of lines, not of the page
		return nil, fmt.Errorf("the page is malformed at %q: %s", excerpt(lines, pe.Line), pe.Msg)
	}
	if err != nil {
		return nil, fmt.Errorf("the page is malformed: %w", err)
	}
	return f, nil
}

// excerpt returns the start of the n-th line, counted from 1.
func excerpt(lines []byte, n int) string {
	for ; n > 1; n-- {
		_, lines, _ = bytes.Cut(lines, []byte("\n"))
	}
	line, _, _ := bytes.Cut(lines, []byte("\n"))
	return string(line[:min(len(line), 120)])
}

// filter keeps of a page the wanted metrics' types and series, in the text format 0.0.4, with no timestamps and
// exemplars, and appends them to kept. It also counts the lines that look like samples, wanted or not.
func (w wanted) filter(p page, kept []byte) (lines []byte, samples int) {
	for rest := p.body; len(rest) > 0; {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		if line[0] == '#' {
			kept = w.appendType(kept, line, p.openMetrics)
			continue
		}
		name, value, ok := splitSample(line)
		if !ok {
			continue
		}
		samples++
		if w.has(baseName(name)) {
			end := len(line) - len(value)
			if rest := bytes.IndexAny(value, " \t"); rest >= 0 {
				value = value[:rest]
			}
			kept = append(append(append(kept, line[:end]...), value...), '\n')
		}
	}
	return kept, samples
}

// has says whether a family is wanted, or the sample name itself.
func (w wanted) has(base, name []byte) bool { return w[string(base)] || w[string(name)] }

// baseName returns the family of a sample, should that be a histogram or a summary, and the sample's own name.
func baseName(name []byte) (base, same []byte) {
	for _, suffix := range []string{"_bucket", countPart, sumPart} {
		if base, ok := bytes.CutSuffix(name, []byte(suffix)); ok {
			return base, name
		}
	}
	return name, name
}

// splitSample cuts a line "name{labels} value timestamp # exemplar" into its name and what begins with the value. It
// is not ok if that is not its shape; what is in the labels is the parser's to judge.
func splitSample(line []byte) (name, value []byte, ok bool) {
	end := nameEnd(line)
	if end == 0 || end == len(line) || line[end] != '{' && line[end] != ' ' && line[end] != '\t' {
		return nil, nil, false
	}
	name, value = line[:end], trimBlanks(line[end:])
	if len(value) > 0 && value[0] == '{' {
		brace := closingBrace(value)
		if brace < 0 {
			return nil, nil, false
		}
		value = trimBlanks(value[brace+1:])
	}
	return name, value, len(value) > 0
}

// nameEnd returns the length of the name that a line begins with. It is nameStart by hand: a page has thousands of
// lines.
func nameEnd(line []byte) int {
	for i, c := range line {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == ':'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return i
		}
	}
	return len(line)
}

func trimBlanks(b []byte) []byte {
	for len(b) > 0 && (b[0] == ' ' || b[0] == '\t') {
		b = b[1:]
	}
	return b
}

// closingBrace returns the index of the brace that closes the labels, -1 if there is none. Braces in quotes do not
// count.
func closingBrace(b []byte) int {
	quoted := false
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '\\':
			if quoted {
				i++
			}
		case '"':
			quoted = !quoted
		case '}':
			if !quoted {
				return i
			}
		}
	}
	return -1
}

// appendType keeps a wanted "# TYPE name type". OpenMetrics names a counter without the _total of its samples, and has
// types that the parser does not know.
func (w wanted) appendType(kept, line []byte, openMetrics bool) []byte {
	if !bytes.Contains(line[:min(len(line), 64)], []byte("TYPE")) { // half of them are help
		return kept
	}
	f := strings.Fields(string(line[:min(len(line), 1024)]))
	if len(f) != 4 || f[0] != "#" || f[1] != "TYPE" {
		return kept
	}
	name, kind := f[2], f[3]
	if openMetrics {
		switch kind {
		case "counter":
			name += "_total"
		case "unknown":
			kind = "untyped"
		case "info", "stateset":
			kind = "gauge"
		}
	}
	if !w[name] {
		return kept
	}
	return fmt.Appendf(kept, "# TYPE %s %s\n", name, kind)
}
