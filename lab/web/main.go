// Web builds the scripts of Casebook's pages from their TypeScript.
//
// The problem: browsers read no TypeScript, and each page carries its whole script, so that it should be small. Who
// builds or tests Casebook should not need Node for it. esbuild does both and is a Go package; what it makes is
// committed. It drops types without a look at them: .ci/types has tsc check them.
//
//	make web           writes what is out of date
//	go run . -check    fails when something is, which `make check` asks
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// A script is what is made of a file and those that it imports. Its paths are in the repository.
type script struct {
	from, to string
	global   string // the name under which a page gets what the file exports; "" for nothing
}

// scripts are all: those of app/report's pages, that of a service's page, and one that a test holds to Go.
var scripts = []script{
	{from: "app/report/web/main.ts", to: "app/report/assets/script/main.js"},
	{from: "app/report/web/comparison.ts", to: "app/report/assets/script/comparison.js"},
	{from: "app/report/web/profile.ts", to: "app/report/assets/script/profile.js"},
	{from: "app/report/web/search.ts", to: "app/report/assets/script/search.js"},
	{from: "app/server/web/folds.ts", to: "app/server/assets/folds.js"},
	{from: "app/server/web/live.ts", to: "app/server/assets/live.js"},
	{from: "app/report/web/format.ts", to: "app/report/testdata/format.js", global: "format"},
}

func main() {
	root := flag.String("root", "../..", "the repository's `folder`")
	check := flag.Bool("check", false, "write nothing, and fail when a script is out of date")
	flag.Parse()
	if err := run(*root, *check); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run builds all scripts, and writes or compares them.
func run(root string, check bool) error {
	var errs []error
	for _, s := range scripts {
		made, err := s.build(root)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		file := filepath.Join(root, s.to)
		have, err := os.ReadFile(file)
		switch {
		case err == nil && bytes.Equal(have, made):
		case check:
			errs = append(errs, fmt.Errorf("%s is not what %s makes: make web", s.to, s.from))
		default:
			fmt.Println(s.to, len(made), "bytes")
			errs = append(errs, write(file, made))
		}
	}
	return errors.Join(errs...)
}

func write(file string, made []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, made, 0o644)
}

// build returns a script: one function's body, so that nothing of it is global, in lines short enough for a diff.
func (s script) build(root string) ([]byte, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	result := api.Build(api.BuildOptions{
		AbsWorkingDir: root,
		EntryPoints:   []string{s.from},
		Bundle:        true,
		Format:        api.FormatIIFE,
		GlobalName:    s.global,
		Platform:      api.PlatformBrowser,
		// What the pages use of the language and need at least: Chromium 97, Firefox 104, Safari 15.4.
		Target:            api.ES2022,
		Charset:           api.CharsetUTF8,
		MinifyWhitespace:  true,
		MinifySyntax:      true,
		MinifyIdentifiers: true,
		LineLimit:         120,
		LegalComments:     api.LegalCommentsNone,
		Banner:            map[string]string{"js": "// Made of " + s.from + " by `make web`."},
		// No tsconfig.json that happens to lie around counts.
		TsconfigRaw: `{"compilerOptions": {"strict": true}}`,
		LogLevel:    api.LogLevelSilent,
	})
	if len(result.Errors)+len(result.Warnings) > 0 {
		texts := append(api.FormatMessages(result.Errors, api.FormatMessagesOptions{Kind: api.ErrorMessage}),
			api.FormatMessages(result.Warnings, api.FormatMessagesOptions{Kind: api.WarningMessage})...)
		return nil, fmt.Errorf("building %s:\n%s", s.from, strings.Join(texts, ""))
	}
	return result.OutputFiles[0].Contents, nil
}
