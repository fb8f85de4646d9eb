package pasted

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// sniffed is how much of a file tells whether it is text.
const sniffed = 4 << 10

// decoded is a text in UTF-8 without its mark, and whether it was in another form; nil for what is no text.
func decoded(data []byte) (text []byte, changed bool) {
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		return fromUTF16(data[2:], 0), true
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		return fromUTF16(data[2:], 1), true
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		return data[3:], true
	}
	head := data[:min(len(data), sniffed)]
	if low, zero := zeros(head); zero {
		return fromUTF16(data, low), true
	}
	if bytes.IndexByte(head, 0) >= 0 || !utf8.Valid(head[:lastWhole(head)]) {
		return nil, false
	}
	if bytes.Contains(data, []byte("\x1b[")) {
		return colours.ReplaceAll(data, nil), true
	}
	return data, false
}

// colours are what a terminal is told by a program that thinks it writes to one.
var colours = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// zeros recognises UTF-16 without a mark: in text of the runtime every other byte is zero. low is where the others are.
func zeros(head []byte) (low int, ok bool) {
	var n [2]int
	for i, b := range head {
		if b == 0 {
			n[i%2]++
		}
	}
	switch most := len(head) / 2 * 9 / 10; {
	case len(head) < 16:
	case n[1] >= most && n[0] == 0:
		return 0, true
	case n[0] >= most && n[1] == 0:
		return 1, true
	}
	return 0, false
}

// fromUTF16 decodes text whose low bytes are at even (0) or odd (1) places.
func fromUTF16(b []byte, low int) []byte {
	units := make([]uint16, 0, len(b)/2)
	for i := 0; i+1 < len(b); i += 2 {
		units = append(units, uint16(b[i+low])|uint16(b[i+1-low])<<8)
	}
	return []byte(string(utf16.Decode(units)))
}

// lastWhole is the length without a rune that is cut at the end.
func lastWhole(b []byte) int {
	for i := len(b); i > 0 && i > len(b)-utf8.UTFMax; i-- {
		if utf8.RuneStart(b[i-1]) {
			if utf8.FullRune(b[i-1:]) {
				return len(b)
			}
			return i - 1
		}
	}
	return len(b)
}

// unescaped is a text whose lines hold whole dumps with their line breaks escaped, as JSON logs do, and the lines of
// Docker's own JSON and of go test -json; ok is false for any other.
func unescaped(text []byte) (out []byte, ok bool) {
	if !bytes.Contains(text, []byte(`\n\t`)) && !bytes.Contains(text, []byte(`]:\n`)) &&
		!bytes.HasPrefix(text, []byte(`{"log":"`)) && !bytes.Contains(text, testOutput) {
		return nil, false
	}
	eachLine(text, func(line []byte) {
		switch {
		case bytes.HasPrefix(line, []byte(`{`)) && bytes.Contains(line, testOutput):
			var event struct{ Output string }
			if json.Unmarshal(line, &event) == nil {
				line, ok = bytes.TrimSuffix([]byte(event.Output), []byte("\n")), true
			}
		case bytes.HasPrefix(line, []byte(`{"log":"`)):
			var logged struct{ Log string }
			if json.Unmarshal(line, &logged) == nil {
				line, ok = bytes.TrimSuffix([]byte(logged.Log), []byte("\n")), true
			}
		case isEscaped(line):
			line, ok = escapedLines(line), true
		}
		out = append(append(out, line...), '\n')
	})
	return out, ok
}

// testOutput is in the lines of go test -json that have what the test printed.
var testOutput = []byte(`"Action":"output"`)

// isEscaped reports whether a line holds a goroutine with escaped line breaks.
func isEscaped(line []byte) bool {
	return bytes.Contains(line, []byte("goroutine ")) &&
		(bytes.Contains(line, []byte(`\n\t`)) || bytes.Contains(line, []byte(`]:\n`)))
}

var breaks = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t", `\"`, `"`, `\r`, "", `\u003c`, "<", `\u003e`, ">",
	`\u0026`, "&")

// escapedLines undoes the escapes of a line, and begins a new one where a value of it begins with what the runtime
// writes: `"stack":"goroutine 7 [running]:\n…`.
func escapedLines(line []byte) []byte {
	text := string(line)
	for _, begins := range []string{"goroutine ", "panic: ", "fatal error: ", "http: panic serving "} {
		for _, quote := range []string{`"`, `=`, `'`, ` `} {
			text = strings.ReplaceAll(text, quote+begins, quote+`\n`+begins)
		}
	}
	// what the runtime writes itself behind a creator stays in its line
	text = strings.ReplaceAll(text, ` in \ngoroutine `, ` in goroutine `)
	return []byte(breaks.Replace(text))
}
