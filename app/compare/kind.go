package compare

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/diagnose"
)

// A Kind is what an input holds.
type Kind string

// The kinds.
const (
	Benchmarks Kind = "benchmarks"
	Load       Kind = "load"
	Proof      Kind = "proof"
	Evidence   Kind = "evidence" // profiles, captures, cases: package diagnose compares them
	Profiles   Kind = "profiles" // of two releases, window by window: OfFunctions
)

// Sniffed is how much of an input KindOf needs.
const Sniffed = 1 << 20

// KindOf detects what an input is from its first Sniffed bytes. The error names what it seems to be and what to do.
func KindOf(head []byte) (Kind, error) {
	text := bytes.TrimLeft(head, "\ufeff \t\r\n")
	switch {
	case len(text) == 0:
		return "", fmt.Errorf("it is empty; the command that wrote it may have failed")
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), IsTar(head), diagnose.LooksLikeEvidence(head):
		return Evidence, nil
	case text[0] == '{':
		return kindOfJSON(text)
	case hasBenchmark(text):
		return Benchmarks, nil
	}
	what := diagnose.NotEvidence(head)
	if what == "" {
		what = "something else"
	}
	return "", fmt.Errorf("it is %s; want the output of go test -bench, of casebook load --out, of casebook prove, a "+
		"profile or a case", what)
}

// IsTar reports whether an input with this beginning is a tar file, compressed or not. Go's profiles are compressed, too.
func IsTar(head []byte) bool {
	const magic = 257 // where POSIX has it in the first header
	if len(head) >= magic+5 && string(head[magic:magic+5]) == "ustar" {
		return true
	}
	plain, err := gzip.NewReader(bytes.NewReader(head))
	if err != nil {
		return false
	}
	first := make([]byte, magic+5)
	_, err = io.ReadFull(plain, first)
	return err == nil && string(first[magic:]) == "ustar"
}

// kindOfJSON distinguishes our documents by their first fields.
func kindOfJSON(text []byte) (Kind, error) {
	fields := topFields(text)
	switch kind := fields["kind"]; {
	case kind == load.FileKind:
		return Load, nil
	case kind == "casebook-load-limit":
		return "", fmt.Errorf("it is the result of casebook load --find-limit, which is one number; compare the " +
			"field \"best\" of both")
	case kind == ReportKind:
		return "", fmt.Errorf("it is already a comparison; name the two inputs that were compared")
	case has(fields, "Action"):
		return "", fmt.Errorf("it is the output of go test -json; run go test -bench without -json")
	case kind == "casebook-proof", has(fields, "verdict") && has(fields, "figures"), has(fields, "proof"):
		return Proof, nil
	}
	return "", fmt.Errorf("it is unknown JSON; want what casebook load --out or casebook prove writes")
}

func has(fields map[string]string, name string) bool {
	_, ok := fields[name]
	return ok
}

// topFields returns the fields of a JSON object, as far as it goes: their text if it is a string, otherwise "".
func topFields(text []byte) map[string]string {
	fields := make(map[string]string)
	dec := json.NewDecoder(bytes.NewReader(text))
	if _, err := dec.Token(); err != nil {
		return fields
	}
	for dec.More() {
		key, err := dec.Token()
		name, ok := key.(string)
		if err != nil || !ok {
			return fields
		}
		var value json.RawMessage
		fields[name] = ""
		if dec.Decode(&value) != nil {
			return fields // it continues behind what was read
		}
		var s string
		if json.Unmarshal(value, &s) == nil {
			fields[name] = s
		}
	}
	return fields
}

// hasBenchmark reports whether a line is a benchmark's result: its name, a count, a value and a unit. The first results
// may come after many lines of a test's own output.
func hasBenchmark(text []byte) bool {
	for line := range bytes.Lines(text) {
		if !bytes.HasPrefix(line, []byte("Benchmark")) {
			continue
		}
		if f := strings.Fields(string(line)); len(f) >= 4 && isNumber(f[1]) {
			return true
		}
	}
	return false
}

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
