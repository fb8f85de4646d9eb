package revision_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/revision"
)

// history makes a repository whose versions v1.0.0 and v1.1.0 differ by three commits: of a function, of a method, and
// of neither.
func history(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	git(t, dir, "init", "-q", "-b", "main")
	price, send := "\treturn 1", "\tw.n++"
	commit := func(subject string) {
		t.Helper()
		text := "package shop\n\ntype Writer[T any] struct{ n int }\n\nfunc Price() int {\n" + price +
			"\n}\n\nfunc (w *Writer[T]) Send() {\n" + send + "\n}\n"
		for name, content := range map[string]string{"internal/shop/shop.go": text, "other/shop.go": "package other\n",
			"NOTES": subject} {
			at := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(at, []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		git(t, dir, "add", ".")
		git(t, dir, "-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-q", "-m", subject)
	}
	commit("first")
	git(t, dir, "tag", "v1.0.0")
	price = "\treturn 2"
	commit("price: double it")
	send = "\tw.n += 2"
	commit("writer: count twice")
	commit("notes only")
	git(t, dir, "tag", "v1.1.0")
	return dir
}

func TestTouched(t *testing.T) {
	dir := history(t)
	const file = "/build/example.org/shop/internal/shop/shop.go"
	for _, c := range []struct{ name, from, to, function, want string }{
		{"a function", "v1.0.0", "v1.1.0", "example.org/shop/internal/shop.Price", "price: double it"},
		{"a method", "v1.0.0", "v1.1.0", "example.org/shop/internal/shop.(*Writer[...]).Send", "writer: count twice"},
		{"a closure in it", "1.0.0", "1.1.0", "example.org/shop/internal/shop.Price.func1.2", "price: double it"},
		{"nothing between", "v1.1.0", "v1.1.0", "example.org/shop/internal/shop.Price", ""},
	} {
		for _, at := range []string{dir, filepath.Join(dir, "internal")} {
			got, err := revision.Touched(context.Background(), at, c.from, c.to, c.function, file)
			var subjects []string
			for _, one := range got {
				subjects = append(subjects, one.Subject)
				if one.ID == "" || one.Time == "" {
					t.Errorf("%s: %+v lacks something", c.name, one)
				}
			}
			if err != nil || strings.Join(subjects, "; ") != c.want {
				t.Errorf("%s: %q, %v; want %q", c.name, subjects, err, c.want)
			}
		}
	}
}

// What a profile or a label says is no option, no range and no other file.
func TestTouchedRefuses(t *testing.T) {
	dir := history(t)
	for name, c := range map[string][4]string{
		"an option":       {"--output=x", "v1.1.0", "shop.Price", "internal/shop/shop.go"},
		"a range":         {"v1.0.0..v1.1.0", "v1.1.0", "shop.Price", "internal/shop/shop.go"},
		"no version":      {"v1.0.0", "v7", "shop.Price", "internal/shop/shop.go"},
		"two such files":  {"v1.0.0", "v1.1.0", "shop.Price", "/elsewhere/shop.go"},
		"no such file":    {"v1.0.0", "v1.1.0", "shop.Price", "/elsewhere/price.go"},
		"no function":     {"v1.0.0", "v1.1.0", "runtime: malloc", "internal/shop/shop.go"},
		"a regexp inside": {"v1.0.0", "v1.1.0", "shop.P/,/x", "internal/shop/shop.go"},
	} {
		got, err := revision.Touched(context.Background(), dir, c[0], c[1], c[2], c[3])
		if !errors.Is(err, revision.ErrUnknown) {
			t.Errorf("%s: %v, %v; want that the repository does not have it", name, got, err)
		}
	}
}
