package main

import (
	"os"
	"strings"
	"testing"
)

func TestExamplesAreWholePrograms(t *testing.T) {
	text, err := os.ReadFile("../../../example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	list, err := examplesOf("example_test.go", text)
	if err != nil || len(list) < 2 {
		t.Fatalf("%d programs, %v; want two or more", len(list), err)
	}
	for _, p := range list {
		for _, want := range []string{"package main\n", "func main() {", `"` + root + `"`} {
			if !strings.Contains(p.source, want) {
				t.Errorf("%s has no %q:\n%s", p.name, want, p.source)
			}
		}
		if p.output == "" {
			t.Errorf("%s prints nothing: running it proves little", p.name)
		}
	}
}

func TestExamplesThatAreNone(t *testing.T) {
	for name, text := range map[string]string{
		"no example":          "package x_test\n\nfunc TestX() {}\n",
		"needs its package":   "package x\n\nfunc ExampleA() { unexported() }\n\nfunc ExampleB() {}\n",
		"is not even Go code": "package",
	} {
		if list, err := examplesOf(name, []byte(text)); err == nil {
			t.Errorf("%s: programs %v, want an error", name, list)
		}
	}
}
