package casefile

import (
	"fmt"
	"reflect"
	"testing"
	"time"
)

// sampleCase is a valid case in which no field of any type is zero.
func sampleCase() Case {
	var c Case
	fillValue(reflect.ValueOf(&c).Elem(), new(int))
	c.Schema, c.ID = Schema, "20261121T132512Z-gc-cpu-3f2a9c"
	for i := range c.Evidence {
		e := &c.Evidence[i]
		e.File, e.Bytes, e.SHA256 = fmt.Sprintf("during/cpu-%d.pb.gz", i), 1, someSum
	}
	return c
}

// fillValue sets everything in v to a distinct value.
func fillValue(v reflect.Value, n *int) {
	*n++
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprintf("text %d <&> ü", *n))
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(*n))
	case reflect.Float64:
		v.SetFloat(float64(*n) + 0.25)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fillValue(v.Elem(), n)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fillValue(v.Index(0), n)
		fillValue(v.Index(1), n)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(opened.Add(time.Duration(*n) * time.Millisecond)))
			return
		}
		for i := range v.NumField() {
			fillValue(v.Field(i), n)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf(fmt.Sprintf("key %d", *n)), reflect.ValueOf(fmt.Sprintf("text %d", *n)))
	default:
		panic("sampleCase does not know how to fill a " + v.Type().String())
	}
}

func TestSampleCaseIsFull(t *testing.T) {
	wantFull(t, "Case", reflect.ValueOf(sampleCase()))
}

func wantFull(t *testing.T, path string, v reflect.Value) {
	if v.IsZero() {
		t.Errorf("%s is zero", path)
	}
	switch v.Kind() {
	case reflect.Pointer:
		wantFull(t, path, v.Elem())
	case reflect.Slice:
		wantFull(t, path, v.Index(0))
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type() != reflect.TypeFor[time.Time]() {
				wantFull(t, path+"."+v.Type().Field(i).Name, v.Field(i))
			}
		}
	}
}
