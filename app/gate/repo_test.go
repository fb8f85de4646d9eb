package gate

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A shop is the module that the tests measure: a function whose work and allocations are set exactly.
type shop struct {
	work   int // steps of hashing
	allocs int
	extra  string // more source
}

func (s shop) source() string {
	return fmt.Sprintf(`package shop

// Encode hashes n numbers.
func Encode(n int) uint64 {
	return mix(n*%d) + fill()
}

//go:noinline
func mix(n int) uint64 {
	h := uint64(14695981039346656037)
	for i := 0; i < n; i++ {
		h = (h ^ uint64(i)) * 1099511628211
	}
	return h
}

var kept *[32]byte

//go:noinline
func fill() uint64 {
	for i := 0; i < %d; i++ {
		kept = new([32]byte)
	}
	return 1
}
%s`, s.work, s.allocs, s.extra)
}

const benchSource = `package shop

import "testing"

var sum uint64

func BenchmarkEncode(b *testing.B) {
	b.Run("size=small", func(b *testing.B) {
		for b.Loop() {
			sum += Encode(100)
		}
	})
}

func BenchmarkPlain(b *testing.B) {
	for b.Loop() {
		sum += mix(20000)
	}
}
`

// A repo is a git repository in a temporary folder.
type repo struct {
	t   *testing.T
	dir string
}

func newRepo(t *testing.T, s shop) *repo {
	t.Helper()
	return newModule(t, map[string]string{"bench_test.go": benchSource, "shop.go": s.source()})
}

// newModule is a repository with a module of these files, committed to main.
func newModule(t *testing.T, files map[string]string) *repo {
	t.Helper()
	r := &repo{t, t.TempDir()}
	r.git("init", "-q", "-b", "main")
	r.write("go.mod", "module example.com/shop\n\ngo 1.25.0\n")
	for name, text := range files {
		r.write(name, text)
	}
	r.commit()
	return r
}

func (r *repo) write(name, text string) {
	r.t.Helper()
	file := filepath.Join(r.dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		r.t.Fatal(err)
	}
}

func (r *repo) commit() {
	r.t.Helper()
	r.git("add", "-A")
	r.git("-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-q", "-m", "x")
}

func (r *repo) git(args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// clean checks that a gate left nothing behind.
func (r *repo) clean(tmp string) {
	r.t.Helper()
	if n := strings.Count(r.git("worktree", "list"), "\n"); n != 0 {
		r.t.Errorf("%d worktrees are left:\n%s", n, r.git("worktree", "list"))
	}
	if s := r.git("status", "--porcelain", "--ignored"); s != "" && strings.Trim(s, "M ") != "shop.go" &&
		strings.Trim(s, "M ") != "cmd/server/main.go" {
		r.t.Errorf("files are left: %s", s)
	}
	left, err := os.ReadDir(tmp)
	if err != nil {
		r.t.Fatal(err)
	}
	for _, e := range left {
		if strings.HasPrefix(e.Name(), "casebook-") {
			r.t.Errorf("%s is left in the temporary folder", e.Name())
		}
	}
}
