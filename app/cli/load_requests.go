package cli

import (
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/load/targets"
	"github.com/gocasebook/casebook/app/openfile"
)

// requests returns the targets, and the set that makes requests from them.
func (f *loadFlags) requests(cmd *cobra.Command, args []string) ([]targets.Target, *targets.Set, error) {
	opt := targets.Options{Random: f.csvRandom, Seed: f.seed, Plain: f.plain, Header: make(http.Header)}
	for _, h := range f.headers {
		name, value, err := targets.ParseHeader(h)
		if err != nil {
			return nil, nil, fmt.Errorf("--header: %w", err)
		}
		opt.Header.Add(name, value)
	}
	if f.csv != "" {
		var err error
		if opt.Table, err = targets.ReadTableFile(f.csv); err != nil {
			return nil, nil, fmt.Errorf("--csv: %w", err)
		}
	}
	list, err := f.list(cmd, args)
	if err != nil {
		return nil, nil, err
	}
	what := ""
	if f.targets != "" {
		what = f.targets + ": "
		if len(args) > 0 {
			opt.Base = casework.WithScheme(args[0])
		}
	}
	set, err := targets.Compile(list, opt)
	if err != nil {
		return nil, nil, fmt.Errorf("%s%w", what, err)
	}
	return list, set, nil
}

// list returns the targets in the file, or the one on the command line.
func (f *loadFlags) list(cmd *cobra.Command, args []string) ([]targets.Target, error) {
	if f.targets == "" {
		return f.single(args)
	}
	if f.method != "" || f.body != "" {
		return nil, errors.New("--method and --body are for URL: with --targets, write them in the file")
	}
	if f.targets == "-" {
		list, err := targets.Parse(cmd.InOrStdin(), ".")
		if err != nil {
			return nil, fmt.Errorf("standard input: %w", err)
		}
		return list, nil
	}
	r, err := openfile.Open(f.targets)
	if err != nil {
		return nil, fmt.Errorf("--targets: %w", err)
	}
	defer r.Close() // it was only read
	list, err := targets.Parse(r, filepath.Dir(f.targets))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.targets, err)
	}
	return list, nil
}

// single returns the target on the command line.
func (f *loadFlags) single(args []string) ([]targets.Target, error) {
	if len(args) == 0 {
		return nil, errors.New("casebook load needs a URL or --targets FILE, for instance: " +
			"casebook load --rate 500 http://127.0.0.1:8080/")
	}
	t := targets.Target{Method: f.method, URL: casework.WithScheme(args[0]), Body: []byte(f.body)}
	if path, ok := strings.CutPrefix(f.body, "@"); ok {
		body, err := targets.ReadBody(path, ".")
		if err != nil {
			return nil, fmt.Errorf("--body: %w", err)
		}
		t.Body = body
	}
	if t.Method == "" {
		t.Method = http.MethodGet
		if len(t.Body) > 0 || strings.HasPrefix(t.URL, "grpc") {
			t.Method = http.MethodPost
		}
	}
	return []targets.Target{t}, nil
}
