package main

import (
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"
)

func work() func() {
	var b strings.Builder
	b.WriteString("title = \"services\"\n")
	for i := 0; i < 60; i++ {
		fmt.Fprintf(&b, "[service.s%d]\nname = \"service %d\"\naddress = \"10.0.0.%d:8080\"\nenabled = true\n"+
			"tags = [\"a\", \"b\", \"c\\td\"]\nweight = %d\ntimeout = 2.5\n\n", i, i, i, i*10)
	}
	text := b.String()
	return func() {
		var v map[string]interface{}
		_, err := toml.Decode(text, &v)
		check(err)
		sink = v
	}
}
