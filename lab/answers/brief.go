package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/gocasebook/casebook/app/brief"
)

// What a brief must hold: the facts within its beginning, all within its bound, soon and in little memory.
const (
	beginning   = 2_500 // tokens
	mostSeconds = 2.0
	mostMB      = 200
	briefLimit  = time.Minute
)

// A wanted is what has to be in the beginning of a case's brief.
type wanted struct{ place, fact *regexp.Regexp }

// A measured is what came of a case.
type measured struct {
	tokens      int
	seconds, mb float64
	cpu         float64 // seconds: what it takes on a machine that has other work
	place, fact string  // "yes", "no", "-" where nothing is wanted
}

// measureBriefs is the command brief.
func measureBriefs(args []string, out, errs io.Writer) int {
	flags := flag.NewFlagSet("brief", flag.ContinueOnError)
	flags.SetOutput(errs)
	cases := flags.String("cases", "", "`folder` with a folder for each case")
	factsFile := flags.String("facts", "", "`file` of case, place and fact, separated by tabs: regular expressions of "+
		"what the beginning of a brief has to hold")
	casebook := flags.String("casebook", "../bin/casebook", "the built `program`")
	keep := flags.String("keep", "", "keep the briefs in this `folder`")
	anonymous := flags.Bool("anonymous", false, "measure anonymous briefs")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	names, err := caseNames(*cases)
	if err != nil {
		fmt.Fprintln(errs, "answers:", err)
		return 2
	}
	want, err := readWanted(*factsFile)
	if err != nil {
		fmt.Fprintln(errs, "answers:", err)
		return 2
	}
	var all tally
	fmt.Fprintln(out, "case\ttokens\tseconds\tCPU s\tMB\tplace\tfact")
	for _, name := range names {
		text, m, err := briefOf(*casebook, filepath.Join(*cases, name), *anonymous)
		if err != nil {
			fmt.Fprintf(out, "%s\tfailed: %v\n", name, err)
			all.failed++
			continue
		}
		if *keep != "" {
			if err := os.WriteFile(filepath.Join(*keep, name+".md"), text, 0o600); err != nil {
				fmt.Fprintln(errs, "answers:", err)
				return 2
			}
		}
		m.look(want[name], string(text))
		all.add(m)
		fmt.Fprintf(out, "%s\t%d\t%.2f\t%.2f\t%.0f\t%s\t%s\n", name, m.tokens, m.seconds, m.cpu, m.mb, m.place, m.fact)
	}
	fmt.Fprintln(out, all.String())
	if all.failed > 0 {
		return 1
	}
	return 0
}

// caseNames are the folders with a case in them.
func caseNames(dir string) (names []string, err error) {
	if dir == "" {
		return nil, errors.New("-cases is needed: a folder with a folder for each case")
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if e.IsDir() && evidenceOf(filepath.Join(dir, e.Name())) != "" {
			names = append(names, e.Name())
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s holds no folder with a case", dir)
	}
	return names, nil
}

// evidenceOf is the evidence of a folder: its folder case, or itself if it is a case; "" if it has none.
func evidenceOf(dir string) string {
	switch {
	case exists(filepath.Join(dir, "case")):
		return filepath.Join(dir, "case")
	case exists(filepath.Join(dir, "case.json")):
		return dir
	}
	return ""
}

// readWanted reads what is wanted, by case; nothing without a file.
func readWanted(name string) (map[string]wanted, error) {
	out := make(map[string]wanted)
	if name == "" {
		return out, nil
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	for i, line := range strings.Split(string(data), "\n") {
		line = strings.TrimRight(line, "\r")
		if line == "" || strings.HasPrefix(line, "#") || i == 0 && strings.HasPrefix(line, "case\t") {
			continue
		}
		parts := strings.Split(line, "\t")
		if len(parts) < 3 {
			return nil, fmt.Errorf("%s:%d: not a case, a place and a fact, separated by tabs", name, i+1)
		}
		var w wanted
		for k, to := range []**regexp.Regexp{&w.place, &w.fact} {
			// A fact may be said over several lines, and begin a sentence.
			if *to, err = regexp.Compile("(?is)" + parts[k+1]); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, i+1, err)
			}
		}
		out[path.Base(parts[0])] = w // "group/name"
	}
	return out, nil
}

// briefOf runs casebook on a case.
func briefOf(casebook, dir string, anonymous bool) (text []byte, m measured, err error) {
	ctx, stop := context.WithTimeout(context.Background(), briefLimit)
	defer stop()
	args := []string{"brief", evidenceOf(dir)}
	if src := filepath.Join(dir, "src"); exists(filepath.Join(src, "go.mod")) {
		args = append(args, "--source", src)
	}
	if anonymous {
		args = append(args, "--anonymous")
	}
	cmd := exec.CommandContext(ctx, casebook, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	began := time.Now()
	text, err = cmd.Output()
	m.seconds = time.Since(began).Seconds()
	if err != nil {
		return nil, m, fmt.Errorf("%w: %s", err, bytes.TrimSpace(stderr.Bytes()))
	}
	m.cpu = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	if use, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		m.mb = float64(use.Maxrss) / 1024 // Linux has KiB
	}
	m.tokens = brief.Tokens(string(text))
	return text, m, nil
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return !errors.Is(err, fs.ErrNotExist)
}

// look compares the beginning of a brief with what is wanted.
func (m *measured) look(w wanted, text string) {
	head := headOf(text, beginning)
	found := func(r *regexp.Regexp) string {
		switch {
		case r == nil:
			return "-"
		case r.MatchString(head):
			return "yes"
		}
		return "no"
	}
	m.place, m.fact = found(w.place), found(w.fact)
}

// headOf is the lines at the beginning of a text that have some tokens.
func headOf(text string, tokens int) string {
	end := 0
	for line := range strings.Lines(text) {
		tokens -= brief.Tokens(line)
		if tokens < 0 {
			break
		}
		end += len(line)
	}
	return text[:end]
}

// A tally counts cases.
type tally struct {
	cases, failed, wanted, both, place, fact, large, slow, big int
	tokens                                                     int
	seconds, cpu, mb                                           float64
}

func (t *tally) add(m measured) {
	t.cases++
	t.tokens, t.mb = max(t.tokens, m.tokens), max(t.mb, m.mb)
	t.seconds, t.cpu = max(t.seconds, m.seconds), max(t.cpu, m.cpu)
	count := func(n *int, is bool) {
		if is {
			*n++
		}
	}
	count(&t.wanted, m.place != "-")
	count(&t.place, m.place == "yes")
	count(&t.fact, m.fact == "yes")
	count(&t.both, m.place == "yes" && m.fact == "yes")
	count(&t.large, m.tokens > brief.DefaultTokens)
	count(&t.slow, m.seconds > mostSeconds)
	count(&t.big, m.mb > mostMB)
}

func (t *tally) String() string {
	return fmt.Sprintf("%d cases, %d failed: place and fact in %d of %d (place %d, fact %d); most %d tokens, %.2f s "+
		"(%.2f s of CPU), %.0f MB; %d, %d, %d above the bounds", t.cases, t.failed, t.both, t.wanted, t.place, t.fact,
		t.tokens, t.seconds, t.cpu, t.mb, t.large, t.slow, t.big)
}
