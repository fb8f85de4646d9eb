package answer

import (
	"encoding/json"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/plain"
)

// answer reads the fields of an object, each as far as it makes sense.
func (o object) answer() Answer {
	a := Answer{Author: line(o.value("author")), Cause: text(o.value("cause")), Change: text(o.value("change")),
		Diff: diffText(o.value("diff")), Gain: claimOf(o.value("gain"))}
	for _, raw := range list(o.value("place"), maxPlaces) {
		if at := placeOf(raw); at != (casefile.At{}) {
			a.Place = append(a.Place, at)
		}
	}
	for _, raw := range list(o.value("rests"), maxRests) {
		a.Rests = append(a.Rests, idsOf(raw)...)
	}
	a.Rests = a.Rests[:min(len(a.Rests), maxRests)]
	for _, raw := range list(o.value("numbers"), maxNumbers) {
		if n, ok := numberOf(raw); ok {
			a.Numbers = append(a.Numbers, n)
		}
	}
	for _, raw := range list(o.value("uses"), maxUses) {
		if u := useOf(raw); u != (Use{}) {
			a.Uses = append(a.Uses, u)
		}
	}
	return a
}

// list is the elements of a list, or the value itself where it is none.
func list(raw json.RawMessage, most int) []json.RawMessage {
	var all []json.RawMessage
	switch {
	case raw == nil:
		return nil
	case json.Unmarshal(raw, &all) != nil:
		return []json.RawMessage{raw}
	}
	return all[:min(len(all), most)]
}

// text is a value as prose: a text, or a list of them. Line ends stay.
func text(raw json.RawMessage) string {
	var parts []string
	for _, part := range list(raw, 100) {
		var s string
		if json.Unmarshal(part, &s) == nil {
			parts = append(parts, s)
		}
	}
	lines := strings.Split(strings.Join(parts, "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(plain.Text(lines[i]), " ")
	}
	return cut(strings.TrimSpace(strings.Join(lines, "\n")), maxText)
}

// line is a value as a name: one line.
func line(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		s = strings.Trim(string(raw), `"`) // a number
		if strings.ContainsAny(s, "{[") {
			return ""
		}
	}
	return name(s)
}

func name(s string) string { return cut(strings.TrimSpace(plain.Text(s)), maxName) }

// cut bounds a text in characters.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

// diffText is a diff as it is: its tabs and line ends mean something.
func diffText(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// fileLine is how people write a line of a file: "store.go:34", "store.go:34-40", "at store.go:34".
var fileLine = regexp.MustCompile(`([^\s()]+\.(?:go|s|c|h)):(\d+)`)

// file is a name of a file alone.
var goFile = regexp.MustCompile(`^[^\s()]+\.(?:go|s|c|h)$`)

// placeOf reads one place: an object, or a text as people write it.
func placeOf(raw json.RawMessage) (at casefile.At) {
	var o object
	if json.Unmarshal(raw, &o) != nil {
		return placeIn(line(raw))
	}
	at = casefile.At{Function: line(o["function"]), File: line(o["file"])}
	if at.Function == "" {
		at.Function = line(o["func"])
	}
	if v, ok := quantity(o["line"]); ok && v >= 0 && v < math.MaxInt32 {
		at.Line = int(v)
	}
	if in := placeIn(at.File); in.Line > 0 {
		at.File, at.Line = in.File, in.Line
	}
	if in := placeIn(at.Function); in.Line > 0 {
		at.Function = in.Function
		if at.File == "" {
			at.File, at.Line = in.File, in.Line
		}
	}
	return at
}

// placeIn reads a place from a text: "main.(*store).load (store.go:34)", "store.go:34", "main.load".
func placeIn(s string) (at casefile.At) {
	m := fileLine.FindStringSubmatchIndex(s)
	if m == nil {
		if s = strings.Trim(s, " `'\""); goFile.MatchString(s) {
			return casefile.At{File: s}
		}
		return casefile.At{Function: functionIn(s)}
	}
	at.File = strings.Trim(s[m[2]:m[3]], "`'\"[(")
	if n, err := strconv.ParseInt(s[m[4]:m[5]], 10, 32); err == nil {
		at.Line = int(n)
	}
	at.Function = functionIn(s[:m[0]])
	if at.Function == "" {
		at.Function = functionIn(strings.TrimLeft(s[m[1]:], "-0123456789"))
	}
	return at
}

// functionIn is the function that a text names: its first word with a dot or a bracket, or its only word.
func functionIn(s string) string {
	words := strings.Fields(s)
	for _, w := range words {
		w = strings.TrimSuffix(strings.Trim(w, "`'\",;:"), "()")
		if strings.HasPrefix(w, "(") && !strings.Contains(w, ").") { // in brackets
			w = strings.Trim(w, "()")
		}
		if strings.ContainsAny(w, ".(") && len(w) > 1 || len(words) == 1 {
			return w
		}
	}
	return ""
}

// idsOf are the IDs of facts in a text: "W1, H2".
func idsOf(raw json.RawMessage) (ids []string) {
	var o object
	s := line(raw)
	if json.Unmarshal(raw, &o) == nil {
		s = line(o["id"])
	}
	for _, id := range strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" ,;[]", r) }) {
		ids = append(ids, cut(id, 20))
	}
	return ids
}

// numberOf reads one number. Its unit may stand in its value: "1.5 GiB".
func numberOf(raw json.RawMessage) (n Number, ok bool) {
	var o object
	if json.Unmarshal(raw, &o) != nil {
		return n, false
	}
	n = Number{Fact: line(o["fact"]), Name: line(o["name"]), Unit: line(o["unit"])}
	if n.Value, ok = quantity(o["value"]); !ok {
		return n, false
	}
	if n.Unit == "" {
		n.Unit = unitIn(line(o["value"]))
	}
	return n, true
}

// claimOf reads a gain: {"resource": "cpu", "low": 0.5, "high": 0.9}. Shares above 1 are per cent.
func claimOf(raw json.RawMessage) *casefile.Claim {
	var o object
	if raw == nil || json.Unmarshal(raw, &o) != nil {
		return nil
	}
	low, isLow := quantity(o["low"])
	high, isHigh := quantity(o["high"])
	if !isHigh {
		high = low
	}
	if !isLow {
		low = high
	}
	if !isLow && !isHigh {
		return nil
	}
	if high > 1 || strings.Contains(line(o["high"])+line(o["low"]), "%") {
		low, high = low/100, high/100
	}
	return &casefile.Claim{Resource: strings.ToLower(line(o["resource"])), Low: min(low, high), High: max(low, high)}
}

// useOf reads a use; a text is a module with its version: "github.com/rs/cors@v1.11.0".
func useOf(raw json.RawMessage) Use {
	var o object
	if json.Unmarshal(raw, &o) != nil {
		module, version, _ := strings.Cut(line(raw), "@")
		return Use{Module: name(module), Version: name(version)}
	}
	u := Use{Module: line(o["module"]), Version: line(o["version"]), Name: line(o["name"])}
	if module, version, ok := strings.Cut(u.Module, "@"); ok && u.Version == "" {
		u.Module, u.Version = module, version
	}
	return u
}

// leading is a number at the beginning of a text.
var leading = regexp.MustCompile(`^[~≈<>≤≥ ]*(-?\d[\d,_']*(?:\.\d+)?(?:[eE][+-]?\d+)?)`)

// quantity is a number, or the one with which a text begins.
func quantity(raw json.RawMessage) (float64, bool) {
	var v float64
	if raw == nil || string(raw) == "null" {
		return 0, false
	}
	if json.Unmarshal(raw, &v) == nil {
		return v, true
	}
	m := leading.FindStringSubmatch(line(raw))
	if m == nil {
		return 0, false
	}
	v, err := strconv.ParseFloat(strings.NewReplacer(",", "", "_", "", "'", "").Replace(m[1]), 64)
	return v, err == nil && !math.IsInf(v, 0)
}

// unitIn is what follows the number of a text.
func unitIn(s string) string {
	m := leading.FindString(s)
	if m == "" {
		return ""
	}
	return strings.TrimSpace(s[len(m):])
}
