package splitone

import (
	"bytes"
	"strings"
)

func first(s string) string {
	host := strings.Split(s, ":")[0] // want `only the first field is used`
	return host
}

func again(s string) string {
	s = strings.Split(s, ";")[0] // want `only the first field is used`
	return s
}

func returned(s string) string { return strings.Split(s, ",")[0] } // want `only the first field is used`

func ofBytes(b []byte) []byte {
	f := bytes.Split(b, []byte(","))[0] // want `only the first field is used`
	return f
}

func variable(s string) string {
	parts := strings.Split(s, "/") // want `only the first field is used`
	return strings.ToLower(parts[0])
}

func last(s string) string {
	parts := strings.Split(s, "/") // want `only the last field is used`
	return parts[len(parts)-1]
}

// What follows is fine.

func second(s string) string { return strings.Split(s, ":")[1] }

func two(s string) (string, string) {
	parts := strings.Split(s, ":")
	return parts[0], parts[len(parts)-1]
}

func checked(s string) string {
	parts := strings.Split(s, ":")
	if len(parts) != 2 {
		return ""
	}
	return parts[0]
}

func empty(s string) string { return strings.Split(s, "")[0] }

func unknown(s, sep string) string { return strings.Split(s, sep)[0] }

func all(s string) []string { return strings.Split(s, ",") }

func rest(s string) []string {
	parts := strings.Split(s, ",")
	return parts[1:]
}

const version = "1.2.3-rc1"

func major() string { return strings.Split(strings.Split(version, "-")[0], ".")[0] }
