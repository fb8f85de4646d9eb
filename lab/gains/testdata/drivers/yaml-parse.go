package main

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
)

func work() func() {
	var b strings.Builder
	for i := 0; i < 60; i++ {
		fmt.Fprintf(&b, "service%d:\n  image: registry/app:%d\n  ports:\n    - \"80%02d:80\"\n    - 443\n"+
			"  environment:\n    DEBUG: \"false\"\n    LEVEL: info\n  replicas: %d\n", i, i, i, i)
	}
	text := []byte(b.String())
	return func() {
		var v map[string]interface{}
		check(yaml.Unmarshal(text, &v))
		sink = v
	}
}
