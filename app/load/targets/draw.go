package targets

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
)

// A draw is what the templates of one request see.
type draw struct {
	number uint64 // of the request, from 0
	random *rand.PCG
	row    []string // of the table; nil without one
	table  *Table
}

// of makes the draw that of the n-th request: what it holds follows from seed and n alone.
func (d *draw) of(seed, n uint64) {
	d.number = n
	d.random.Seed(seed, n)
	d.random.Uint64() // the first number of neighbouring seeds is similar
}

// below returns a random number from 0 to n-1, or any if n is 0. The bias is below n/2⁶⁴.
func (d *draw) below(n uint64) uint64 {
	if n == 0 {
		return d.random.Uint64()
	}
	return d.random.Uint64() % n
}

// A field is a value that a template takes from a draw: a number or a text.
type field struct {
	number func(*draw) int64
	text   func(*draw) string
}

// value returns what text/template gets.
func (f field) value(d *draw) any {
	if f.number != nil {
		return f.number(d)
	}
	return f.text(d)
}

// A function makes a field of constant arguments, which are int64 or string.
type function struct {
	name string
	text string // for help
	make func(args []any, t *Table) (field, error)
}

// Functions says what templates may call, one line each.
func Functions() []string {
	var lines []string
	for _, f := range functions() {
		lines = append(lines, f.text)
	}
	return append(lines, `{{.name}}            the column "name" of --csv, in the request's row`)
}

func functions() []function {
	return []function{
		{"seq", `{{seq}} {{seq 100}}  the request's number, from 1 or from 100`, makeSeq},
		{"rand", `{{rand 1 100}}       a whole number from 1 to 100`, makeRand},
		{"uuid", `{{uuid}}             a random UUID (version 4)`, makeUUID},
		{"pick", `{{pick "a" "b"}}     one of these`, makePick},
		{"csv", `{{csv "user id"}}    a column whose name is not an identifier`, makeCSV},
		{"json", `{{json .name}}       a value as JSON, with its quotes; urlquery for URLs`, makeJSON},
	}
}

func makeSeq(args []any, _ *Table) (field, error) {
	start := int64(1)
	if len(args) > 0 {
		n, ok := args[0].(int64)
		if !ok || len(args) > 1 {
			return field{}, errors.New("seq takes a whole number to start from, or nothing")
		}
		start = n
	}
	return field{number: func(d *draw) int64 { return start + int64(d.number) }}, nil
}

func makeRand(args []any, _ *Table) (field, error) {
	var bounds [2]int64
	ok := len(args) == 2
	for i := 0; ok && i < 2; i++ {
		bounds[i], ok = args[i].(int64)
	}
	low, high := bounds[0], bounds[1]
	if !ok || low > high {
		return field{}, errors.New("rand takes two whole numbers, the lower first, as in {{rand 1 100}}")
	}
	n := uint64(high) - uint64(low) + 1 // of all numbers: 0, as below takes it
	return field{number: func(d *draw) int64 { return int64(uint64(low) + d.below(n)) }}, nil
}

func makeUUID(args []any, _ *Table) (field, error) {
	if len(args) > 0 {
		return field{}, errors.New("uuid takes no arguments")
	}
	return field{text: func(d *draw) string {
		a, b := d.random.Uint64(), d.random.Uint64()
		return formatUUID(a, b)
	}}, nil
}

// formatUUID returns 122 random bits as a UUID of version 4 (RFC 9562 §5.4).
func formatUUID(a, b uint64) string {
	a = a&^0xf000 | 0x4000
	b = b&(math.MaxUint64>>2) | 1<<63
	var raw [16]byte
	for i := range 8 {
		raw[i], raw[8+i] = byte(a>>(56-8*i)), byte(b>>(56-8*i))
	}
	var out [36]byte
	at := 0
	for _, part := range [][]byte{raw[:4], raw[4:6], raw[6:8], raw[8:10], raw[10:]} {
		if at > 0 {
			out[at] = '-'
			at++
		}
		at += hex.Encode(out[at:], part)
	}
	return string(out[:])
}

func makePick(args []any, _ *Table) (field, error) {
	if len(args) == 0 {
		return field{}, errors.New(`pick takes the values to pick from, as in {{pick "a" "b"}}`)
	}
	texts := make([]string, len(args))
	for i, a := range args {
		texts[i] = fmt.Sprint(a)
	}
	return field{text: func(d *draw) string { return texts[d.below(uint64(len(texts)))] }}, nil
}

func makeCSV(args []any, t *Table) (field, error) {
	if len(args) != 1 {
		return field{}, errors.New(`csv takes the name of a column, as in {{csv "user id"}}`)
	}
	return columnField(fmt.Sprint(args[0]), t)
}

// columnField returns a column of the request's row.
func columnField(name string, t *Table) (field, error) {
	i, err := t.column(name)
	return field{text: func(d *draw) string { return d.row[i] }}, err
}

func makeJSON(args []any, _ *Table) (field, error) {
	if len(args) != 1 {
		return field{}, errors.New("json takes one value, as in {{json .name}}")
	}
	b, err := json.Marshal(args[0])
	return field{text: func(*draw) string { return string(b) }}, err
}
