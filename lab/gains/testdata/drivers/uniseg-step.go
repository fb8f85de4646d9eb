package main

import "github.com/rivo/uniseg"

func work() func() {
	text := "Hello, world! Größe: 日本語のテキスト and an emoji 👩‍👩‍👧 with a flag 🇩🇪. The end of it all."
	return func() {
		state, s, n := -1, text, 0
		for len(s) > 0 {
			_, s, _, state = uniseg.StepString(s, state)
			n++
		}
		sink = n
	}
}
