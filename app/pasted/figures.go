package pasted

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/casefile"
)

// Figures are numbers of one moment that say by themselves that something is wrong: on a page of metrics, in expvar's,
// or in runtime.MemStats as programs print them. Zero is what the text does not say.
type Figures struct {
	Goroutines          float64
	OpenFiles, MaxFiles float64
	GCCPU               float64 // 0–1 of the CPU that the process may use, since it began
}

var (
	metric = regexp.MustCompile(`(?m)^(go_goroutines|process_open_fds|process_max_fds|go_memstats_gc_cpu_fraction)` +
		`(?:\{[^\n]*\})? +([0-9.e+-]+)`)
	gcShare   = regexp.MustCompile(`"?GCCPUFraction"? ?[:=] ?([0-9.e+-]+)`)
	statsPair = regexp.MustCompile(`\b([A-Z]\w+):([0-9.e+-]+)`)
)

// FiguresOf reads them; of several processes' the largest counts.
func FiguresOf(data []byte) (f Figures) {
	text, _ := decoded(data)
	text = text[:min(len(text), namedHead)]
	number := func(b []byte) float64 {
		v, err := strconv.ParseFloat(string(b), 64)
		if err != nil || !(v > 0 && v < 1e12) {
			return 0
		}
		return v
	}
	for _, m := range metric.FindAllSubmatch(text, -1) {
		to := map[string]*float64{"go_goroutines": &f.Goroutines, "process_open_fds": &f.OpenFiles,
			"process_max_fds": &f.MaxFiles, "go_memstats_gc_cpu_fraction": &f.GCCPU}[string(m[1])]
		*to = max(*to, number(m[2]))
	}
	if m := gcShare.FindSubmatch(text); m != nil {
		f.GCCPU = max(f.GCCPU, number(m[1]))
	}
	if f.GCCPU > 1 {
		f.GCCPU = 0
	}
	return f
}

// memStats are the numbers of a runtime.MemStats that a program has printed, as JSON or by %+v, in the form that expvar
// has them; nil for any other text.
func memStats(text []byte) []Piece {
	trimmed := bytes.TrimSpace(text)
	if len(trimmed) == 0 || !bytes.Contains(trimmed, []byte("TotalAlloc")) || !bytes.Contains(trimmed, []byte("HeapAlloc")) ||
		bytes.Contains(trimmed, []byte(`"memstats"`)) {
		return nil
	}
	if bytes.HasPrefix(trimmed, []byte("{")) && json.Valid(trimmed) {
		return []Piece{{Kind: casefile.Metrics, Data: []byte(`{"memstats":` + string(trimmed) + "}")}}
	}
	var fields []string
	for _, m := range statsPair.FindAllSubmatch(trimmed, 100) {
		if json.Valid(m[2]) {
			fields = append(fields, strconv.Quote(string(m[1]))+":"+string(m[2]))
		}
	}
	if len(fields) < 5 { // "HeapAlloc = 5 MiB", which has lost its unit, is refused by name
		return nil
	}
	return []Piece{{Kind: casefile.Metrics, Data: []byte(`{"memstats":{` + strings.Join(fields, ",") + "}}")}}
}
