package fmtcall

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"reflect"
	"sort"
	"strconv"
)

func text(w io.Writer, a string, n int) string {
	fmt.Fprintf(w, "%s=%d\n", a, n)     // want `append with strconv`
	return fmt.Sprintf("%s=%d\n", a, n) // want `append with strconv`
}

type queue string

type colour string

func (c colour) String() string { return "the colour " + string(c) }

func texts(w io.Writer, b []byte, name string, q queue, c colour) string {
	fmt.Fprintf(w, "%s/%s", name, q)                 // want `write them with io.WriteString`
	_ = fmt.Appendf(b, "%s/%v", name, q)             // want `append these strings`
	_ = fmt.Sprintf("paint %s %s", name, c)          // want `append with strconv`
	return fmt.Sprintf("%v:%v:%s", name, q, "tasks") // want `concatenate these strings`
}

func quote(name string) string { return fmt.Sprintf("name=%q", name) } // want `strconv.Quote`

func parse(s string) (a, b int) {
	fmt.Sscanf(s, "%d-%d", &a, &b) // want `parse its parts with strconv`
	return a, b
}

func equal(a, b []int) bool { return reflect.DeepEqual(a, b) } // want `compare the fields`

func field(v any, name string) any {
	return reflect.ValueOf(v).FieldByName(name).Interface() // want `look it up once`
}

func header(w io.Writer, n uint32) error {
	return binary.Write(w, binary.LittleEndian, n) // want `binary.Append`
}

type logger struct{}

func (logger) Debug(msg string, args ...any) {}

func debugs(l logger, all map[string]int) {
	l.Debug("read", "all", fmt.Sprintf("%v", all)) // want `let the logger format it`
}

// What follows is fine.

func passesOn(format string, args ...any) string { return fmt.Sprintf(format, args...) }

func fails(n int) error {
	if n < 0 {
		panic(fmt.Sprintf("n is %d", n))
	}
	if n > 9 {
		return errors.New(fmt.Sprint("too large: ", n))
	}
	return fmt.Errorf("n is %d", n)
}

var banner = fmt.Sprintf("%s %d", "v", 1)

func number(n int) string { return strconv.Itoa(n) }

func init() { fmt.Println("start") }

func order(ns []int) {
	sort.Slice(ns, func(i, j int) bool { return ns[i] < ns[j] })
}

func key(a, b string) string { return fmt.Sprintf("%s/%s", a, b) } // want `concatenate these strings`

func price(w io.Writer, cents int) { fmt.Fprintf(w, "%d.%02d", cents/100, cents%100) } // want `append with strconv`

// These are columns for people, and values as Go writes them.
func row(name string, n int, v any) string {
	return fmt.Sprintf("%-7s|%3d", name, n) + fmt.Sprintf("%#v", v)
}
