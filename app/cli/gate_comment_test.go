package cli_test

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/comment/commenttest"
)

// inCI runs a command with the variables of a CI system and of no other.
func inCI(t *testing.T, dir string, vars map[string]string, args ...string) result {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), bin, args...)
	cmd.Dir, cmd.Env = dir, ciEnv(vars)
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	_ = cmd.Run() // the code says it
	return result{code: cmd.ProcessState.ExitCode(), out: out.String(), errors: errs.String()}
}

// ciEnv is this process's environment without what a CI system that runs these tests put into it.
func ciEnv(vars map[string]string) (env []string) {
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "GITHUB_") && !strings.HasPrefix(v, "CI_") && !strings.HasPrefix(v, "CASEBOOK_GITLAB") {
			env = append(env, v)
		}
	}
	for name, value := range vars {
		env = append(env, name+"="+value)
	}
	return env
}

func TestGateComment(t *testing.T) {
	t.Parallel()
	dir := writeFiles(t, map[string]string{"gate.md": "### Casebook gate: PASS\n"})
	for _, flag := range []string{"--github", "--gitlab"} {
		t.Run(flag, func(t *testing.T) {
			s := commenttest.New(t)
			vars := s.GitHub(t)
			maps.Copy(vars, s.GitLab())
			for _, want := range []string{"created", "unchanged"} {
				r := inCI(t, dir, vars, "gate", "comment", flag, "--markdown", "gate.md")
				if r.code != 0 || !strings.HasSuffix(r.out, want+"\n") {
					t.Errorf("code %d, want 0 and %s:\n%s%s", r.code, want, r.out, r.errors)
				}
			}
			if all := s.Comments(); len(all) != 1 || !strings.Contains(all[0].Body, "### Casebook gate: PASS") {
				t.Errorf("%+v", all)
			}
		})
	}
}

// On forks and on pushes the text goes elsewhere, and the exit code is 0; the token is printed nowhere.
func TestGateCommentWithoutRight(t *testing.T) {
	t.Parallel()
	dir := writeFiles(t, map[string]string{"gate.md": "### Casebook gate: FAIL\n", "push.json": "{}"})
	s := commenttest.New(t)
	s.ReadOnly = true
	push := s.GitHub(t)
	push["GITHUB_EVENT_PATH"] = filepath.Join(dir, "push.json")
	branch := s.GitLab()
	delete(branch, "CI_MERGE_REQUEST_IID")
	for name, c := range map[string]struct {
		flag string
		vars map[string]string
		want string
	}{
		"a fork":           {"--github", s.GitHub(t), "GitHub answers 403"},
		"a push":           {"--github", push, "no run for a pull or merge request"},
		"a weak token":     {"--gitlab", s.GitLab(), "GitLab answers 403"},
		"a branch's build": {"--gitlab", branch, "no run for a pull or merge request"},
	} {
		t.Run(name, func(t *testing.T) {
			summary := filepath.Join(t.TempDir(), "summary.md")
			if c.flag == "--github" {
				c.vars["GITHUB_STEP_SUMMARY"] = summary
			}
			r := inCI(t, dir, c.vars, "gate", "comment", c.flag, "--markdown", "gate.md")
			text := r.out
			if c.flag == "--github" {
				text = string(read(t, summary))
			}
			if all := r.out + r.errors; r.code != 0 || !strings.Contains(all, c.want) ||
				!strings.Contains(text, "### Casebook gate: FAIL") || strings.Contains(all+text, commenttest.Token) {
				t.Errorf("code %d, want 0 and %q, with the text in the summary or here:\n%s\n%s", r.code, c.want, all, text)
			}
		})
	}
}

func TestGateCommentRefuses(t *testing.T) {
	t.Parallel()
	dir := writeFiles(t, map[string]string{"gate.md": "x"})
	s := commenttest.New(t)
	redirected := s.GitHub(t)
	redirected["GITHUB_API_URL"] = "ftp://example.org"
	for _, c := range []struct {
		vars map[string]string
		args []string
		want string
	}{
		{nil, nil, "Give --github or --gitlab"},
		{nil, []string{"--github", "--gitlab"}, "Give --github or --gitlab"},
		{nil, []string{"--github"}, "want --markdown"},
		{nil, []string{"--github", "--markdown", "none.md"}, "none.md"},
		{nil, []string{"--github", "--markdown", "gate.md", "--key", "a --> b"}, "--key"},
		{nil, []string{"--github", "--markdown", "gate.md"}, "is this a run of GitHub Actions?"},
		{nil, []string{"--gitlab", "--markdown", "gate.md"}, "is this a job of GitLab CI?"},
		{redirected, []string{"--github", "--markdown", "gate.md"}, "not an http or https address"},
	} {
		r := inCI(t, dir, c.vars, append([]string{"gate", "comment"}, c.args...)...)
		if r.code != 2 || !strings.Contains(r.errors, c.want) {
			t.Errorf("%v: code %d, want 2 and %q in %q", c.args, r.code, c.want, r.errors)
		}
	}
}
