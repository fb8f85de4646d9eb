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

// Inconsistent data is reported as damaged, and the message says what is wrong.
func TestProtoRefuses(t *testing.T) {
	valid := func() *profile.Profile {
		fn := &profile.Function{ID: 1, Name: "main.main", Filename: "main.go"}
		loc := &profile.Location{ID: 1, Line: []profile.Line{{Function: fn, Line: 3}}}
		return &profile.Profile{
			SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
			Function:   []*profile.Function{fn}, Location: []*profile.Location{loc},
			Sample: []*profile.Sample{{Location: []*profile.Location{loc}, Value: []int64{1, 10}}},
		}
	}
	for _, c := range []struct {
		name   string
		broken func([]byte) []byte
		want   string
	}{
		{"an address that is not there", appended(crafted(0x12, []byte{0x08, 0x07, 0x10, 0x01, 0x10, 0x01})),
			"no address 7"},
		{"values missing", appended(crafted(0x12, []byte{0x08, 0x01, 0x10, 0x01})), "1 values, there are 2"},
		{"a function that is not there", appended(crafted(0x22, []byte{0x08, 0x02, 0x22, 0x02, 0x08, 0x09})),
			"no function 9"},
		{"an address twice", appended(crafted(0x22, []byte{0x08, 0x01})), "an address without an ID of its own"},
		{"a function twice", appended(crafted(0x2a, []byte{0x08, 0x01})), "a function without an ID of its own"},
		{"a string that is not there", appended(crafted(0x2a, []byte{0x08, 0x05, 0x10, 0x7f})), "no string 127"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var plain strings.Builder
			if err := valid().WriteUncompressed(&plain); err != nil {
				t.Fatal(err)
			}
			if s := mustRead(t, "cpu", []byte(plain.String())); len(s.Samples) != 1 {
				t.Fatalf("the profile is no good before: %d samples", len(s.Samples))
			}
			_, err := NewTable("").Read(Source{Name: "cpu"}, c.broken([]byte(plain.String())))
			if err == nil || !strings.Contains(err.Error(), "damaged") || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want damaged: %s", err, c.want)
			}
		})
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

func appended(record []byte) func([]byte) []byte {
	return func(b []byte) []byte { return append(b, record...) }
}

// A frame is inlined if all addresses that have it say so.
func TestInlined(t *testing.T) {
	fn := func(id uint64, name string) *profile.Function {
		return &profile.Function{ID: id, Name: name, Filename: "main.go"}
	}
	outer, small, both := fn(1, "main.outer"), fn(2, "main.small"), fn(3, "main.both")
	inlinedIn := &profile.Location{ID: 1, Line: []profile.Line{{Function: small, Line: 2}, {Function: both, Line: 3},
		{Function: outer, Line: 9}}}
	calledIn := &profile.Location{ID: 2, Line: []profile.Line{{Function: both, Line: 3}}}
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "cpu", Unit: "nanoseconds"}},
		Function: []*profile.Function{outer, small, both}, Location: []*profile.Location{inlinedIn, calledIn},
		Sample: []*profile.Sample{{Location: []*profile.Location{inlinedIn}, Value: []int64{1}},
			{Location: []*profile.Location{calledIn}, Value: []int64{1}}}}
	var b strings.Builder
	if err := p.WriteUncompressed(&b); err != nil {
		t.Fatal(err)
	}
	s := mustRead(t, "cpu", []byte(b.String()))
	for _, frame := range s.Samples[0].Stack {
		name := s.Table.Func(frame).Name
		if got := s.Table.Inlined(frame); got != (name == "main.small") {
			t.Errorf("%s is inlined: %v", name, got)
		}
	}
	if s.Table.Inlined(NoFrame) {
		t.Error("no frame is inlined")
	}
}

// Time at an address without a line belongs to the function at that address, and not to the function that called it.
func TestProtoAddressWithoutLine(t *testing.T) {
	fn := &profile.Function{ID: 1, Name: "main.main", Filename: "main.go"}
	lib := &profile.Mapping{ID: 1, File: "/usr/lib/libvips.so.42"}
	caller := &profile.Location{ID: 1, Line: []profile.Line{{Function: fn, Line: 3}}}
	for _, c := range []struct {
		name string
		leaf *profile.Location
		want string
	}{
		{"in a library", &profile.Location{ID: 2, Address: 0x1000, Mapping: lib}, "[libvips.so.42]"},
		{"anywhere", &profile.Location{ID: 2, Address: 0x1000}, "[unknown]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &profile.Profile{
				SampleType: []*profile.ValueType{{Type: "cpu", Unit: "nanoseconds"}}, Mapping: []*profile.Mapping{lib},
				Function: []*profile.Function{fn}, Location: []*profile.Location{caller, c.leaf},
				Sample: []*profile.Sample{{Location: []*profile.Location{c.leaf, caller}, Value: []int64{1}}},
			}
			var b strings.Builder
			if err := p.WriteUncompressed(&b); err != nil {
				t.Fatal(err)
			}
			s := mustRead(t, "cpu", []byte(b.String()))
			if got := s.Table.Func(s.Samples[0].Stack[0]).Name; got != c.want || !IsNameless(got) ||
				len(s.Samples[0].Stack) != 2 {
				t.Errorf("the leaf of %d frames is %q, want %q of 2", len(s.Samples[0].Stack), got, c.want)
			}
		})
	}
}
