package cli_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/gocasebook/casebook/app/comment/commenttest"
	"github.com/gocasebook/casebook/app/setup"
)

// The files for CI systems, from the top of the repository.
const (
	actionFile    = ".github/actions/gate/action.yml"
	templateFile  = "ci/gitlab/casebook-gate.yml"
	containerFile = "ci/container/Containerfile"
)

// An action is what the tests read of a composite action of GitHub.
type action struct {
	Inputs map[string]struct{ Description, Default string }
	Runs   struct {
		Using string
		Steps []actionStep
	}
}

type actionStep struct {
	ID, If, Shell, Uses, Run string
	Dir                      string `yaml:"working-directory"`
	Env, With                map[string]string
	Continue                 bool `yaml:"continue-on-error"`
}

func readYAML[T any](t *testing.T, file string) (v T) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(page(t, file)), &v); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return v
}

// A workflow is one run of the action's steps in bash, as a runner would run them: expressions filled in, the files for
// outputs and the summary given, and steps of other actions noted.
type workflow struct {
	t       *testing.T
	dir     string // of the repository
	temp    string
	context map[string]string // by expression: "inputs.key", "github.base_ref", "steps.gate.outputs.code"
	vars    map[string]string
	used    []string // other actions, with what they were given
	out     strings.Builder
}

var expression = regexp.MustCompile(`\$\{\{\s*(.*?)\s*\}\}`)

func (w *workflow) fill(text string) string {
	return expression.ReplaceAllStringFunc(text, func(e string) string {
		return w.context[expression.FindStringSubmatch(e)[1]]
	})
}

// holds evaluates a condition of comparisons joined by &&, which is all that the action has. An expression that is not
// set is empty, as on a runner.
func (w *workflow) holds(condition string) bool {
	if condition == "" {
		return true
	}
	comparison := regexp.MustCompile(`^([\w.-]+) (==|!=) '([^']*)'$`)
	for part := range strings.SplitSeq(condition, " && ") {
		m := comparison.FindStringSubmatch(part)
		if m == nil {
			w.t.Fatalf("the test cannot read the condition %q", part)
		}
		if (w.context[m[1]] == m[3]) != (m[2] == "==") {
			return false
		}
	}
	return true
}

// run runs the steps and returns the exit code of the first that fails, 0 if none does.
func (w *workflow) run(a action) int {
	w.t.Helper()
	for name, in := range a.Inputs {
		if _, given := w.context["inputs."+name]; !given {
			w.context["inputs."+name] = w.fill(in.Default)
		}
	}
	for _, s := range a.Runs.Steps {
		if !w.holds(s.If) {
			continue
		}
		if s.Uses != "" {
			given := []string{s.Uses}
			for _, k := range slices.Sorted(maps.Keys(s.With)) {
				given = append(given, k+"="+w.fill(s.With[k]))
			}
			w.used = append(w.used, strings.Join(given, " "))
			continue
		}
		if code := w.step(s); code != 0 {
			return code
		}
	}
	return 0
}

func (w *workflow) step(s actionStep) int {
	w.t.Helper()
	outputs := filepath.Join(w.t.TempDir(), "output")
	if s.Shell != "bash" {
		w.t.Errorf("step %s has no shell: a composite action needs one", s.ID)
	}
	cmd := exec.CommandContext(w.t.Context(), "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", w.fill(s.Run))
	cmd.Dir = filepath.Join(w.dir, w.fill(s.Dir))
	cmd.Env = ciEnv(w.vars)
	for name, value := range s.Env {
		cmd.Env = append(cmd.Env, name+"="+w.fill(value))
	}
	cmd.Env = append(cmd.Env, "GITHUB_OUTPUT="+outputs, "RUNNER_TEMP="+w.temp)
	cmd.Stdout, cmd.Stderr = &w.out, &w.out
	_ = cmd.Run() // the code says it
	text, _ := os.ReadFile(outputs)
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		w.context["steps."+s.ID+".outputs."+name] = value
	}
	return cmd.ProcessState.ExitCode()
}

// slowerBranch is a clone of the shop whose branch allocates once more than main of its origin.
func slowerBranch(t *testing.T) string {
	t.Helper()
	origin, dir := shopRepo(t), filepath.Join(t.TempDir(), "shop")
	git := func(args ...string) {
		t.Helper()
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("clone", "-q", origin, dir)
	git("-C", dir, "checkout", "-q", "-b", "slower")
	if err := os.WriteFile(filepath.Join(dir, "fill_test.go"), []byte(strings.Replace(gateSource, "3", "4", 1)),
		0o600); err != nil {
		t.Fatal(err)
	}
	git("-C", dir, "-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-q", "-a", "-m", "slower")
	return dir
}

// quickArgs make a gate short: it judges allocations, which do not vary.
const quickArgs = "--benchtime 100x --runs 1 --rounds 3 --confirm 10 -q"

// The action's steps run as on a runner: the slower branch fails with one comment, which the next run keeps; from a fork
// the text goes into the summary.
func TestGitHubAction(t *testing.T) {
	t.Parallel()
	a := readYAML[action](t, actionFile)
	if a.Runs.Using != "composite" {
		t.Fatalf("it runs using %q", a.Runs.Using)
	}
	top, err := filepath.Abs(repository)
	if err != nil {
		t.Fatal(err)
	}
	dir, temp, api := slowerBranch(t), t.TempDir(), commenttest.New(t)
	api.NoUser = true
	run := func(event map[string]string) (*workflow, int) {
		vars := api.GitHub(t)
		delete(vars, "GITHUB_TOKEN") // a step has it only if the action gives it
		vars["GITHUB_ACTION_PATH"] = filepath.Join(top, filepath.Dir(actionFile))
		vars["GITHUB_STEP_SUMMARY"] = filepath.Join(temp, "summary.md")
		w := &workflow{t: t, dir: dir, temp: temp, vars: vars, context: map[string]string{
			"inputs.fail-on": "allocs:+0%", "inputs.args": quickArgs, "inputs.packages": "./...",
			"github.token": commenttest.Token, "github.base_ref": "main"}}
		maps.Copy(w.context, event)
		return w, w.run(a)
	}

	for _, want := range []string{"created", ""} {
		w, code := run(nil)
		if code != 1 || !strings.Contains(w.out.String(), "FAIL  BenchmarkNew") || !strings.Contains(w.out.String(), want) ||
			strings.Contains(w.out.String(), commenttest.Token) {
			t.Fatalf("code %d, want 1, the failure and a comment %s:\n%s", code, want, &w.out)
		}
		upload := "github/codeql-action/upload-sarif@v4 category=casebook-gate sarif_file=" + temp + "/casebook-gate/gate.sarif"
		if len(w.used) != 1 || w.used[0] != upload {
			t.Errorf("other actions: %v, want %s", w.used, upload)
		}
		if sarif := string(read(t, temp+"/casebook-gate/gate.sarif")); !strings.Contains(sarif, `"uri": "fill_test.go"`) {
			t.Errorf("%s", sarif)
		}
		if all := api.Comments(); len(all) != 1 || !strings.Contains(all[0].Body, "**FAIL**") {
			t.Fatalf("%d comments, want one with the failure: %+v", len(all), all)
		}
	}

	// From a fork, in a second gate of its own.
	api.ReadOnly = true
	w, code := run(map[string]string{"inputs.key": "fork", "github.event.pull_request.head.repo.fork": "true"})
	summary := string(read(t, filepath.Join(temp, "summary.md")))
	if code != 1 || len(w.used) != 0 || !strings.Contains(summary, "**FAIL**") || len(api.Comments()) != 1 {
		t.Errorf("code %d, other actions %v, want 1 and none, and the summary has:\n%s\n%s", code, w.used, summary, &w.out)
	}

	// A push has no base branch: the commit before is the base. Nothing is written where nobody asks.
	w, code = run(map[string]string{"github.base_ref": "", "inputs.comment": "false", "inputs.sarif": "false"})
	if code != 1 || len(w.used) != 0 || !strings.Contains(w.out.String(), "base: HEAD~1") {
		t.Errorf("code %d, want 1 against HEAD~1:\n%s", code, &w.out)
	}
}

// What cannot be told passes when the action is told so; every other code is the gate's.
func TestGitHubActionVerdict(t *testing.T) {
	t.Parallel()
	a := readYAML[action](t, actionFile)
	at := slices.IndexFunc(a.Runs.Steps, func(s actionStep) bool { return s.ID == "verdict" })
	if at < 0 {
		t.Fatal("there is no step verdict")
	}
	for _, c := range []struct {
		code, input string
		want        int
	}{{"0", "fail", 0}, {"1", "pass", 1}, {"2", "pass", 2}, {"3", "fail", 3}, {"3", "pass", 0}} {
		w := &workflow{t: t, dir: t.TempDir(), context: map[string]string{"steps.gate.outputs.code": c.code,
			"inputs.cannot-tell": c.input}}
		if got := w.step(a.Runs.Steps[at]); got != c.want {
			t.Errorf("gate %s, cannot-tell %s: code %d, want %d", c.code, c.input, got, c.want)
		}
	}
}

// A template is what the tests read of the one for GitLab.
type template struct {
	Job struct {
		Variables map[string]string
		Before    []string `yaml:"before_script"`
		Script    []string
		Allow     struct {
			Codes int `yaml:"exit_codes"`
		} `yaml:"allow_failure"`
		Artifacts struct {
			Paths   []string
			Reports map[string]string
		}
	} `yaml:"casebook-gate"`
}

// The template's script runs as a job would run it, and leaves what the artifacts name.
func TestGitLabTemplate(t *testing.T) {
	t.Parallel()
	job := readYAML[template](t, templateFile).Job
	dir, api := slowerBranch(t), commenttest.New(t)
	base, err := exec.Command("git", "-C", dir, "rev-parse", "origin/main").Output()
	if err != nil {
		t.Fatal(err)
	}
	vars := api.GitLab()
	maps.Copy(vars, job.Variables)
	maps.Copy(vars, map[string]string{"CI_MERGE_REQUEST_DIFF_BASE_SHA": strings.TrimSpace(string(base)),
		"CASEBOOK_FAIL_ON": "allocs:+0%", "CASEBOOK_ARGS": quickArgs,
		"PATH": filepath.Dir(bin) + string(os.PathListSeparator) + os.Getenv("PATH")})
	for range 2 {
		script := strings.Join(append(slices.Clone(job.Before), job.Script...), "\n")
		cmd := exec.CommandContext(t.Context(), "bash", "-eo", "pipefail", "-c", script)
		cmd.Dir, cmd.Env = dir, ciEnv(vars)
		out, _ := cmd.CombinedOutput() // the code says it
		if code := cmd.ProcessState.ExitCode(); code != 1 || strings.Contains(string(out), commenttest.Token) {
			t.Fatalf("code %d, want 1:\n%s", code, out)
		}
		if all := api.Comments(); len(all) != 1 || !strings.Contains(all[0].Body, "**FAIL**") {
			t.Fatalf("%d notes, want one with the failure:\n%s", len(all), out)
		}
	}
	if job.Allow.Codes != 3 {
		t.Errorf("exit code %d may fail, want 3, cannot tell", job.Allow.Codes)
	}
	for file, want := range map[string]string{job.Artifacts.Reports["junit"]: `file="shop_test.go"`,
		job.Artifacts.Reports["codequality"]: `"path": "fill_test.go"`, job.Artifacts.Paths[0]: "**FAIL**",
		job.Artifacts.Paths[1]: `"uri": "fill_test.go"`} {
		if text := string(read(t, filepath.Join(dir, file))); !strings.Contains(text, want) {
			t.Errorf("%s has no %q:\n%s", file, want, text)
		}
	}
}

// Every flag in the files for CI is one of the command that they call, the container's build names the command, and what
// casebook init proposes fits the action and the template.
func TestCIFilesFit(t *testing.T) {
	t.Parallel()
	help := inProcess(t, "gate", "--help").out + inProcess(t, "gate", "comment", "--help").out
	flag, seen := regexp.MustCompile(`[\s("](--[a-z]+)[\s"]`), 0
	for _, file := range []string{actionFile, templateFile, containerFile} {
		for line := range strings.Lines(page(t, file)) {
			if strings.Contains(line, "git ") || strings.Contains(line, "podman build") {
				continue
			}
			line = strings.ReplaceAll(line, "podman run --rm", "")
			for _, m := range flag.FindAllStringSubmatch(line, -1) {
				if seen++; !strings.Contains(help, m[1]+" ") && !strings.Contains(help, m[1]+"\n") {
					t.Errorf("%s: casebook gate has no %s: %s", file, m[1], line)
				}
			}
		}
	}
	if seen < 15 {
		t.Errorf("%d flags; has the form of the files changed?", seen)
	}
	if text := page(t, containerFile); !strings.Contains(text, "go build -C /casebook/app") ||
		!strings.Contains(text, "./cmd/casebook\n") {
		t.Errorf("%s builds something else:\n%s", containerFile, text)
	}

	survey := setup.Survey{Benchmarks: []string{"./a", "./b"}}
	var proposed struct {
		Jobs map[string]struct{ Steps []actionStep }
	}
	if err := yaml.Unmarshal([]byte(survey.Gate("github", "latest").Text), &proposed); err != nil {
		t.Fatal(err)
	}
	steps := proposed.Jobs["gate"].Steps
	last := steps[len(steps)-1]
	if want := "/" + filepath.Dir(actionFile) + "@main"; !strings.HasSuffix(last.Uses, want) {
		t.Errorf("init proposes %s, want %s", last.Uses, want)
	}
	inputs := readYAML[action](t, actionFile).Inputs
	for name, value := range last.With {
		if _, ok := inputs[name]; !ok || value == "" {
			t.Errorf("the action has no input %s, for %q", name, value)
		}
	}
	var job template
	if err := yaml.Unmarshal([]byte(survey.Gate("gitlab", "v0.1.0").Text), &job); err != nil {
		t.Fatal(err)
	}
	known := readYAML[template](t, templateFile).Job.Variables
	for name, value := range job.Job.Variables {
		if _, ok := known[name]; !ok || value == "" {
			t.Errorf("the template has no variable %s, for %q", name, value)
		}
	}
	if len(last.With) != 2 || len(job.Job.Variables) != 3 || !strings.Contains(fmt.Sprint(last.With), "./a ./b") {
		t.Errorf("%v, %v", last.With, job.Job.Variables)
	}
}
