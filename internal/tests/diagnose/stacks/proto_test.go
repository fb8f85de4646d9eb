package stacks_test

import (
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/diagnose/stacks"
)

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
			_, err := stacks.NewTable("").Read(stacks.Source{Name: "cpu"}, c.broken([]byte(plain.String())))
			if err == nil || !strings.Contains(err.Error(), "damaged") || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want damaged: %s", err, c.want)
			}
		})
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
	if s.Table.Inlined(stacks.NoFrame) {
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
			if got := s.Table.Func(s.Samples[0].Stack[0]).Name; got != c.want || !stacks.IsNameless(got) ||
				len(s.Samples[0].Stack) != 2 {
				t.Errorf("the leaf of %d frames is %q, want %q of 2", len(s.Samples[0].Stack), got, c.want)
			}
		})
	}
}
