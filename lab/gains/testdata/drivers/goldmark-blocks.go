package main

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark"
)

func work() func() {
	text := []byte(strings.Repeat("# A title\n\nA paragraph with *emphasis*, `code` and a [link](https://example.com).\n\n"+
		"- one\n- two\n  - nested\n\n> quoted text\n\n```go\nfunc main() {}\n```\n\n", 20))
	md := goldmark.New()
	return func() {
		var b bytes.Buffer
		check(md.Convert(text, &b))
		sink = b.Len()
	}
}
