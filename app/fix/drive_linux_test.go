package fix_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/fix"
)

// leaky is a server that leaves a goroutine behind for each request, and its own load.
const leaky = `package main

import (
	"flag"
	"fmt"
	"net/http"
	_ "net/http/pprof"
)

func answer() int {
	c := make(chan int)
	for range 2 {
		go func() { c <- 1 }()
	}
	return <-c
}

func main() {
	port := flag.Int("port", 0, "")
	load := flag.Bool("load", false, "")
	flag.Parse()
	addr := fmt.Sprintf("127.0.0.1:%d", *port)
	for *load {
		if res, err := http.Get("http://" + addr); err == nil {
			res.Body.Close()
		}
	}
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { fmt.Fprintln(w, answer()) })
	fmt.Println(http.ListenAndServe(addr, nil))
}
`

// TestDriven measures a service under its own load: its goroutines are hundreds before and few after, however slow the
// machine is.
func TestDriven(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds and measures")
	}
	t.Setenv("GOWORK", "off")
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module example.com/leaky\n\ngo 1.26\n")
	var commits []string
	for i, text := range []string{leaky, strings.Replace(leaky, "make(chan int)", "make(chan int, 2)", 1)} {
		write(t, filepath.Join(dir, "main.go"), text)
		if i == 0 {
			git(t, dir, "init", "-q")
		}
		git(t, dir, "add", ".")
		git(t, dir, "-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-q", "-m", "x")
		commits = append(commits, git(t, dir, "rev-parse", "HEAD"))
	}
	words := []string{".", "-port", "{port}"}
	d := fix.Driven{Server: words, Drive: append(words[:3:3], "-load"), Warm: 200 * time.Millisecond,
		Span: 200 * time.Millisecond, Margin: 0.02}
	if err := d.Check(); err != nil {
		t.Fatal(err)
	}
	m, err := d.Measure(t.Context(), dir, commits[0], commits[1], nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range m.Figures {
		if f.Name == "goroutines" && (f.Before <= 2*f.After || !f.Sure) {
			t.Errorf("%s, sure %t; want far fewer for sure", f, f.Sure)
		}
	}
	for _, name := range []string{"goroutines", "rss", "alloc_bytes"} { // CPU is counted in ticks: of a short span maybe none
		if !slices.ContainsFunc(m.Figures, func(f fix.Figure) bool { return f.Name == name }) {
			t.Errorf("figures %v; want %s among them", m.Figures, name)
		}
	}
	if list := git(t, dir, "worktree", "list"); strings.Contains(list, "\n") {
		t.Errorf("worktrees are left:\n%s", list)
	}
}

// TestDrivenDies says what a server said that ended.
func TestDrivenDies(t *testing.T) {
	dir := repository(t)
	write(t, filepath.Join(dir, "dies/main.go"), "package main\n\nfunc main() { panic(\"no disk\") }\n")
	git(t, dir, "add", ".")
	git(t, dir, "-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-q", "-m", "x")
	words := []string{"./dies", "{port}"}
	_, err := (&fix.Driven{Server: words, Drive: words}).Measure(t.Context(), dir, "HEAD", "HEAD", nil)
	if err == nil || !strings.Contains(err.Error(), "no disk") {
		t.Errorf("it says %v; want what the server said", err)
	}
	untouched(t, dir)
}
