package main

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark"
)

func work() func() {
	text := []byte(strings.Repeat("[a link](https://example.com) and [an [open one, ", 150) + "\n\nA paragraph.\n")
	md := goldmark.New()
	return func() {
		var b bytes.Buffer
		check(md.Convert(text, &b))
		sink = b.Len()
	}
}
