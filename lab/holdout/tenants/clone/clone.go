// Package clone copies values of any type, deep.
package clone

import "reflect"

// Of is a copy of v that shares nothing with it.
func Of[T any](v T) T {
	return deep(reflect.ValueOf(v)).Interface().(T)
}

func deep(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return v
		}
		p := reflect.New(v.Elem().Type())
		p.Elem().Set(deep(v.Elem()))
		return p
	case reflect.Map:
		m := reflect.MakeMapWithSize(v.Type(), v.Len())
		for it := v.MapRange(); it.Next(); {
			m.SetMapIndex(it.Key(), deep(it.Value()))
		}
		return m
	case reflect.Slice:
		s := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			s.Index(i).Set(deep(v.Index(i)))
		}
		return s
	case reflect.Struct:
		t := reflect.New(v.Type()).Elem()
		for i := range v.NumField() {
			t.Field(i).Set(deep(v.Field(i)))
		}
		return t
	}
	return v
}
