package cli_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// repository is a link to the root of this repository. Go caches the result of a test until a file below its module's
// folder changes that the test has read. Without the link, a change of ../../README.md would go unnoticed.
const repository = "testdata/repository"

// page is the text of a page, by its path in the repository.
func page(t *testing.T, path string) string {
	t.Helper()
	return string(read(t, filepath.Join(repository, path)))
}

// pages are the Markdown pages that people read, by their path from here.
func pages(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob(repository + "/docs/*.md")
	evidence, err2 := filepath.Glob(repository + "/docs/evidence/*.md")
	if err := errors.Join(err, err2); err != nil || len(files) < 10 || len(evidence) < 3 {
		t.Fatalf("%d pages in docs, %d of evidence, %v", len(files), len(evidence), err)
	}
	files = append(files, evidence...)
	all := make(map[string]string)
	for _, name := range []string{"README.md", "SECURITY.md", "CHANGELOG.md"} {
		files = append(files, filepath.Join(repository, name))
	}
	for _, f := range files {
		all[f] = string(read(t, f))
	}
	return all
}

// Every command that a page shows on a line of its own exists, with the flags that the page shows.
func TestCommandsOfPages(t *testing.T) {
	line := regexp.MustCompile(`(?m)^    (?:\$ )?(?:bin/)?casebook (.*?)(?:\s+#.*)?$`)
	helps, shown := make(map[string]result), 0
	for page, text := range pages(t) {
		for _, l := range line.FindAllStringSubmatch(text, -1) {
			shown++
			args := strings.Fields(l[1])
			words := 1
			switch {
			case len(args) > 2 && args[0] == "store" && args[1] == "token":
				words = 3
			case args[0] == "case", args[0] == "rules", args[0] == "store", args[0] == "history",
				args[0] == "gate" && len(args) > 1 && args[1] == "comment":
				words = 2
			}
			name := strings.Join(args[:words], " ")
			if _, known := helps[name]; !known {
				helps[name] = inProcess(t, append(slices.Clone(args[:words]), "--help")...)
				helps[name].want(t, 0, "casebook "+name)
			}
			for _, a := range args {
				flag, _, _ := strings.Cut(a, "=")
				if strings.HasPrefix(flag, "-") && !strings.Contains(helps[name].out, flag) {
					t.Errorf("%s: casebook %s has no %s: %s", page, name, flag, l[0])
				}
			}
		}
	}
	if shown < 50 {
		t.Errorf("the pages show %d commands; has their form changed?", shown)
	}
}

// link is a link of Markdown, without its words.
var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// Two clicks lead from the README to every page of docs: the manual, and the notebook of how things were measured.
func TestPagesAreTwoClicksAway(t *testing.T) {
	all := pages(t)
	reached := map[string]bool{repository + "/README.md": true}
	for range 2 {
		for page := range maps.Clone(reached) {
			for _, m := range link.FindAllStringSubmatch(all[page], -1) {
				target, _, _ := strings.Cut(m[1], "#")
				reached[filepath.Join(filepath.Dir(page), target)] = true
			}
		}
	}
	for page := range all {
		if !reached[page] {
			t.Errorf("%s is more than two clicks from the README: link it in docs/README.md", page)
		}
	}
}

// The manual is what a user reads. How things were measured belongs into docs/evidence. What a program writes, and
// what the makers of Casebook read, does not count.
func TestManualLength(t *testing.T) {
	const most = 40_000
	left := []string{"known.md", "findings.md", "signals.md", "licences.md", "design.md", "release.md"}
	n := 0
	for page, text := range pages(t) {
		if filepath.Dir(page) == filepath.Join(repository, "docs") && !slices.Contains(left, filepath.Base(page)) {
			for _, word := range strings.Fields(text) {
				if strings.ContainsFunc(word, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
					n++ // not the bars of tables
				}
			}
		}
	}
	t.Logf("the manual has %d words", n)
	if n > most {
		t.Errorf("the manual has %d words, want %d at most: move what was measured to docs/evidence", n, most)
	}
}

// Every link of a page to a file or a heading of this repository works.
func TestLinksOfPages(t *testing.T) {
	all, followed := pages(t), 0
	anchors := make(map[string]map[string]bool) // by file: many links lead to the same
	for page, text := range all {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			target, heading, _ := strings.Cut(m[1], "#")
			if strings.Contains(target, "://") {
				continue
			}
			followed++
			file := filepath.Join(filepath.Dir(page), target)
			if target == "" {
				file = page
			}
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s links to %s: %v", page, m[1], err)
				continue
			}
			if heading == "" {
				continue
			}
			if anchors[file] == nil {
				anchors[file] = headings(string(read(t, file)))
			}
			if !anchors[file][heading] {
				t.Errorf("%s links to %s, which has no such heading", page, m[1])
			}
		}
	}
	if followed < 50 {
		t.Errorf("the pages have %d links; has their form changed?", followed)
	}
}

// headings are the anchors of a page's headings, as GitHub makes them: lower case, dashes for spaces, without other
// punctuation.
func headings(page string) map[string]bool {
	anchors := make(map[string]bool)
	punctuation := regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	for _, m := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(page, -1) {
		words := punctuation.ReplaceAllString(strings.ToLower(m[1]), "")
		anchors[strings.ReplaceAll(words, " ", "-")] = true
	}
	return anchors
}

// Each page of docs starts with a title and says what it is for, before its first heading.
func TestPagesOpen(t *testing.T) {
	for page, text := range pages(t) {
		if !strings.HasPrefix(page, repository+"/docs/") {
			continue
		}
		title, rest, _ := strings.Cut(text, "\n")
		opening, _, _ := strings.Cut(rest, "\n## ")
		if !strings.HasPrefix(title, "# ") || len(strings.Fields(opening)) < 8 {
			t.Errorf("%s begins %q, and says in %q what it is for; want a title and a sentence", page, title, opening)
		}
	}
}

// opens says where each command is described: its page, or a heading of one.
var opens = map[string]string{
	"answer": "answer.md", "ask": "ask.md", "brief": "brief.md", "capture": "watch.md", "case": "case.md",
	"compare": "gate.md", "demo": "first-day.md#without-a-service-casebook-demo", "detectors": "findings.md",
	"diagnose": "diagnose.md", "doctor": "first-day.md#is-everything-there-casebook-doctor", "escape": "escape.md",
	"explain": "remedies.md", "fix": "fix.md", "gate": "gate.md", "heap": "heapdump.md",
	"history": "ci.md#the-history", "init": "first-day.md#what-does-the-service-need-casebook-init",
	"known": "known.md", "lint": "lint.md", "load": "load.md", "mcp": "mcp.md", "pgo": "pgo.md", "prove": "prove.md",
	"replay": "replay.md", "rules": "rules.md", "serve": "serve.md", "store": "serve.md#look-after-it",
	"trace": "trace.md", "watch": "watch.md",
}

// unread are commands that nobody needs a page for.
var unread = []string{"completion", "help", "man", "version"}

// What a user sees first of a command is the call that is used most, with what it printed.
func TestPagesBeginWithACall(t *testing.T) {
	_, listed, _ := strings.Cut(inProcess(t, "--help").out, "\nCommands:\n")
	listed, _, _ = strings.Cut(listed, "\n\n")
	commands := regexp.MustCompile(`(?m)^  (\w+)`).FindAllStringSubmatch(listed, -1)
	if len(commands) < len(opens) {
		t.Errorf("--help lists %d commands, and %d have pages", len(commands), len(opens))
	}
	for _, m := range commands {
		command, at := m[1], opens[m[1]]
		if slices.Contains(unread, command) {
			continue
		}
		name, anchor, _ := strings.Cut(at, "#")
		if at == "" || !begins(section(page(t, "docs/"+name), anchor), command) {
			t.Errorf("%s: the first code of docs/%s is no call of it (\"$ casebook %s …\") with its output",
				command, at, command)
		}
	}
	for name, command := range map[string]string{"ci.md": "init", "embed.md": "case", "engines.md": "diagnose",
		"first-day.md#1-ask-the-service": "diagnose", "kubernetes.md": "diagnose", "load-json.md": "load",
		"on-call.md#1-keep-the-evidence-before-you-restart-anything": "capture", "watch-json.md": "watch"} {
		name, anchor, _ := strings.Cut(name, "#")
		if !begins(section(page(t, "docs/"+name), anchor), command) {
			t.Errorf("docs/%s does not begin with a call of casebook %s and its output", name, command)
		}
	}
}

// section is what stands below a heading, or the title, before the next heading.
func section(page, anchor string) string {
	for _, part := range regexp.MustCompile(`(?m)^#+ `).Split(page, -1)[1:] {
		heading, text, _ := strings.Cut(part, "\n")
		if anchor == "" || headings("# " + heading)[anchor] {
			return text
		}
	}
	return ""
}

// begins reports whether the first code of a text has a call of a command and, below it, what that printed.
func begins(text, command string) bool {
	call := regexp.MustCompile(`^\$ (?:bin/)?casebook ` + command + `( |$)`)
	called, goesOn := false, false
	for _, line := range firstCode(text) {
		line = strings.TrimSpace(line)
		switch {
		case goesOn:
			goesOn = strings.HasSuffix(line, `\`)
		case strings.HasPrefix(line, "$ "):
			called, goesOn = call.MatchString(line), strings.HasSuffix(line, `\`)
		case called && line != "" && line != "…":
			return true
		}
	}
	return false
}

// firstCode are the lines of the first code of a text, which is indented or fenced.
func firstCode(text string) (code []string) {
	fenced := false
	for line := range strings.SplitSeq(text, "\n") {
		switch {
		case strings.HasPrefix(line, "```"):
			if fenced || len(code) > 0 {
				return code
			}
			fenced = true
		case fenced, strings.HasPrefix(line, "    "):
			code = append(code, line)
		case line != "" && len(code) > 0:
			return code
		}
	}
	return code
}

func TestBegins(t *testing.T) {
	for text, want := range map[string]bool{
		"Words.\n\n    $ casebook load URL\n    sent 5\n":                           true,
		"    $ bin/casebook load \\\n        URL\n    …\n\n      sent 5\n":          true,
		"    $ casebook gate\n    FAIL\n    $ casebook load URL\n    sent 5\nWords": true,
		"```\n$ casebook load URL\nsent 5\n```\n":                                   true,
		"    casebook load URL\n    sent 5\n":                                       false, // is it a call?
		"    $ casebook load URL\n    …\n":                                          false,
		"    $ casebook load \\\n        URL\n":                                     false,
		"    $ casebook load URL\n    $ casebook gate\n    FAIL\n":                  false,
		"    $ casebook loads URL\n    sent 5\n":                                    false,
		"    other code\n\nWords.\n\n    $ casebook load URL\n    sent 5\n":         false,
		"```json\n{}\n```\n\n    $ casebook load URL\n    sent 5\n":                 false,
	} {
		if got := begins(text, "load"); got != want {
			t.Errorf("%q begins with a call of load and its output: %v, want %v", text, got, want)
		}
	}
}

// A figure of the README, as "49 of 86", stands on a page that the same paragraph links, where the command is that
// prints it.
func TestREADMEFigures(t *testing.T) {
	figure, seen := regexp.MustCompile(`\b[0-9]+ of [0-9]+\b`), 0
	for _, paragraph := range regexp.MustCompile(`\n\n|\n- `).Split(readme(t), -1) {
		linked := ""
		for _, m := range link.FindAllStringSubmatch(paragraph, -1) {
			if target, _, _ := strings.Cut(m[1], "#"); strings.HasSuffix(target, ".md") {
				linked += page(t, target)
			}
		}
		linked = strings.Join(strings.Fields(linked), " ")
		for _, f := range figure.FindAllString(strings.Join(strings.Fields(paragraph), " "), -1) {
			seen++
			if !regexp.MustCompile(`\b` + f + `\b`).MatchString(linked) {
				t.Errorf("the README says %q, and no page that it links there does: %s", f, paragraph)
			}
		}
	}
	if seen < 10 {
		t.Errorf("the README has %d figures; has its form changed?", seen)
	}
}

// What the README says that Casebook costs stands on the page of benchmarks, where the command is that measures it.
func TestREADMECosts(t *testing.T) {
	_, costs, _ := strings.Cut(readme(t), "\n## What it costs\n")
	costs, _, _ = strings.Cut(costs, "\n## ")
	measured := page(t, "docs/evidence/benchmarks.md")
	figures := regexp.MustCompile(`[0-9][0-9.,–± ]* (?:%|µs|ns|s|MiB)`).FindAllString(costs, -1)
	for _, f := range figures {
		if !strings.Contains(measured, f) {
			t.Errorf("the README says %q, and docs/evidence/benchmarks.md does not", f)
		}
	}
	if len(figures) < 8 {
		t.Errorf("the README has %d costs; has its form changed?", len(figures))
	}
}

// What pages show first of these commands is what they print, for what is in this repository. TestEscape and
// TestFixPage have those of others.
func TestTranscripts(t *testing.T) {
	t.Setenv("GOWORK", "off")
	for name, dir := range map[string]string{"lint.md": "testdata/lint/shop", "remedies.md": ".",
		"findings.md": ".", "known.md": "."} {
		code := firstCode(section(page(t, "docs/"+name), ""))
		args := strings.Fields(strings.TrimPrefix(strings.TrimSpace(code[0]), "$ casebook "))
		rest := casebook(t, dir, args...).out
		for _, line := range code[1:] {
			line = strings.TrimRight(strings.TrimPrefix(line, "    "), " ")
			if line == "…" || line == "" {
				continue
			}
			line, cut := strings.CutSuffix(line, "…")
			_, after, found := strings.Cut("\n"+rest, "\n"+line)
			if end, _, _ := strings.Cut(after, "\n"); !found || !cut && strings.TrimSpace(end) != "" {
				t.Errorf("docs/%s says %q, and casebook %q does not in:\n%s", name, line, args, rest)
				break
			}
			rest = after
		}
	}
}

// The table of first looks ends with what its rows come to.
func TestFirstLooksAddUp(t *testing.T) {
	row := regexp.MustCompile(`(?m)^\| \[.*\]\(unseen-.*\).* \| (\d+) of (\d+) \| (\d+) \|$`)
	text := page(t, "docs/evidence/accuracy.md")
	var sums [3]int
	for _, m := range row.FindAllStringSubmatch(text, -1) {
		for i := range sums {
			n, _ := strconv.Atoi(m[i+1]) // of digits
			sums[i] += n
		}
	}
	want := fmt.Sprintf("\n| all | %d of %d | %d |\n", sums[0], sums[1], sums[2])
	if sums[1] == 0 || !strings.Contains(text, want) {
		t.Errorf("the rows of first looks come to %q, which docs/evidence/accuracy.md does not have", want)
	}
}
