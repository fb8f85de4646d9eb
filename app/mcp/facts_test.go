package mcp_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/facts"
	"github.com/gocasebook/casebook/app/mcp"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/checkout"
)

// The facts that a brief numbers are those that fact has, with every digit.
func TestFacts(t *testing.T) {
	dir := t.TempDir()
	f := writeCase(t, dir, "foreign/nats-memory", nil)
	if err := os.Rename(checkout.Folder(t, "foreign/nats-memory"), filepath.Join(dir, "recorded")); err != nil {
		t.Fatal(err)
	}
	c := connect(t, mcp.Config{Dir: dir})
	for _, name := range []string{f.Case.ID, "recorded", "latest"} {
		text := c.good(t, "brief", object{"case": name}, nil).text
		if !strings.Contains(text, "storeRawMsg") {
			t.Errorf("the brief of %s does not name the place: %s", name, text)
		}
		var got struct{ Facts []facts.Fact }
		shown := c.good(t, "fact", object{"case": name, "ids": []string{"H1", " c1"}}, &got).text
		if len(got.Facts) != 2 || got.Facts[0].ID != "H1" || got.Facts[1].Sort != facts.Cost {
			t.Fatalf("%s: %+v, want H1 and C1", name, got.Facts)
		}
		h := got.Facts[0]
		if len(h.Stacks) == 0 || len(h.Numbers) == 0 || !strings.Contains(text, "**H1**") {
			t.Errorf("%s: H1 is %+v", name, h)
		}
		for _, w := range []string{h.Text, "370148558 bytes", "memstore.go:309 user"} {
			if !strings.Contains(shown, w) {
				t.Errorf("%s: the text lacks %q: %s", name, w, shown)
			}
		}
	}
	c.refused(t, "fact", object{"case": "recorded", "ids": []string{"X9"}}, "there is no fact", "C1–C", "H1–H")
	c.refused(t, "fact", object{"case": "recorded", "ids": []string{}}, "want 1 to 10")
	c.refused(t, "fact", object{"case": "recorded", "ids": slices.Repeat([]string{"H1"}, 11)}, "want 1 to 10")
	c.refused(t, "brief", object{"case": "../recorded"}, "is not the name of a case")
}

// An anonymous brief does not name the program.
func TestAnonymousBrief(t *testing.T) {
	dir := t.TempDir()
	if err := os.Rename(checkout.Folder(t, "foreign/nats-memory"), filepath.Join(dir, "recorded")); err != nil {
		t.Fatal(err)
	}
	c := connect(t, mcp.Config{Dir: dir})
	if text := c.good(t, "brief", object{"case": "recorded"}, nil).text; !strings.Contains(text, "memStore") {
		t.Errorf("the brief does not name the type: %s", text)
	}
	text := c.good(t, "brief", object{"case": "recorded", "anonymous": true}, nil).text
	if name := regexp.MustCompile(`(?i)nats|memStore|storeRawMsg`).FindString(text); name != "" {
		t.Errorf("the anonymous brief has %q: %s", name, text)
	}
}

// ownProgram writes a dump of a program, its source, and what lies beside that source and is none.
func ownProgram(t testing.TB) (dir, src string) {
	t.Helper()
	dir, src = t.TempDir(), t.TempDir()
	var code strings.Builder
	code.WriteString("package main\n\n" + strings.Repeat("// a line above\n", 28) + "func load(c chan int) {\n\t<-c\n}\n" +
		strings.Repeat("// a line below\n", 300))
	dump := "goroutine 1 [running]:\nmain.main()\n\t/home/me/shop/main.go:12 +0x1d\n\n"
	for _, frame := range []string{"main.load(0x1)\n\t/home/me/shop/main.go:32 +0x1d",
		"main.key(0x1)\n\t/home/me/shop/secret.env:1 +0x1d", "main.up(0x1)\n\t/home/me/shop/../../secret.go:1 +0x1d",
		"main.out(0x1)\n\t/home/me/shop/link.go:1 +0x1d"} {
		for range 20 {
			dump += fmt.Sprintf("goroutine %d [chan receive, 10 minutes]:\n%s\n\n", len(dump), frame)
		}
	}
	shop := filepath.Join(dir, "shop")
	outside := filepath.Join(t.TempDir(), "outside.go")
	err := joinErrors(os.Mkdir(shop, 0o700),
		os.WriteFile(filepath.Join(shop, "goroutine-dump.txt"), []byte(dump), 0o600),
		os.WriteFile(filepath.Join(src, "go.mod"), []byte("module example.org/shop\n\ngo 1.26\n"), 0o600),
		os.WriteFile(filepath.Join(src, "main.go"), []byte(code.String()), 0o600),
		os.WriteFile(filepath.Join(src, "secret.env"), []byte(secret), 0o600),
		os.WriteFile(outside, []byte(secret), 0o600), os.Symlink(outside, filepath.Join(src, "link.go")))
	if err != nil {
		t.Fatal(err)
	}
	return dir, src
}

// Source is read around places of the evidence, the program's own only where the operator says so.
func TestCode(t *testing.T) {
	dir, src := ownProgram(t)
	c := connect(t, mcp.Config{Dir: dir, Source: src})
	for _, place := range []string{"main.load", "load", "main.go:32", "shop/main.go:32"} {
		a := c.good(t, "code", object{"case": "shop", "place": place}, nil)
		for _, w := range []string{">   32  \t<-c", "    31  func load", "    52  // a line below"} {
			if !strings.Contains(a.text, w) {
				t.Errorf("%s lacks %q: %s", place, w, a.text)
			}
		}
		if strings.Contains(a.text, "   53  ") || strings.Contains(a.text, "   21  ") {
			t.Errorf("%s has more than was asked for: %s", place, a.text)
		}
	}
	a := c.good(t, "code", object{"case": "shop", "place": "main.go:200", "before": 1 << 40, "after": 1 << 40}, nil)
	if n := strings.Count(a.text, "a line below"); n != 160 || !strings.Contains(a.text, "Cut: lines: 160 of 201") {
		t.Errorf("%d lines, want 160 and what was cut: %s", n, a.text)
	}
	c.refused(t, "code", object{"case": "shop", "place": "main.go:9999"}, "has no such line")
	c.refused(t, "code", object{"case": "shop", "place": "main.loud"}, "did you mean", "main.load")
	c.refused(t, "code", object{"case": "shop", "place": "other.go:1"}, "no stack of the evidence has the file")
	c.refused(t, "code", object{"case": "shop", "place": ""}, "want a function or FILE:LINE")
	for _, place := range []string{"main.key", "secret.env:1", "main.up", "secret.go:1", "main.out", "link.go:1",
		"/etc/passwd:1", "go.mod:1", filepath.Join(src, "secret.env") + ":1"} {
		a := c.call(t, "code", object{"case": "shop", "place": place})
		if mustHide(t, "code", place, a); !a.failed {
			t.Errorf("%s answers: %s", place, a.text)
		}
	}
	a = c.good(t, "code", object{"case": "shop", "place": "main.load", "costs": true}, nil)
	for _, w := range []string{"20 of 81", "20 32     <-c", ". 31 func load"} {
		if !strings.Contains(a.text, w) {
			t.Errorf("the costs of main.load lack %q: %s", w, a.text)
		}
	}
	c.refused(t, "code", object{"case": "shop", "place": "main.go:32", "costs": true}, "costs are of a function")
	c.refused(t, "code", object{"case": "shop", "place": "main.loud", "costs": true}, "no function whose name has")
	for _, function := range []string{"main.key", "main.up", "main.out"} {
		mustHide(t, "code", function, c.call(t, "code", object{"case": "shop", "place": function, "costs": true}))
	}
	mustHide(t, "brief", "shop", c.good(t, "brief", object{"case": "shop", "tokens": 20000}, nil))

	c = connect(t, mcp.Config{Dir: dir})
	c.refused(t, "code", object{"case": "shop", "place": "main.load"}, "the operator has named no folder", "--source")
}

// right is what is wrong with the case foreign/nats-memory.
func right() object {
	return object{"place": []object{{"function": "server.(*memStore).storeRawMsg", "file": "memstore.go", "line": 309}},
		"cause": "every message stays in the map of the store", "change": "bound the store by number or bytes",
		"rests": []string{"H1"}, "numbers": []object{{"fact": "H1", "name": "objects", "value": 219731, "unit": "count"}}}
}

func lying() object {
	a := right()
	a["numbers"] = []object{{"fact": "H1", "name": "objects", "value": 7e12, "unit": "count"}}
	a["rests"] = []string{"H1", "H977"}
	return a
}

type answered struct {
	Opinion casefile.Opinion
	Case    string
	Again   bool
}

// An answer is checked by whoever asks, and kept only where the operator allows it.
func TestAnswer(t *testing.T) {
	dir := t.TempDir()
	f := writeCase(t, dir, "foreign/nats-memory", nil)
	if err := os.Rename(checkout.Folder(t, "foreign/nats-memory"), filepath.Join(dir, "recorded")); err != nil {
		t.Fatal(err)
	}
	reads := connect(t, mcp.Config{Dir: dir})
	kept := func() []casefile.Opinion {
		t.Helper()
		now, err := casefile.Open(f.Path)
		if err != nil {
			t.Fatal(err)
		}
		return now.Case.Opinions
	}
	for _, name := range []string{"latest", "recorded"} {
		var got answered
		a := reads.good(t, "check_answer", object{"case": name, "answer": right()}, &got)
		if got.Opinion.Verdict != casefile.Supported || !strings.Contains(a.text, "Verdict: supported. It is not kept.") {
			t.Errorf("%s: %s", name, a.text)
		}
		a = reads.good(t, "check_answer", object{"case": name, "answer": lying()}, &got)
		if got.Opinion.Verdict == casefile.Supported || !strings.Contains(a.text, "H977") {
			t.Errorf("%s: an answer that lies: %s", name, a.text)
		}
	}
	prose := `My answer: {"place": "memstore.go:309", "cause": "x"}`
	reads.good(t, "check_answer", object{"case": "latest", "answer": prose}, nil)
	reads.refused(t, "check_answer", object{"case": "latest", "answer": "it is the database"}, "without JSON")
	reads.refused(t, "check_answer", object{"case": "latest", "answer": nil}, "there is no answer")
	reads.refused(t, "answer", object{"case": "latest", "answer": right()}, "unknown tool")
	if all := kept(); len(all) > 0 {
		t.Fatalf("kept without leave: %+v", all)
	}

	writes := connect(t, mcp.Config{Dir: dir, Allow: []mcp.Action{mcp.Answer}})
	var got answered
	a := writes.good(t, "answer", object{"case": "latest", "answer": right(), "author": "agent\x1b[2J"}, &got)
	if got.Case != f.Case.ID || got.Opinion.ID != "O1" || !strings.Contains(a.text, "as O1") {
		t.Errorf("kept: %s", a.text)
	}
	writes.good(t, "answer", object{"case": "latest", "answer": right(), "author": "agent\x1b[2J"}, &got)
	if all := kept(); len(all) != 1 || !got.Again || all[0].Verdict != casefile.Supported ||
		!strings.HasPrefix(all[0].Author, "agent") {
		t.Errorf("the same answer again: %+v", all)
	}
	writes.refused(t, "answer", object{"case": "recorded", "answer": right()}, "nothing can be kept there")
}
