package ads

import (
	"reflect"
	"strconv"
)

// appendReflected writes the fields of a line as its type lists them.
func appendReflected(to []byte, l *reportLine) []byte {
	v := reflect.ValueOf(*l)
	t := v.Type()
	to = append(to, '{')
	for i := range t.NumField() {
		if i > 0 {
			to = append(to, ',')
		}
		to = append(strconv.AppendQuote(to, t.Field(i).Tag.Get("report")), ':')
		switch f := v.Field(i); f.Kind() {
		case reflect.String:
			to = strconv.AppendQuote(to, f.String())
		case reflect.Bool:
			to = strconv.AppendBool(to, f.Bool())
		default:
			to = strconv.AppendInt(to, f.Int(), 10)
		}
	}
	return append(to, "}\n"...)
}
