package server

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/app/browsertest"
)

// A treeRow is a row of the table of functions, as a program for the blind has it.
type treeRow struct {
	Name     string
	Level    int
	Expanded string // "" where it calls nothing
	Cells    []string
}

// rowJS reads a row.
const rowJS = `(r => ({ Name: r.querySelector('button').innerText, Level: Number(r.ariaLevel), Expanded: r.ariaExpanded ?? '',
	Cells: [...r.cells].slice(1).map(c => c.innerText) }))`

func (p profilePage) tree() []treeRow {
	p.T.Helper()
	return browsertest.Eval[[]treeRow](p.Page, `[...document.querySelectorAll('[role=treegrid] tbody [role=row]')].map(`+rowJS+`)`)
}

// below are the rows one level below the one at i.
func below(rows []treeRow, i int) (out []treeRow) {
	for _, r := range rows[i+1:] {
		if r.Level <= rows[i].Level {
			break
		}
		if r.Level == rows[i].Level+1 {
			out = append(out, r)
		}
	}
	return out
}

// focused is the row that has the focus.
func (p profilePage) focused() treeRow {
	p.T.Helper()
	const row = `document.activeElement.closest('[role=treegrid] tbody [role=row]')`
	return browsertest.Eval[treeRow](p.Page, row+` ? `+rowJS+`(`+row+`) : { Name: 'none' }`)
}

// wantFocus fails the test if another row has the focus, or the sentence of the page is not about it.
func (p profilePage) wantFocus(after, name string, level int) {
	p.T.Helper()
	if r := p.focused(); r.Name != name || r.Level != level {
		p.T.Errorf("after %s the focus is on %q at level %d, want %q at %d", after, r.Name, r.Level, name, level)
	}
	said := text(p.Page, "#row-said")
	if !strings.HasPrefix(said, name) || !strings.HasSuffix(said, ".") || level > 1 && !strings.Contains(said, "called by") {
		p.T.Errorf("after %s the page says %q of %s", after, said, name)
	}
	if n := browsertest.Eval[int](p.Page, `document.querySelectorAll('[role=treegrid] [role=row][tabindex="0"]').length`); n != 1 {
		p.T.Errorf("after %s Tab leads to %d rows, want one", after, n)
	}
}

// calledOn is what functions hold that the last of a path calls, by google/pprof: themselves, and with what they call. Of
// a stack the outermost frame of the path's first function counts.
func calledOn(p *profile.Profile, k int, path ...string) (flat, cum map[string]int64) {
	flat, cum = map[string]int64{}, map[string]int64{}
	for _, s := range p.Sample {
		var stack []string // the root first
		for i := len(s.Location) - 1; i >= 0; i-- {
			for j := len(s.Location[i].Line) - 1; j >= 0; j-- {
				stack = append(stack, s.Location[i].Line[j].Function.Name)
			}
		}
		for len(stack) > 0 && stack[0] != path[0] {
			stack = stack[1:]
		}
		if len(stack) <= len(path) || strings.Join(stack[:len(path)], "\n") != strings.Join(path, "\n") {
			continue
		}
		called := stack[len(path)]
		cum[called] += s.Value[k]
		if len(stack) == len(path)+1 {
			flat[called] += s.Value[k]
		}
	}
	return flat, cum
}

// wantCallees compares the rows below one with what google/pprof says that it calls.
func wantCallees(t *testing.T, rows []treeRow, flat, cum map[string]int64) {
	t.Helper()
	want := 0
	for _, v := range cum {
		if v > 0 {
			want++
		}
	}
	if len(rows) != want || want == 0 {
		t.Errorf("%d callees, want %d: %+v", len(rows), want, rows)
	}
	for _, r := range rows {
		wantNumber(t, r.Name+" flat", r.Cells[0], flat[r.Name])
		wantNumber(t, r.Name+" cum", r.Cells[2], cum[r.Name])
	}
}

// The table of functions is the flame graph without sight of it: by keys alone a reader opens what a function calls and
// walks there, hears of each row where it is, and has the numbers of google/pprof. The open rows are in the address.
func TestFunctionTableByKeys(t *testing.T) {
	s := newEvidenceSite(t)
	c, data := gateway(t, s)
	b := profilePage{browse(t)}
	openPage(b.Page, s.url+"/cases/"+c.ID+"/profile?file=during/heap.pb.gz&sort=cum", 1280, "light")
	const k = 3 // inuse_space
	p := parse(t, data)
	b.Do(chromedp.Focus(chromedp.CSS("[data-sort=cum]")), chromedp.KeyEvent(kb.Tab))
	first := b.tree()[0]
	b.wantFocus("Tab", first.Name, 1)
	if first.Expanded != "false" {
		t.Fatalf("the first row is %+v, want one that opens", first)
	}
	b.press(kb.ArrowRight)
	rows := b.tree()
	b.wantFocus("Right", first.Name, 1)
	flat, cum := calledOn(p, k, first.Name)
	wantCallees(t, below(rows, 0), flat, cum)
	if rows[0].Expanded != "true" || rows[1].Expanded != "false" {
		t.Fatalf("after Right the rows are %+v", rows[:2])
	}
	b.press(kb.ArrowRight)
	second := rows[1].Name
	b.wantFocus("Right twice", second, 2)
	b.press(kb.ArrowRight)
	flat, cum = calledOn(p, k, first.Name, second)
	rows = b.tree()
	wantCallees(t, below(rows, 1), flat, cum)
	third := rows[2].Name
	b.press(kb.ArrowDown)
	b.wantFocus("Down", third, 3)
	b.Shoot("profile-tree")
	b.Accessible("the table with open rows")
	again := profilePage{browse(t)}
	openPage(again.Page, browsertest.Eval[string](b.Page, `location.href`), 375, "dark")
	if a, was := fmt.Sprint(again.tree()), fmt.Sprint(rows); a != was {
		t.Errorf("another browser has the rows\n%s, want\n%s", a, was)
	}
	narrow(again.Page)
	again.Shoot("profile-tree-375")
	again.Accessible("the table with open rows on a telephone")
	b.press(kb.ArrowLeft)
	if r := b.focused(); r.Expanded == "false" && r.Name == third { // it was open
		b.press(kb.ArrowLeft)
	}
	b.wantFocus("Left", second, 2)
	b.press(kb.ArrowLeft + kb.ArrowLeft)
	b.wantFocus("Left twice", first.Name, 1)
	b.press(kb.ArrowLeft)
	if rows := b.tree(); rows[0].Expanded != "false" || rows[1].Level != 1 {
		t.Errorf("after Left the first rows are %+v, want the first closed", rows[:2])
	}
	b.press(kb.End)
	rows = b.tree()
	b.wantFocus("End", rows[len(rows)-1].Name, 1)
	b.press(kb.Home + kb.ArrowDown + kb.ArrowUp)
	b.wantFocus("Home, Down and Up", first.Name, 1)
	// What was open inside is open again; Enter shows the frame on that path.
	b.press(kb.ArrowRight + kb.ArrowDown + kb.Enter)
	if got := b.status(); !strings.HasPrefix(got, second) || b.query().Get("at") == "" {
		t.Errorf("Enter shows %q at %s, want the frame of %s", got, b.query(), second)
	}
	if !browsertest.Eval[bool](b.Page, `document.activeElement.matches('.stage')`) {
		t.Error("after Enter the graph has not the focus")
	}
	quiet(b.Page, s.url)
}

// In the table of a difference each callee has its change, and sorting keeps what is open.
func TestFunctionTableOfADifference(t *testing.T) {
	s := newEvidenceSite(t)
	c, files := recorded(t, "foreign/nats-memory")
	c = s.put(t, c, files...)
	now, base := profileNamed(t, files, "heap.pb.gz"), profileNamed(t, files, "heap-before.pb.gz")
	b := profilePage{browse(t)}
	openPage(b.Page, s.url+"/cases/"+c.ID+"/profile?file=heap.pb.gz&sort=cum&base="+c.ID+"/heap-before.pb.gz", 1280, "light")
	b.Do(chromedp.Focus(chromedp.CSS("[data-sort=cum]")), chromedp.KeyEvent(kb.Tab))
	at := slices.IndexFunc(b.tree(), func(r treeRow) bool { return r.Expanded == "false" })
	b.press(strings.Repeat(kb.ArrowDown, at) + kb.ArrowRight)
	first := b.focused()
	_, cum := calledOn(now, 3, first.Name)
	_, was := calledOn(base, 3, first.Name)
	rows := below(b.tree(), at)
	if len(rows) == 0 {
		t.Fatalf("%+v has no callees: the test proves nothing", first)
	}
	for _, r := range rows {
		wantNumber(t, r.Name+" cum", r.Cells[2], cum[r.Name])
		change := cum[r.Name] - was[r.Name]
		sign := map[bool]string{true: "+", false: "−"}[change > 0]
		if change == 0 {
			if r.Cells[3] != "0" {
				t.Errorf("%s has not changed, and the table says %q", r.Name, r.Cells[3])
			}
			continue
		}
		text, signed := strings.CutPrefix(r.Cells[3], sign)
		if !signed {
			t.Errorf("the change of %s by %d bytes is %q", r.Name, change, r.Cells[3])
		}
		wantNumber(t, r.Name+" change", text, max(change, -change))
	}
	b.Shoot("profile-difference-tree")
	b.Accessible("the table of a difference")
	b.Do(chromedp.Click(chromedp.CSS("[data-sort=flat]")))
	open := 0
	for _, r := range b.tree() {
		if r.Name == first.Name && r.Level == 1 && r.Expanded == "true" {
			open++
		}
	}
	if open != 1 {
		t.Errorf("sorted by flat, %s is open in %d rows, want in one", first.Name, open)
	}
	quiet(b.Page, s.url)
}

// profileNamed is one of the files.
func profileNamed(t *testing.T, files []file, name string) *profile.Profile {
	t.Helper()
	for _, f := range files {
		if f.File == name {
			return parse(t, f.data)
		}
	}
	t.Fatalf("there is no %s", name)
	return nil
}
