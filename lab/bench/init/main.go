// Command init tries casebook init on services of public projects: `go run ./lab/bench/init` prints the table of
// docs/evidence/init.md.
//
// Each service is copied from the module cache, changed from outside and, in another copy, from inside by this checkout,
// built, started on the loopback interface, and asked for profiles. It takes the module proxy, and ten minutes.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/gocasebook/casebook/app/child"
	"github.com/gocasebook/casebook/app/setup"
)

func main() {
	repository := flag.String("casebook", ".", "the `folder` of this checkout")
	only := flag.String("only", "", "services whose module has this `text`")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := try(ctx, *repository, *only)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func try(ctx context.Context, repository, only string) error {
	repository, err := filepath.Abs(repository)
	if err != nil {
		return err
	}
	fmt.Println("| service | router | what it is | served before | outside | inside |\n|---|---|---|---|---|---|")
	for _, s := range services {
		if !strings.Contains(s.module, only) {
			continue
		}
		program, outside := s.try(ctx, repository, setup.Outside)
		_, inside := s.try(ctx, repository, setup.Inside)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		fmt.Printf("| %s %s | %s | %s | %s | %s | %s |\n", s.module, s.pkg, s.router, program.Kind, before(&program), outside, inside)
	}
	return nil
}

// before says whether profiles were served.
func before(p *setup.Program) string {
	switch {
	case len(p.Pprof) > 0:
		return "yes: " + p.Pprof[0].How
	case len(p.Unserved) > 0:
		return "no, only imported"
	}
	return "no"
}

// try changes a copy of a service, and says what became of it.
func (s *service) try(ctx context.Context, repository, how string) (setup.Program, string) {
	dir, err := os.MkdirTemp("", "casebook-bench-init-*")
	if err != nil {
		return setup.Program{}, err.Error()
	}
	defer os.RemoveAll(dir)
	program, text, err := s.in(ctx, dir, repository, how)
	if err != nil {
		first, _, _ := strings.Cut(err.Error(), "\n")
		fmt.Fprintf(os.Stderr, "%s %s: %v\n", s.module, how, err)
		return program, "no: " + strings.ReplaceAll(first, dir, "")
	}
	return program, text
}

func (s *service) in(ctx context.Context, dir, repository, how string) (program setup.Program, text string, err error) {
	tree := filepath.Join(dir, "tree")
	if err := s.copy(ctx, tree); err != nil {
		return program, "", err
	}
	if how == setup.Inside {
		const module = "github.com/gocasebook/casebook"
		if _, err := run(ctx, tree, "go", "mod", "edit", "-replace="+module+"="+repository); err != nil {
			return program, "", err
		}
	}
	if s.vendored {
		if _, err := run(ctx, tree, "go", "mod", "vendor"); err != nil {
			return program, "", err
		}
	}
	survey, err := setup.Look(ctx, tree)
	if err != nil {
		return program, "", err
	}
	p := s.program(survey)
	if p == nil {
		return program, "", fmt.Errorf("%s is no program of %d", s.pkg, len(survey.Programs))
	}
	c, err := survey.Propose(p, how, "v0.0.0")
	if err == nil {
		err = c.Check(ctx)
	}
	if err == nil {
		_, err = c.Apply(ctx)
	}
	if err != nil {
		return *p, "", err
	}
	binary := filepath.Join(dir, "service")
	mode := "-mod=mod"
	if s.vendored {
		mode = "-mod=vendor"
	}
	if _, err := run(ctx, tree, "go", "build", mode, "-buildvcs=false", "-o", binary, p.Package); err != nil {
		return *p, "", err
	}
	text = "compiles"
	if c.Diff == "" {
		text = "no change"
	}
	answer, err := s.asked(ctx, dir, binary, strings.Contains(c.Diff, "+func servePprof("))
	if err != nil {
		return *p, "", err
	}
	for _, hint := range c.Hints {
		fmt.Fprintf(os.Stderr, "%s %s: %s\n", s.module, how, hint)
	}
	return *p, text + ", " + answer, nil
}

// program is the one of a survey that the table names: init must have taken it for a service, unless it is an example,
// which people name with --program.
func (s *service) program(survey *setup.Survey) *setup.Program {
	named := survey.Services()
	for i := range survey.Programs {
		if survey.Programs[i].Example {
			named = append(named, &survey.Programs[i])
		}
	}
	for _, p := range named {
		if strings.HasSuffix(p.Package, s.pkg) {
			return p
		}
	}
	return nil
}

// copy puts the service's source into a folder that can be written.
func (s *service) copy(ctx context.Context, to string) error {
	out, err := run(ctx, os.TempDir(), "go", "mod", "download", "-json", s.module)
	if err != nil {
		return err
	}
	var m struct{ Dir string }
	if err := json.Unmarshal(out, &m); err != nil {
		return err
	}
	if err := os.CopyFS(to, os.DirFS(m.Dir)); err != nil {
		return err
	}
	return filepath.WalkDir(to, func(path string, d os.DirEntry, err error) error {
		if err == nil {
			err = os.Chmod(path, map[bool]os.FileMode{true: 0o755, false: 0o644}[d.IsDir()])
		}
		return err
	})
}

func run(ctx context.Context, dir, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, strings.TrimSpace(errs.String()))
	}
	return out, nil
}

// asked starts the service and asks it for profiles, of the CPU, too: where the change has brought a server, or else where
// they were served before.
func (s *service) asked(ctx context.Context, dir, binary string, brought bool) (string, error) {
	own, debug, profiles := freePort(), freePort(), freePort()
	fill := strings.NewReplacer("{port}", own, "{debug}", debug, "{dir}", dir)
	for name, text := range s.files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(fill.Replace(text)), 0o600); err != nil {
			return "", err
		}
	}
	args, err := child.Split(fill.Replace(s.args))
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithCancel(ctx)
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PPROF_ADDR=127.0.0.1:"+profiles, "CASEBOOK_DIR="+filepath.Join(dir, "cases"))
	for _, v := range s.env {
		cmd.Env = append(cmd.Env, fill.Replace(v))
	}
	var said strings.Builder
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		cancel()
		return "", err
	}
	at := "http://127.0.0.1:" + profiles + "/debug/pprof/"
	if !brought {
		at = fill.Replace(s.profiles)
	}
	text, err := s.answers(ctx, at, "http://127.0.0.1:"+own)
	cancel()
	_ = cmd.Wait() // it was killed
	if err != nil {
		return "", fmt.Errorf("%w; it said: %.600s", err, said.String())
	}
	return text, nil
}

// answers are what a service gives when it is asked.
func (s *service) answers(ctx context.Context, profiles, own string) (string, error) {
	const patience = 20 * time.Second
	var errs error
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(200 * time.Millisecond) {
		if errs = get(ctx, profiles); errs == nil {
			break
		}
	}
	for _, name := range []string{"goroutine?debug=2", "heap", "profile?seconds=1"} {
		errs = errors.Join(errs, get(ctx, profiles+name))
	}
	if errs != nil {
		return "", errs
	}
	text := "profiles answer"
	if s.path != "" {
		if err := get(ctx, own+s.path); err != nil {
			return "", err
		}
		text += ", and so does " + s.path
	}
	return text, nil
}

func get(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	err = errors.Join(err, resp.Body.Close())
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s: %.200s", url, resp.Status, body)
	}
	return err
}

// freePort is one that was free a moment ago.
func freePort() string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "0"
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}
