package main

import (
	"bytes"
	"io"
	"strings"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/css"
)

func work() func() {
	sheet := []byte("a { font-family: " + strings.Repeat("\"A Font\" , serif , ", 1500) + "sans; }\n")
	return func() {
		p := css.NewParser(parse.NewInput(bytes.NewReader(sheet)), false)
		for {
			gt, _, _ := p.Next()
			if gt == css.ErrorGrammar {
				if p.Err() != io.EOF {
					check(p.Err())
				}
				return
			}
		}
	}
}
