package mcp_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/brief"
	"github.com/gocasebook/casebook/app/mcp"
	"github.com/gocasebook/casebook/internal/checkout"
)

// A size is that of an answer in tokens, as package brief counts them: of the text, and of the structured content.
type size struct{ text, value int }

func (a size) most(b size) size { return size{max(a.text, b.text), max(a.value, b.value)} }

func (a size) within(b size) bool { return a.text <= b.text && a.value <= b.value }

func sizeOf(a answer) size { return size{brief.Tokens(a.text), brief.Tokens(a.json)} }

// sized are recorded cases whose evidence is of different sorts, and is much.
var sized = []string{"foreign/nats-memory", withVitals, "tables/procs-mask-quota", "unseen-waits/uploads",
	"unseen-fifth/codes"}

// TestSizes measures what each tool answers with on recorded cases, and holds it below what docs/mcp.md says. With -v it
// prints the table.
func TestSizes(t *testing.T) {
	bounds := documented(t)
	measured := map[string]size{}
	cfg, _ := everything(t)
	c := connect(t, cfg)
	for i, name := range sized {
		folder := fmt.Sprint("c", i)
		if err := os.Rename(checkout.Folder(t, name), filepath.Join(cfg.Dir, folder)); err != nil {
			t.Fatal(err)
		}
		c.measure(t, folder, measured)
		if i == 0 {
			c.measure(t, writeCase(t, cfg.Dir, name, nil).Case.ID, measured)
		}
	}
	for _, tool := range slices.Sorted(maps.Keys(measured)) {
		got, bound := measured[tool], bounds[tool]
		t.Logf("%-14s %6d of %6d tokens of text, %6d of %6d of structured content", tool, got.text, bound.text, got.value,
			bound.value)
		if !got.within(bound) {
			t.Errorf("%s answers with %+v tokens, and docs/mcp.md says %+v at most", tool, got, bound)
		}
	}
	for _, tool := range toolNames(t, c) {
		if _, has := bounds[tool]; !has {
			t.Errorf("docs/mcp.md says no size of %s", tool)
		}
	}
}

// measure calls the tools with their usual arguments on a case.
func (c client) measure(t *testing.T, of string, measured map[string]size) {
	t.Helper()
	note := func(tool string, args object) answer {
		a := c.call(t, tool, args)
		measured[tool] = measured[tool].most(sizeOf(a))
		return a
	}
	for _, tool := range []string{"get_case", "diagnose", "rules_status"} {
		note(tool, object{"case": of})
	}
	note("list_cases", object{})
	note("compare", object{"old": "c0", "new": of})
	note("explain", object{"kind": "mem-leak"})
	note("known", object{"name": "github.com/redis/go-redis/v9"})
	text := note("brief", object{"case": of}).text
	ids := regexp.MustCompile(`\b[WHCM]\d+\b`).FindAllString(text, -1)
	slices.Sort(ids)
	ids = slices.Compact(ids)
	for ids := range slices.Chunk(ids[:min(len(ids), 12)], 3) {
		note("fact", object{"case": of, "ids": ids})
	}
	place := object{"function": "main.nowhere"}
	for _, m := range regexp.MustCompile(`(?m)^  ?(\S+) \S+:\d+`).FindAllStringSubmatch(text, 5) {
		note("code", object{"case": of, "place": m[1]})
		note("code", object{"case": of, "place": m[1], "costs": true})
		place["function"] = m[1]
	}
	said := object{"place": []object{place}, "cause": "10 GiB are held by 7 goroutines", "change": "bound it", "rests": ids}
	note("check_answer", object{"case": of, "answer": said})
	if strings.HasPrefix(of, "2") { // a case
		note("answer", object{"case": of, "answer": said})
	}
	for _, file := range []string{"cpu.pb.gz", "heap-after.pb.gz", "goroutine.pb.gz", "goroutine-dump.txt",
		"vitals-before.jsonl"} {
		note("get_evidence", object{"case": of, "file": file})
	}
	for tool, args := range map[string]object{"plan_lint": {"case": of}, "plan_fix": {"case": of},
		"plan_capture": {"target": "shop"}, "plan_prove": {"proof": "shop"}} {
		var p plan
		a := c.good(t, tool, args, &p)
		measured[tool] = measured[tool].most(sizeOf(a))
		note("execute", object{"plan": p.Plan, "wait_seconds": 600})
	}
	note("get_run", object{"run": "none"})
}

// documented are the bounds of docs/mcp.md: rows as | `brief` | 2,600 | 0 |.
func documented(t *testing.T) map[string]size {
	t.Helper()
	text, err := os.ReadFile("../../docs/mcp.md")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]size{}
	for _, m := range regexp.MustCompile("(?m)^\\| `(\\w+)` \\| ([0-9,]+) \\| ([0-9,]+) \\|$").FindAllStringSubmatch(
		string(text), -1) {
		number := func(s string) int {
			n, err := strconv.Atoi(strings.ReplaceAll(s, ",", ""))
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		out[m[1]] = size{number(m[2]), number(m[3])}
	}
	if len(out) == 0 {
		t.Fatal("docs/mcp.md has no table of sizes")
	}
	return out
}

// A brief is no larger than what was asked for.
func TestBriefBound(t *testing.T) {
	dir := t.TempDir()
	if err := os.Rename(checkout.Folder(t, "foreign/coredns-quota"), filepath.Join(dir, "dns")); err != nil {
		t.Fatal(err)
	}
	c := connect(t, mcp.Config{Dir: dir})
	last := 0
	for _, tokens := range []int{1000, 2500, 6000, 20000, 1 << 40} {
		a := c.good(t, "brief", object{"case": "dns", "tokens": tokens}, nil)
		if got := sizeOf(a); got.text > min(tokens, 20000) || got.value > 0 {
			t.Errorf("a brief of %d tokens has %+v", tokens, got)
		} else if got.text < last {
			t.Errorf("a brief of %d tokens has %d, and a smaller one has %d", tokens, got.text, last)
		} else {
			last = got.text
		}
		if !strings.Contains(a.text, "**H1**") {
			t.Errorf("a brief of %d tokens lacks what hurts most: %s", tokens, a.text)
		}
	}
}
