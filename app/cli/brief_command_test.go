package cli_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/brief"
	"github.com/gocasebook/casebook/internal/checkout"
)

// TestBrief: a brief of recorded evidence names the place and keeps its bound, as Markdown and as JSON.
func TestBrief(t *testing.T) {
	t.Parallel()
	dir := checkout.Folder(t, "unseen-waits/ring")
	for _, tokens := range []string{"500", "6000"} {
		res := inProcess(t, "brief", "--tokens", tokens, dir)
		res.want(t, 0, "# Brief: ")
		if n := brief.Tokens(res.out); n > 6000 || tokens == "500" && n > 500 {
			t.Errorf("--tokens %s: %d tokens", tokens, n)
		}
	}
	res := inProcess(t, "brief", "--json", dir)
	res.want(t, 0, `"facts":`)
	var doc struct {
		Schema int
		Facts  []struct{ ID, Text string }
	}
	if err := json.Unmarshal([]byte(res.out), &doc); err != nil || doc.Schema != 1 || len(doc.Facts) == 0 {
		t.Errorf("%v: %.300s", err, res.out)
	}
	const name = "(*router).owners"
	open, hidden := inProcess(t, "brief", dir), inProcess(t, "brief", "--anonymous", dir)
	if !strings.Contains(open.out, name) || strings.Contains(hidden.out, name) {
		t.Errorf("%s is in the brief: %t, and in the anonymous one: %t", name, strings.Contains(open.out, name),
			strings.Contains(hidden.out, name))
	}
}

// TestBriefRefuses: what is wrong is said, with exit code 2.
func TestBriefRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, says string
		args       []string
	}{
		{"nothing", "a case, a file or a URL", nil},
		{"too few tokens", "--tokens", []string{"--tokens", "499", "x.pb.gz"}},
		{"too many tokens", "--tokens", []string{"--tokens", "100001", "x.pb.gz"}},
		{"keep alone", "--keep", []string{"--keep", "example.com/a", "x.pb.gz"}},
		{"no such file", "no such file", []string{"no-such.pb.gz"}},
		{"no module's source", "example", []string{"--source", t.TempDir(), checkout.Folder(t, "unseen-waits/ring")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			res := inProcess(t, append([]string{"brief"}, c.args...)...)
			if res.code != 2 || c.says != "example" && !strings.Contains(res.errors, c.says) || res.out != "" {
				t.Errorf("exit code %d: %s%s", res.code, res.out, res.errors)
			}
		})
	}
}
