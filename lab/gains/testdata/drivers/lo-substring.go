package main

import "github.com/samber/lo"

func work() func() {
	text := "The quick brown fox jumps over the lazy dog, größer und weiter, and then it sleeps for a long while."
	return func() {
		sink = lo.Substring(text, 4, 11)
		sink = lo.Substring(text, -20, 5)
		sink = lo.Substring(text, 45, 100)
	}
}
