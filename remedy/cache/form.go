package cache

import (
	"errors"
	"fmt"
	"reflect"
	"unsafe"
)

// A Codec turns values of a type into bytes and back.
type Codec[T any] struct {
	// Name identifies the format in a saved file. A file of another name is not loaded. Default: the type's name.
	Name string

	// Append appends the bytes of v to b. Equal keys must have equal bytes.
	Append func(b []byte, v T) ([]byte, error)

	// Decode is the reverse. It must neither change b nor keep it.
	Decode func(b []byte) (T, error)
}

// A form is how values of T are kept as bytes.
type form[T any] struct {
	layout layout
	size   int    // of fixed
	name   string // in a saved file
	codec  Codec[T]
}

type layout uint8

const (
	text    layout = iota // a string: its bytes
	blob                  // a byte slice: its bytes
	fixed                 // a type without pointers: its memory
	encoded               // by a codec
)

// formOf finds the form of a type. isKey asks for one in which equal values have equal bytes.
func formOf[T any](codec *Codec[T], isKey bool) (form[T], error) {
	t := reflect.TypeFor[T]()
	if codec != nil {
		if codec.Append == nil || codec.Decode == nil {
			return form[T]{}, errors.New("the codec lacks Append or Decode: it needs both")
		}
		f := form[T]{layout: encoded, codec: *codec, name: codec.Name}
		if f.name == "" {
			f.name = "codec of " + t.String()
		}
		return f, nil
	}
	switch {
	case t.Kind() == reflect.String:
		return form[T]{layout: text, name: "string"}, nil
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
		return form[T]{layout: blob, name: "bytes"}, nil
	}
	if err := flat(t, isKey); err != nil {
		return form[T]{}, fmt.Errorf("type %v: %w; give a codec", t, err)
	}
	return form[T]{layout: fixed, size: int(t.Size()), name: describe(t)}, nil
}

// flat says why a value of that type is not its own bytes.
func flat(t reflect.Type, isKey bool) error {
	switch t.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return nil
	case reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		if isKey {
			return errors.New("a floating-point key has equal values with different bytes, 0 and -0")
		}
		return nil
	case reflect.Array:
		return flat(t.Elem(), isKey)
	case reflect.Struct:
		return flatStruct(t, isKey)
	}
	return fmt.Errorf("a %v is kept by a pointer", t.Kind())
}

func flatStruct(t reflect.Type, isKey bool) error {
	end := uintptr(0)
	for i := range t.NumField() {
		f := t.Field(i)
		if err := flat(f.Type, isKey); err != nil {
			return fmt.Errorf("field %s: %w", f.Name, err)
		}
		if isKey && (f.Offset != end || f.Name == "_") {
			return fmt.Errorf("field %s: before it is padding, whose bytes are not defined", f.Name)
		}
		end = f.Offset + f.Type.Size()
	}
	if isKey && end != t.Size() {
		return errors.New("at its end is padding, whose bytes are not defined")
	}
	return nil
}

// describe is a flat type with its fields, so that a saved file with another layout is noticed.
func describe(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Struct:
		s := "struct{"
		for i := range t.NumField() {
			f := t.Field(i)
			s += fmt.Sprintf("%s@%d %s;", f.Name, f.Offset, describe(f.Type))
		}
		return s + "}"
	case reflect.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), describe(t.Elem()))
	}
	return fmt.Sprintf("%v of %d bytes", t.Kind(), t.Size())
}

// view is the bytes of a value: a view of it, or in a buffer of the codec. The caller must not change them.
func (f *form[T]) view(v *T, buffer *[]byte) ([]byte, error) {
	switch f.layout {
	case text:
		s := *(*string)(unsafe.Pointer(v))
		return unsafe.Slice(unsafe.StringData(s), len(s)), nil
	case blob:
		return *(*[]byte)(unsafe.Pointer(v)), nil
	case fixed:
		return unsafe.Slice((*byte)(unsafe.Pointer(v)), f.size), nil
	}
	b, err := f.codec.Append((*buffer)[:0], *v)
	if err != nil {
		return nil, fmt.Errorf("encoding a %T: %w", *v, err)
	}
	*buffer = b
	return b, nil
}

// decode makes a value of a record's bytes. A string is a view of them, which never change.
func (f *form[T]) decode(b []byte) (v T, err error) {
	switch f.layout {
	case text:
		*(*string)(unsafe.Pointer(&v)) = unsafe.String(unsafe.SliceData(b), len(b))
	case blob:
		*(*[]byte)(unsafe.Pointer(&v)) = append([]byte{}, b...)
	case fixed:
		if copied := copy(unsafe.Slice((*byte)(unsafe.Pointer(&v)), f.size), b); copied != f.size {
			return v, fmt.Errorf("decoding a %T: %d bytes, want %d", v, len(b), f.size)
		}
	case encoded:
		if v, err = f.codec.Decode(b); err != nil {
			return v, fmt.Errorf("decoding a %T: %w", v, err)
		}
	}
	return v, nil
}
