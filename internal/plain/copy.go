package plain

import "reflect"

// Copy is v with every string in it made plain by Text: for a printer that takes a whole value of a case apart. It
// shares no memory with v, except for what is in fields that are not exported.
func Copy[T any](v T) T {
	out := reflect.New(reflect.TypeFor[T]()).Elem()
	out.Set(reflect.ValueOf(&v).Elem())
	clean(out)
	return out.Interface().(T)
}

// clean changes a value that may be set; what it points to is copied first.
func clean(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(Text(v.String()))
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() {
				clean(f)
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			clean(v.Index(i))
		}
	case reflect.Slice:
		if v.IsNil() {
			return
		}
		fresh := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(fresh, v)
		v.Set(fresh)
		for i := range v.Len() {
			clean(v.Index(i))
		}
	case reflect.Map:
		cleanMap(v)
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		fresh := reflect.New(v.Type().Elem())
		fresh.Elem().Set(v.Elem())
		v.Set(fresh)
		clean(v.Elem())
	}
}

func cleanMap(v reflect.Value) {
	if v.IsNil() {
		return
	}
	fresh := reflect.MakeMapWithSize(v.Type(), v.Len())
	for it := v.MapRange(); it.Next(); {
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		key.Set(it.Key())
		value.Set(it.Value())
		clean(key)
		clean(value)
		fresh.SetMapIndex(key, value)
	}
	v.Set(fresh)
}
