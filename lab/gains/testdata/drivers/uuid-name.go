package main

import "github.com/gofrs/uuid/v5"

func work() func() {
	names := []string{"https://example.com/", "https://example.com/a/long/path?with=query", "x"}
	return func() {
		for _, n := range names {
			sink = uuid.NewV5(uuid.NamespaceURL, n)
		}
	}
}
