package main

import "github.com/mattn/go-runewidth"

func work() func() {
	c := runewidth.NewCondition()
	rows := []string{"plain ascii text in a cell", "größer äöü", "日本語のテキスト", "mixed 日本 and ascii ⌘"}
	return func() {
		n := 0
		for _, row := range rows {
			for _, r := range row {
				n += c.RuneWidth(r)
			}
		}
		sink = n
	}
}
