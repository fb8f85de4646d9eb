package main

import "github.com/bmatcuk/doublestar/v2"

func work() func() {
	patterns := []string{"**/*.go", "src/**/testdata/*.json", "{a,b,vendor}/**", "docs/**/*.md"}
	names := []string{"src/pkg/sub/file.go", "src/a/b/c/testdata/x.json", "vendor/github.com/x/y/z.go", "README.md"}
	return func() {
		n := 0
		for _, p := range patterns {
			for _, f := range names {
				ok, err := doublestar.Match(p, f)
				check(err)
				if ok {
					n++
				}
			}
		}
		sink = n
	}
}
