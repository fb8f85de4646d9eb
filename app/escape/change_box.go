package escape

import (
	"go/ast"
	"strings"
)

// changeBox is for what becomes an interface: it depends on who takes it.
func (c *candidate) changeBox(f *sourceFile) string {
	if c.alloc != nil && c.alloc.takes != nil {
		name := f.fullName(c.alloc.takes)
		for _, b := range boxers() {
			if name != "" && strings.HasPrefix(name, b.prefix) {
				return b.change
			}
		}
	}
	if c.kind == Variadic {
		return "Call a function with as many parameters, or pass a slice that is kept: f(args...)."
	}
	return "Take the concrete type or a type parameter in place of the interface, or pass a pointer to what lives anyway."
}

// taker is the function that a value becomes an interface for, as people write it; "" if it is not passed to one.
func (c *candidate) taker(f *sourceFile) string {
	if c.alloc == nil || c.alloc.takes == nil {
		return ""
	}
	name, _ := f.callee(&ast.CallExpr{Fun: c.alloc.takes})
	return name
}

// A boxer is a function that takes interfaces, and what takes its place.
type boxer struct{ prefix, change string }

// boxers are looked through in order; the first whose prefix a function's full name has counts.
func boxers() []boxer {
	const (
		format = "Format without package fmt: strconv and +, or strconv.Append… into a []byte that is used again."
		attrs  = "Use LogAttrs with slog.Int, slog.String …, which take no interface; and ask Enabled first where the " +
			"arguments cost."
		less = "Log less often, or with typed fields (slog's LogAttrs): arguments cost even when nobody reads them."
	)
	return []boxer{
		{"fmt.Sp", format},
		{"fmt.App", format},
		{"fmt.Fp", "Write without package fmt: io.WriteString, and strconv.Append… into a []byte that is used again."},
		{"fmt.Errorf", "Make the error once, or format it only when somebody reads it, in its Error method."},
		{"log/slog.", attrs}, {"(*log/slog.Logger)", attrs},
		{"(*go.uber.org/zap.SugaredLogger)", "Use zap.Logger with zap.Int, zap.String …, which take no interface."},
		{"log.", less}, {"(*log.Logger)", less},
		{"sort.Slice", "Use slices.SortFunc, which takes the slice as it is."},
		{"sort.S", "Use slices.Sort or slices.SortFunc, which take the slice as it is."},
		{"(*sync.Pool).Put", "Put a pointer into the pool: a slice or a struct is copied to the heap each time."},
		{"(*sync.Map)", "Keys and values of a sync.Map become interfaces: a map with its own types and a lock has none."},
		{"context.WithValue", "Use a key of type struct{}, and a pointer for the value."},
		{"encoding/json.", "Pass a pointer."},
		{"(*encoding/json.", "Pass a pointer."},
		{"container/heap.", "Write the heap for its own type: container/heap takes each element as an interface."},
		{"(*container/list.List)", "Keep elements in a slice, or a list of their own type: container/list takes " +
			"interfaces."},
		{"(*sync/atomic.Value)", "Use atomic.Pointer[T]."},
		{"encoding/binary.Write", "Use binary.BigEndian.AppendUint32 and the like, which take no interface."},
		{"encoding/binary.Read", "Use binary.BigEndian.Uint32 and the like, which take no interface."},
		{"panic", ""},
	}
}
