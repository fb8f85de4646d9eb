package pasted

import (
	"bytes"
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Other tools than go tool pprof write stacks as text, too: speedscope and Pyroscope as JSON, perf script and the raw
// form of go tool pprof (raw.go) line by line. Each becomes a profile, as far as it goes.

// exported are the stacks of such a text, as a piece; nil for any other.
func exported(text []byte) []Piece {
	head := text[:min(len(text), namedHead)]
	switch {
	case bytes.Contains(head, []byte("speedscope.app/file-format-schema")):
		return ofSpeedscope(text).pieces()
	case bytes.HasPrefix(bytes.TrimSpace(head), []byte("{")) && bytes.Contains(head, []byte(`"flamebearer"`)):
		return ofFlamebearer(text).pieces()
	case rawHead.Match(head):
		return ofRaw(text)
	case perfHead.Match(head):
		return ofPerf(text).pieces()
	case gperfHead.Match(head):
		return ofGperf(text).pieces()
	}
	return memStats(head)
}

// sampled is what one sample stands for where the text counts samples: one at Go's 100 Hz. Only shares mean something.
const sampled = 10_000_000

// units of time and size, as speedscope names them, in ns and bytes.
var speedscopeUnits = map[string]float64{"nanoseconds": 1, "microseconds": 1e3, "milliseconds": 1e6, "seconds": 1e9,
	"bytes": 1, "none": sampled}

// A speedscope is a file of speedscope.app, as far as it is used.
type speedscope struct {
	Shared struct {
		Frames []struct {
			Name, File string
			Line       int64
		}
	}
	Profiles []speedscopeProfile
}

type speedscopeProfile struct {
	Name, Unit string
	Samples    [][]int // frames, the root first
	Weights    []float64
	Events     []struct {
		Type  string
		Frame int
		At    float64
	}
}

func ofSpeedscope(text []byte) *pprofText {
	var file speedscope
	t := &pprofText{form: formExport}
	if json.Unmarshal(text, &file) != nil || len(file.Profiles) == 0 {
		return t
	}
	p := &file.Profiles[0]
	for i := range file.Profiles { // of several numbers, time comes first
		if u := file.Profiles[i].Unit; u != "bytes" && u != "none" {
			p = &file.Profiles[i]
			break
		}
	}
	t.kind = "cpu"
	if p.Unit == "bytes" {
		t.kind = "inuse_space"
		if strings.Contains(p.Name, "alloc") {
			t.kind = "alloc_space"
		}
	}
	by := speedscopeUnits[p.Unit]
	add := func(frames []int, weight float64) {
		if t.full() {
			return
		}
		var stack []place
		for _, i := range slices.Backward(frames) {
			if i < 0 || i >= len(file.Shared.Frames) {
				return
			}
			f := &file.Shared.Frames[i]
			stack = append(stack, place{f.Name, f.File, f.Line})
		}
		t.add(stack, weight*by)
	}
	for i, frames := range p.Samples {
		if i < len(p.Weights) {
			add(frames, p.Weights[i])
		}
	}
	p.play(add)
	return t
}

// play adds the stacks between the events of a profile that has those.
func (p *speedscopeProfile) play(add func(frames []int, weight float64)) {
	var open []int
	last := 0.0
	for _, e := range p.Events {
		if len(open) > 0 && e.At > last {
			add(open, e.At-last)
		}
		last = e.At
		switch {
		case e.Type == "O" && len(open) < maxDepth:
			open = append(open, e.Frame)
		case e.Type == "C" && len(open) > 0:
			open = open[:len(open)-1]
		}
	}
}

// add adds a stack with its value.
func (t *pprofText) add(stack []place, value float64) {
	stack = stack[:min(len(stack), maxDepth)]
	if len(stack) > 0 && !t.full() && value >= 1 && value < math.MaxInt64/maxRows {
		t.rows, t.frames = append(t.rows, row{value: int64(value), stack: stack}), t.frames+len(stack)
	}
}

// full reports that no more stacks are taken.
func (t *pprofText) full() bool { return len(t.rows) >= maxRows || t.frames >= maxFrames }

// ofFlamebearer reads what Pyroscope's API answers: levels of boxes, each as the distance to the one before, its width,
// what is its own, and its name.
func ofFlamebearer(text []byte) *pprofText {
	var file struct {
		Flamebearer struct {
			Names  []string
			Levels [][]float64
		}
		Metadata struct {
			Format, Units, Name string
			SampleRate          float64
		}
	}
	t := &pprofText{form: formExport}
	if json.Unmarshal(text, &file) != nil || file.Metadata.Format == "double" {
		return t
	}
	t.kind = "cpu"
	by := sampled * 1.0
	switch file.Metadata.Units {
	case "samples":
		if file.Metadata.SampleRate >= 1 && file.Metadata.SampleRate <= 1e9 {
			by = 1e9 / file.Metadata.SampleRate
		}
	case "bytes":
		t.kind, by = "inuse_space", 1
		if strings.Contains(file.Metadata.Name, "alloc_space") {
			t.kind = "alloc_space"
		}
	case "goroutines":
		t.kind, by = "goroutine", 1
	default:
		t.kind = file.Metadata.Units
	}
	var above []flameBox
	for depth, level := range file.Flamebearer.Levels {
		var boxes []flameBox
		at, in := 0.0, 0
		for i := 0; i+3 < len(level) && len(boxes) < maxRows && !t.full(); i += 4 {
			b := flameBox{from: at + level[i], to: at + level[i] + level[i+1]}
			at = b.to
			for in < len(above) && above[in].to <= b.from {
				in++
			}
			name := level[i+3]
			if depth > 0 && in == len(above) || name < 0 || int(name) >= len(file.Flamebearer.Names) {
				return t
			}
			if depth > 0 { // the first is all
				b.name, b.in = file.Flamebearer.Names[int(name)], &above[in]
			}
			if depth >= maxDepth {
				return t
			}
			if self := level[i+2]; self > 0 {
				t.add(b.stack(), self*by)
			}
			boxes = append(boxes, b)
		}
		above = boxes
	}
	return t
}

// A flameBox is a box of such a level.
type flameBox struct {
	from, to float64
	name     string
	in       *flameBox // above it; nil: it is all
}

func (b *flameBox) stack() (out []place) {
	for ; b.in != nil; b = b.in {
		out = append(out, place{function: b.name})
	}
	return out
}

// perf script prints an event and its stack, the leaf first:
//
//	shop 4021/4026 [001] 5214.771520:   10101010 cpu-clock:u:
//	            4a1b2c main.work+0x2c (/usr/bin/shop)
var (
	perfHead = regexp.MustCompile(
		`(?m)^\S.*\s\d+(?:/\d+)?\s+(?:\[\d+\]\s+)?\d+\.\d+:\s.*:.*\n\s+[0-9a-f]+ .+ \(.*\)\s*$`)
	perfEvent = regexp.MustCompile(`^(\S.*?)\s+\d+(?:/\d+)?\s+(?:\[\d+\]\s+)?\d+\.\d+:\s`)
	perfFrame = regexp.MustCompile(`^\s+[0-9a-f]+ (.+?)(?:\+0x[0-9a-f]+)? \((.*)\)\s*$`)
)

// ofPerf reads the program with most samples: perf may have watched the whole machine.
func ofPerf(text []byte) *pprofText {
	type stackOf struct{ command, stack string }
	counts, commands, first := make(map[stackOf]float64), make(map[string]float64), map[stackOf][]place{}
	var command string
	var stack []place
	end := func() {
		if command != "" && len(stack) > 0 {
			names := make([]string, len(stack))
			for i, p := range stack {
				names[i] = p.function
			}
			key := stackOf{command, strings.Join(names, ";")}
			if first[key] == nil && len(first) < maxRows {
				first[key] = stack
			}
			counts[key]++
			commands[command]++
		}
		command, stack = "", nil
	}
	eachLine(text, func(line []byte) {
		line = line[:min(len(line), 1<<12)]
		if m := perfEvent.FindSubmatch(line); m != nil {
			end()
			command = string(m[1])
		} else if m := perfFrame.FindSubmatch(line); m != nil && command != "" && len(stack) < maxDepth {
			if name := string(m[1]); name != "[unknown]" && !bytes.HasPrefix(m[2], []byte("[kernel")) {
				stack = append(stack, place{function: name})
			}
		}
	})
	end()
	most := ""
	for c, n := range commands {
		if most == "" || n > commands[most] || n == commands[most] && c < most {
			most = c
		}
	}
	t := &pprofText{form: formExport, kind: "cpu", binary: most}
	for key, stack := range first {
		if key.command == most {
			t.add(stack, counts[key]*sampled)
		}
	}
	slices.SortFunc(t.rows, func(a, b row) int { return int(b.value/sampled - a.value/sampled) })
	return t
}

// The text of the old perftools, and of go tool pprof before Go 1.5, counts samples:
//
//	Total: 2525 samples
//	     298  11.8%  11.8%      345  13.7% runtime.mapaccess1_fast64
var (
	gperfHead = regexp.MustCompile(`(?m)^Total: \d+ samples$`)
	gperfAll  = regexp.MustCompile(`^Total: (\d{1,12}) samples$`)
	gperfRow  = regexp.MustCompile(`^ *(\d{1,12}) +[\d.]+% +[\d.]+% +(\d{1,12}) +[\d.]+% (\S.*)$`)
)

func ofGperf(text []byte) *pprofText {
	t := &pprofText{form: formTop, kind: "cpu"}
	n := func(digits string) float64 { v, _ := strconv.ParseFloat(digits, 64); return v * sampled } // at most twelve
	eachLine(text, func(line []byte) {
		text := string(line[:min(len(line), 1<<12)])
		if m := gperfAll.FindStringSubmatch(text); m != nil {
			t.total = int64(n(m[1]))
		} else if m := gperfRow.FindStringSubmatch(text); m != nil {
			at := []place{{function: strings.TrimSpace(m[3])}}
			t.add(at, n(m[1]))
			if len(t.wholes) < maxRows {
				t.wholes = append(t.wholes, row{value: int64(n(m[2])), stack: at})
			}
		}
	})
	return t
}
