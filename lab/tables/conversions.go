package tables

import (
	"context"
	"fmt"
	"strings"
	"unsafe"
)

const conversionsTitle = "Bytes to strings and back: with and without a copy"

func conversionsTable(ctx context.Context, p pace) (Table, error) {
	rs, err := p.compare(ctx, []matchup{
		toString(conversion16, 16), toString(conversion1k, 1024), toBytes("to bytes, 1 kB", 1024), asKey(),
	})
	return Table{
		Name:  "conversions",
		Title: conversionsTitle,
		Text: "CPU time to convert bytes to a string and a string to bytes that are kept for longer than the call, " +
			"and to look bytes up in a map of strings: as the language does it, and by package unsafe without a copy.",
		Columns: matchupColumns("converted"), Rows: rs.rows(),
		Said: "The articles: avoid string([]byte), or convert by package unsafe, when nobody changes the bytes " +
			"afterwards.",
		Holds: conversionsHold(rs),
		Note: "Without a copy the string is the bytes: who writes to them afterwards changes a string that the " +
			"program takes for constant, such as a key that its map then no longer finds; writing to the bytes of a " +
			"constant ends the program. The article's reflect.StringHeader is deprecated; unsafe.String and " +
			"unsafe.StringData take its place.",
	}, err
}

const (
	conversion16, conversion1k, conversionKey = "to string, 16 B", "to string, 1 kB", "a map's key"
	copyless                                  = "package unsafe"
)

// conversionsHold says what a conversion without a copy gains by today's figures.
func conversionsHold(rs results) string {
	small, large, key := rs.of(conversion16, copyless), rs.of(conversion1k, copyless), rs.of(conversionKey, copyless)
	gains := 0
	for _, r := range []result{small, large} {
		if r.faster() {
			gains++
		}
	}
	said := fmt.Sprintf("%s: without a copy it is %s for 16 B and %s for 1 kB.", holding(gains, 2), small.compared(),
		large.compared())
	if rs.of(conversionKey, "string(b)").objects < 0.01 {
		said += fmt.Sprintf(" As a map's key the language makes no copy either, and package unsafe is %s: there is "+
			"nothing to gain.", key.compared())
	}
	return said
}

// What was converted is kept here, so that it escapes. The measurements run one after the other.
var (
	keptString string
	keptBytes  []byte
)

func toString(subject string, n int) matchup {
	b := []byte(strings.Repeat("s", n))
	return matchup{subject: subject, forms: []contestant{
		repeat("string(b)", func(int) uint64 { keptString = string(b); return lengthOf(keptString) }),
		repeat(copyless, func(int) uint64 { keptString = unsafe.String(&b[0], len(b)); return lengthOf(keptString) }),
	}}
}

func toBytes(subject string, n int) matchup {
	s := strings.Repeat("b", n)
	return matchup{subject: subject, forms: []contestant{
		repeat("[]byte(s)", func(int) uint64 { keptBytes = []byte(s); return lengthOf(keptBytes) }),
		repeat(copyless, func(int) uint64 {
			keptBytes = unsafe.Slice(unsafe.StringData(s), len(s))
			return lengthOf(keptBytes)
		}),
	}}
}

// asKey looks up keys as a parser has them: pieces of a buffer.
func asKey() matchup {
	const keys = 64
	set, buffer := make(map[string]uint64), []byte{}
	for i := range keys {
		key := fmt.Sprintf("attribute-%05d", i)
		set[key], buffer = uint64(i), append(buffer, key...)
	}
	length := len(buffer) / keys
	piece := func(i int) []byte { return buffer[i%keys*length:][:length] }
	return matchup{subject: conversionKey, forms: []contestant{
		repeat("string(b)", func(i int) uint64 { return set[string(piece(i))] }),
		repeat(copyless, func(i int) uint64 { b := piece(i); return set[unsafe.String(&b[0], len(b))] }),
	}}
}

// lengthOf depends on the length and on the last byte.
func lengthOf[T string | []byte](s T) uint64 { return uint64(len(s)) + uint64(s[len(s)-1]) }
