package heavy

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// hound lets a team look for code in its repositories, which are four parts of Go's own sources here: words, parts of
// names, and patterns, in all repositories or one, in all files or those of a kind.
func hound() Service {
	var repos []string
	for _, name := range houndRepos {
		repos = append(repos, fmt.Sprintf(`%q: {"url": "file://{dir}/repos/%[1]s", "vcs": "git",
			"enable-poll-updates": false}`, name))
	}
	return Service{
		Name: "hound", Module: "github.com/hound-search/hound", Version: "v0.7.1", Main: "cmds/houndd", Unseen: true,
		Args:    []string{"-addr=127.0.0.1:{port}", "-conf={dir}/config.json"},
		Ready:   "/api/v1/repos", // 503 until all is indexed
		Prepare: houndPrepare,
		Config: map[string]string{"config.json": `{"dbpath": "{dir}/db", "max-concurrent-indexers": 2, "repos": {` +
			strings.Join(repos, ", ") + `}}`},
		Load: func(ctx context.Context, on Target) error {
			return together(ctx, times(6, browser(on, "http://"+on.Addr, houndQuery))...)
		},
	}
}

var houndRepos = []string{"net", "os", "encoding", "go"}

// houndPrepare makes repositories of what Go's installation has.
func houndPrepare(dir string) ([]string, func(), error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, nil, fmt.Errorf("asking where Go (%s) is: %w", runtime.Version(), err)
	}
	for _, name := range houndRepos {
		to := filepath.Join(dir, "repos", name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return nil, nil, err
		}
		if err := os.CopyFS(to, os.DirFS(filepath.Join(strings.TrimSpace(string(root)), "src", name))); err != nil {
			return nil, nil, err
		}
		for _, args := range [][]string{{"init", "-q", "-b", "master"}, {"add", "-A"},
			{"-c", "user.name=Team", "-c", "user.email=team@example.com", "commit", "-q", "-m", "sources"}} {
			cmd := exec.Command("git", args...)
			cmd.Dir = to
			if out, err := cmd.CombinedOutput(); err != nil {
				return nil, nil, fmt.Errorf("git %s: %w\n%s", args[0], err, out)
			}
		}
	}
	return nil, func() {}, nil
}

// houndQuery is what people type, and what the page asks then.
func houndQuery(r *rand.Rand) request {
	time.Sleep(time.Millisecond)
	switch n := r.IntN(20); {
	case n == 0:
		return get("/")
	case n == 1:
		return get("/api/v1/repos")
	case n == 2:
		return get("/api/v1/excludes?repo=" + pick(r, houndRepos))
	}
	q := url.Values{"stats": {"fos"}, "repos": {"*"}, "rng": {":20"}, "files": {""}, "i": {"nope"}, "excludeFiles": {""}}
	q.Set("q", pick(r, []string{"ReadHeader", "Marshal", "func Dial", "context.Context", "TODO", "errors.New", "goroutine",
		"Transport", `func \(.*\) Close\(\)`, `err(or)?\.[A-Z]\w+`, `^type \w+ struct`, "deadline", "mutex.*Lock",
		`0x[0-9a-f]{4}`, `fmt\.Errorf\("[^"]*%w`, "buffer", "unsafe.Pointer", "noSuchNameAnywhere", "sync.Pool"}))
	if r.IntN(3) == 0 {
		q.Set("repos", pick(r, houndRepos))
	}
	if r.IntN(3) == 0 {
		q.Set("i", "fosho")
	}
	if r.IntN(4) == 0 {
		q.Set("files", pick(r, []string{`\.go$`, `_test\.go$`, `http`}))
	}
	if r.IntN(5) == 0 { // more of what one repository has
		q.Set("rng", "20:120")
		q.Set("repos", pick(r, houndRepos))
	}
	return get("/api/v1/search?" + q.Encode())
}
