// Package typescript declares in TypeScript what Go writes as JSON. Only tests import it.
//
// The problem: a page's script reads what a Go struct was encoded as, and a field that is renamed on one side is
// undefined on the other. The approach: interfaces are made of the structs by reflection and committed; a test fails
// where they differ, and tsc where a script reads something else. The limits: encoding/json's rules for tags as far as
// the pages use them. A type with a MarshalJSON of its own must be named.
package typescript

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Interfaces is a module with an interface for each struct that the values of roots are made of. exact has types that
// reflection does not know: of fields, by the interface's name and the field's (FlameData.funcs), and of Go types with a
// MarshalJSON, by their name (jsonFloat). All of it must be used.
func Interfaces(header string, exact map[string]string, roots ...any) (string, error) {
	m := &module{exact: exact, used: make(map[string]bool), known: make(map[reflect.Type]bool)}
	m.text.WriteString(header)
	for _, r := range roots {
		m.declare(reflect.TypeOf(r))
	}
	for len(m.open) > 0 {
		next := m.open[0]
		m.open = m.open[1:]
		m.write(next)
	}
	for _, name := range slices.Sorted(maps.Keys(exact)) {
		if !m.used[name] {
			m.errs = append(m.errs, fmt.Sprintf("nothing is called %s", name))
		}
	}
	if len(m.errs) > 0 {
		return "", fmt.Errorf("declaring in TypeScript: %s", strings.Join(m.errs, "; "))
	}
	return m.text.String(), nil
}

// A module is being written.
type module struct {
	text  strings.Builder
	exact map[string]string
	used  map[string]bool // of exact
	known map[reflect.Type]bool
	open  []reflect.Type // that are named and not written yet
	errs  []string
}

// declare returns the name of a struct's interface, and has it written.
func (m *module) declare(t reflect.Type) string {
	if !m.known[t] {
		m.known[t] = true
		m.open = append(m.open, t)
	}
	return strings.ToUpper(t.Name()[:1]) + t.Name()[1:]
}

func (m *module) write(t reflect.Type) {
	name := m.declare(t)
	fmt.Fprintf(&m.text, "\nexport interface %s {\n", name)
	m.fields(t, name)
	m.text.WriteString("}\n")
}

func (m *module) fields(t reflect.Type, of string) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-" || !f.IsExported() && !f.Anonymous:
			continue
		case f.Anonymous && name == "":
			m.fields(f.Type, of)
			continue
		case name == "":
			name = f.Name
		}
		typ, mark := m.typeOf(f.Type), ""
		if strings.Contains(options, "omit") {
			typ, mark = strings.TrimSuffix(typ, orNull), "?"
		}
		if exact, ok := m.exact[of+"."+name]; ok {
			typ, m.used[of+"."+name] = exact, true
		}
		fmt.Fprintf(&m.text, "  %s%s: %s;\n", name, mark, typ)
	}
}

// orNull is what Go makes of a nil slice, map or pointer.
const orNull = " | null"

var (
	marshaler = reflect.TypeFor[json.Marshaler]()
	clock     = reflect.TypeFor[time.Time]()
)

func (m *module) typeOf(t reflect.Type) string {
	if exact, ok := m.exact[t.Name()]; ok && t.Name() != "" {
		m.used[t.Name()] = true
		return exact
	}
	if t == clock {
		return "string"
	}
	if t.Implements(marshaler) {
		m.errs = append(m.errs, fmt.Sprintf("%s has a MarshalJSON: name its type", t))
	}
	switch t.Kind() {
	case reflect.Bool:
		return "boolean"
	case reflect.String:
		return "string"
	case reflect.Struct:
		return m.declare(t)
	case reflect.Pointer:
		return m.typeOf(t.Elem()) + orNull
	case reflect.Slice:
		return list(m.typeOf(t.Elem())) + orNull
	case reflect.Array:
		return "[" + strings.TrimSuffix(strings.Repeat(m.typeOf(t.Elem())+", ", t.Len()), ", ") + "]"
	case reflect.Map:
		return "Record<string, " + m.typeOf(t.Elem()) + ">" + orNull
	case reflect.Interface:
		return "unknown"
	}
	if t.ConvertibleTo(reflect.TypeFor[float64]()) {
		return "number"
	}
	m.errs = append(m.errs, fmt.Sprintf("%s is not of JSON", t))
	return "never"
}

func list(of string) string {
	if strings.Contains(of, " ") {
		return "(" + of + ")[]"
	}
	return of + "[]"
}
