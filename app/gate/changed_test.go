package gate

import (
	"testing"

	"github.com/gocasebook/casebook/app/revision"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

const beforeSource = `package codec

// Valid reports whether data is JSON.
func Valid(data []byte) bool { return validobject(data) }

func validobject(data []byte) bool { return len(data) > 0 }

type Tree[K comparable] struct{ root *K }

func (t *Tree[K]) Get(k K) *K { return t.root }

type point struct{ x, y int }

func (p point) Len() int { return p.x }

func Each(fs []func()) {
	for _, f := range fs {
		f()
	}
}

func gone() {}
`

const afterSource = `package codec

// Valid reports whether data is JSON: its comment is another one.
func Valid(data []byte) bool { return validobject(data) }

func validobject(data []byte) bool { return len(data) > 0 }

type Tree[K comparable] struct{ root *K }

func (t *Tree[K]) Get(k K) *K { _ = k; return t.root }

type point struct{ x, y int }

func (p point) Len() int { return p.x + p.y }

func Each(fs []func()) {
	for _, f := range fs {
		go func() { f() }()
	}
}

func Parse(data []byte) bool { return Valid(data) }
`

// TestChangedFunctions: functions whose text differs are found under the names that profiles have for them, also their
// closures. A change of a comment, and a function of the same name elsewhere, are not.
func TestChangedFunctions(t *testing.T) {
	r := newModule(t, map[string]string{"codec/codec.go": beforeSource,
		"codec/other.go": "package codec\n\nfunc moved() int { return 1 }\n",
		"far/codec.go":   "package far\n\nfunc Parse() {}\n"})
	r.write("codec/codec.go", afterSource+"\nfunc moved() int { return 1 }\n")
	r.write("codec/other.go", "package codec\n")
	g := &gate{Config: Config{Dir: r.dir, Progress: testWriter{t}}}
	var err error
	if g.base, err = checkOut(t, r, "main"); err != nil {
		t.Fatal(err)
	}
	if g.head, err = checkOut(t, r, "."); err != nil {
		t.Fatal(err)
	}
	c := g.changed(t.Context())
	const file = "example.com/shop/codec/codec.go"
	for _, f := range []struct {
		name, file string
		want       bool
	}{
		{"example.com/shop/codec.Parse", file, true},
		{"example.com/shop/codec.Parse.func1", file, true},
		{"example.com/shop/codec.(*Tree[...]).Get", file, true},
		{"example.com/shop/codec.point.Len", file, true},
		{"example.com/shop/codec.Each.func1", file, true},
		{"example.com/shop/codec.Each.gowrap1", file, true},
		{"example.com/shop/codec.gone", file, true},
		{"example.com/shop/codec.Each", "/home/me/shop/codec/codec.go", true}, // without -trimpath
		{"example.com/shop/codec.Valid", file, false},
		{"example.com/shop/codec.validobject", file, false},
		{"example.com/shop/codec.moved", file, false},
		{"example.com/shop/far.Parse", "example.com/shop/far/codec.go", false},
		{"encoding/json.Parse", "encoding/json/decode.go", false},
		{"runtime.memmove", "runtime/memmove_amd64.s", false},
		{"main", "", false},
	} {
		if got := c.has(&stacks.Func{Name: f.name, File: f.file}); got != f.want {
			t.Errorf("%s of %s changed: %v, want %v", f.name, f.file, got, f.want)
		}
	}
}

func checkOut(t *testing.T, r *repo, name string) (*revision.Tree, error) {
	t.Helper()
	tree, err := revision.CheckOut(t.Context(), r.dir, name)
	if err == nil {
		t.Cleanup(func() { _ = tree.Close() }) // a test's own folder
	}
	return tree, err
}

func TestBlamesNameTheChangedFunction(t *testing.T) {
	before := shares{of: map[string]float64{"Get": 1}, in: map[string]map[string]float64{"Get": {"Get": 1}},
		changed: map[string]bool{"Get": true}}
	after := shares{of: map[string]float64{"Get": 1},
		in:      map[string]map[string]float64{"Get": {"Get": 0.4, "validobject": 0.6}},
		changed: map[string]bool{"Get": true}}
	b := blames(before, after, 1e-6, 2e-6)
	if len(b) != 1 || b[0].Function != "Get" || b[0].In != "validobject" || !b[0].Changed {
		t.Fatalf("%+v, want Get, which changed, in validobject", b)
	}
	if got, want := b[0].text("sec/op"), "Get, which changed, in validobject: 1.000µs/op → 2.000µs/op"; got != want {
		t.Errorf("it reads %q, want %q", got, want)
	}
}
