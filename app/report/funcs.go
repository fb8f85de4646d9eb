package report

import (
	"html/template"
	"math"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/internal/words"
	"github.com/gocasebook/casebook/vitals"
)

// templateFuncs returns what the templates can call. script and style carry our own embedded files; they are the only
// text of the page, other than its data, that is not escaped.
func templateFuncs(b bundle) template.FuncMap {
	script, style := template.HTML("<script>"+b.script+"</script>"), template.HTML("<style>"+b.style+"</style>")
	policy, forms := b.policy("'none'"), b.policy("'self'")
	return template.FuncMap{
		"comparison": comparison,
		"script":     func() template.HTML { return script },
		"style":      func() template.HTML { return style },
		"policy":     func() string { return policy },
		"forms":      func() string { return forms },
		"long":       isLong,
		"quantity":   func(v float64, u string) string { return quantity(v, vitals.Unit(u)) },
		"bytes":      func(n int64) string { return quantity(float64(n), vitals.Bytes) },
		"seconds":    func(s float64) string { return quantity(s, vitals.Seconds) },
		"float":      func(n int64) float64 { return float64(n) },
		"percent":    percent,
		"width":      func(share float64) string { return position(100 * clamp(share)) },
		"position":   position,
		"gain":       gain,
		"symbol":     splitSymbol,
		"file":       shortFile,
		"base":       path.Base,
		"clock":      clock,
		"moment":     moment,
		"iso":        func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
		"prose":      prose,
		"mark":       verdictMark,
		"slug":       func(v casefile.Verdict) string { return strings.ReplaceAll(string(v), " ", "-") },
		"sure":       sure,
		"short":      func(s string) string { return strings.ToValidUTF8(s[:min(len(s), 12)], "") },
		"pvalue":     pvalue,
		"shell":      shell,
		"textures":   laneTextures,
	}
}

// position writes a coordinate for an SVG attribute.
func position(v float64) string {
	return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64)
}

// gain writes the share that a remedy frees: "20–26 %".
func gain(g casefile.Gain) string { return unbroken(words.Gain(g)) }

// A textPart is prose, or the code between two backticks in it.
type textPart struct {
	Text string
	Code bool
}

// prose splits a text at its backticks. An odd one is a backtick.
func prose(s string) []textPart {
	var parts []textPart
	for {
		before, rest, open := strings.Cut(s, "`")
		code, after, closed := strings.Cut(rest, "`")
		if !open || !closed {
			return append(parts, textPart{Text: s})
		}
		parts = append(parts, textPart{Text: before}, textPart{Text: code, Code: true})
		s = after
	}
}

// verdictMark returns a sign next to the verdict's word, for the eye that scans a column.
func verdictMark(v casefile.Verdict) string {
	switch v {
	case casefile.Better:
		return "✓"
	case casefile.Worse:
		return "✗"
	case casefile.Same:
		return "="
	}
	return "?"
}

// sure returns a confidence in words. The bounds are ours: the number is next to it.
func sure(confidence float64) string {
	switch {
	case confidence >= 0.8:
		return "high"
	case confidence >= 0.5:
		return "medium"
	}
	return "low"
}

// pvalue writes the p of a test; "" if no test was made.
func pvalue(p float64) string {
	if math.IsNaN(p) || p <= 0 || p >= 1 {
		return ""
	}
	return number.P(p)
}

// shell quotes a file's name for a POSIX shell: a case is hostile, and its reader copies the command.
func shell(name string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._/-", r)
	}
	if strings.HasPrefix(name, "-") {
		name = "./" + name
	}
	if name != "" && !strings.ContainsFunc(name, func(r rune) bool { return !plain(r) }) {
		return name
	}
	return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
}
