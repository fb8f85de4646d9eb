package stacks

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/internal/checkout"
	"github.com/gocasebook/casebook/internal/profiletest"
	"github.com/gocasebook/casebook/internal/race"
)

// theirs lists a profile's samples as google/pprof reads them: values, and the stack as plain names with lines.
func theirs(t *testing.T, data []byte) []string {
	t.Helper()
	p, err := profile.ParseUncompressed(data)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, s := range p.Sample {
		var b strings.Builder
		fmt.Fprint(&b, s.Value)
		for _, l := range s.Location {
			if len(l.Line) == 0 {
				fmt.Fprintf(&b, " %s@:0", Nameless(filepath.Base(l.Mapping.File)))
			}
			for _, line := range l.Line {
				fmt.Fprintf(&b, " %s@%s:%d", plainName(line.Function.Name), line.Function.Filename, line.Line)
			}
		}
		out = append(out, b.String())
	}
	return out
}

// ours lists the same as this package reads it, before anything is left out or completed.
func ours(t *testing.T, data []byte) []string {
	t.Helper()
	p, err := decodeProto(data)
	if err != nil {
		t.Fatal(err)
	}
	table := NewTable("")
	locations, err := p.frames(table)
	if err != nil {
		t.Fatal(err)
	}
	d := sampleDecoder{locations: locations, width: len(p.types), most: maxFrames}
	var out []string
	err = eachField(data, func(f field) error {
		if f.num != fieldSample {
			return nil
		}
		stack, values, err := d.decode(f.data)
		var b strings.Builder
		fmt.Fprint(&b, values)
		for _, id := range stack {
			fmt.Fprintf(&b, " %s@%s:%d", table.Func(id).Name, table.Func(id).File, table.Line(id))
		}
		out = append(out, b.String())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Every profile that is recorded for the tests is read as google/pprof reads it.
func TestProtoAgrees(t *testing.T) {
	checkout.Need(t)
	files := 0
	check := func(name string, data []byte) {
		if files++; !race.Part(files) {
			return
		}
		plain, p := decompress(data, MaxProfile)
		if p != nil {
			t.Fatalf("%s: %v", name, p)
		}
		if got, want := ours(t, plain), theirs(t, plain); !slices.Equal(got, want) {
			t.Errorf("%s reads otherwise than by google/pprof: %d samples, want %d", name, len(got), len(want))
		}
	}
	check("random stacks", profiletest.CPU(t, 3000, 25))
	set := checkout.Evidence(t)
	cases, err := set.Cases("*/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range cases {
		for file, data := range checkout.Case(t, name) {
			if strings.HasSuffix(file, ".pb.gz") {
				check(name+"/"+file, data)
			}
		}
	}
	if files < 20 {
		t.Errorf("%d profiles compared, want 20 and more", files)
	}
}

// A long name is cut. A name that many functions share costs its length once, and is refused when that is too much.
func TestProtoLongNames(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	data := crafted(0x0a, []byte{0x08, 0x01, 0x10, 0x01})
	data = append(data, crafted(0x32, nil)...)
	data = append(data, crafted(0x32, []byte(long))...)
	data = append(data, crafted(0x12, []byte{0x10, 0x01})...)
	const fit = maxNames / (2 * maxName) // functions with two names
	for id := range uint64(fit) {
		data = append(data, crafted(0x2a, append(numbered(1, id+1), 0x10, 0x01, 0x20, 0x01))...)
	}
	p, err := decodeProto(data)
	if err != nil || len(p.functions) != fit || len(p.functions[0].name) != maxName {
		t.Fatalf("%d functions with two names of a megabyte: %v; want them, with names of %d bytes", fit, err, maxName)
	}
	data = append(data, crafted(0x2a, append(numbered(1, fit+1), 0x10, 0x01, 0x20, 0x01))...)
	if _, err := decodeProto(data); err == nil || !strings.Contains(err.Error(), "names longer") {
		t.Errorf("one more: error %v, want that they are too long", err)
	}
}
