package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/doc"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
)

// A program is one file of a user's service.
type program struct {
	name, source, output string
}

// programs are those that a module is proved with: one that imports its packages, and its examples.
func programs(m module, dir string) ([]program, error) {
	list := []program{importer(m)}
	if m.examples == "" {
		return list, nil
	}
	text, err := os.ReadFile(filepath.Join(dir, m.examples))
	if err != nil {
		return nil, err
	}
	examples, err := examplesOf(m.examples, text)
	return append(list, examples...), err
}

// importer imports the packages of a module and does nothing.
func importer(m module) program {
	var b bytes.Buffer
	b.WriteString("package main\n\nimport (\n")
	for _, pkg := range m.imports {
		fmt.Fprintf(&b, "\t_ %q\n", below(m.path(), pkg))
	}
	b.WriteString(")\n\nfunc main() {}\n")
	return program{name: "imports", source: b.String()}
}

// examplesOf makes programs of the examples of a file, as pkg.go.dev's "Run" does.
func examplesOf(name string, text []byte) (list []program, err error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, text, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	for _, e := range doc.Examples([]*ast.File{file}...) {
		if e.Play == nil {
			return nil, fmt.Errorf("%s: Example%s is no program by itself", name, e.Name)
		}
		var b bytes.Buffer
		if err := format.Node(&b, files, e.Play); err != nil {
			return nil, fmt.Errorf("%s: Example%s: %w", name, e.Name, err)
		}
		list = append(list, program{"Example" + e.Name, b.String(), e.Output})
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s has no examples", name)
	}
	return list, nil
}
