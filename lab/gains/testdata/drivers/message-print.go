package main

import (
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

func work() func() {
	p := message.NewPrinter(language.German)
	return func() {
		sink = p.Sprintf("%d items, %s", 12345, "total")
		sink = p.Sprintf("%v of %v", "page", 3)
	}
}
