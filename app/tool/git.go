package tool

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// A Git runs git in a folder of a repository. Its zero value reads this one: it starts no program that the repository's
// configuration names, and asks no other host.
type Git struct {
	Dir   string
	Input []byte   // of standard input; nil: none
	Set   []string // further settings, as name=value
	// RunsCode is for commands that say that they run code of the tree. Filters of its configuration (git-lfs) run on
	// checkout, objects that a partial clone lacks are fetched, and there is no time limit. Hooks, fsmonitor and gpg
	// are left out all the same.
	RunsCode bool
	// Remote lets git reach the remotes that the configuration names, by file, ssh, http and git. A program for that must
	// not be named by the repository's own configuration, unless RunsCode is set, too. It has no time limit.
	Remote bool
}

// quiet are settings under which git starts nothing by itself, whatever the configuration says. Where a setting has a
// list of values, an empty one drops those before it.
var quiet = [...]string{
	"core.fsmonitor=false", "core.hooksPath=/dev/null", "core.pager=cat", "core.editor=:", "sequence.editor=:",
	"core.alternateRefsCommand=true", "diff.external=", "log.showSignature=false", "commit.gpgSign=false",
	"tag.gpgSign=false", "push.gpgSign=false", "gpg.format=openpgp", "gpg.program=", "gc.auto=0", "maintenance.auto=false",
	"submodule.recurse=false", "status.submoduleSummary=false", "fetch.recurseSubmodules=false",
	"push.recurseSubmodules=no",
}

// alone are those with which it reaches nobody and asks nobody for a password.
var alone = [...]string{"protocol.allow=never", "core.sshCommand=false", "core.gitProxy=", "core.askPass=",
	"credential.helper="}

// objects are the subcommands that read and write objects and refs alone: no file of the working tree goes through them,
// so that no filter can.
var objects = [...]string{"branch", "cat-file", "check-ref-format", "commit-tree", "config", "fetch", "for-each-ref", "hash-object",
	"log", "ls-remote", "ls-tree", "mktree", "push", "remote", "rev-list", "rev-parse", "update-ref"}

// gitLimit bounds a question to git: git log -L over ten thousand commits takes some seconds.
const gitLimit = 2 * time.Minute

// Run runs a subcommand and returns what it printed. Errors are as those of the function Run.
func (g Git) Run(ctx context.Context, subcommand string, args ...string) ([]byte, error) {
	c := call{dir: g.Dir, name: "git", input: g.Input, env: g.environment()}
	if !g.RunsCode && !g.Remote {
		c.limit = gitLimit
	}
	set := quiet[:]
	if !g.RunsCode && !g.Remote {
		set = append(set, alone[:]...)
	}
	if g.Remote && !g.RunsCode {
		if err := g.onlyTheirs(ctx); err != nil {
			return nil, err
		}
	}
	if !g.RunsCode && !slices.Contains(objects[:], subcommand) {
		filters, err := g.withoutFilters(ctx)
		if err != nil {
			return nil, err
		}
		set = append(slices.Clip(set), filters...)
	}
	for _, s := range append(slices.Clip(set), g.Set...) {
		c.args = append(c.args, "-c", s)
	}
	c.args = append(append(c.args, "--no-pager", "--no-optional-locks", subcommand), tame(subcommand)...)
	c.args = append(c.args, args...)
	out, stderr, err := c.run(ctx)
	return out, said(err, "git "+subcommand, out, stderr)
}

// tame are the flags with which a subcommand starts no program for a kind of file, and none in a submodule, whose
// configuration is another one.
func tame(subcommand string) []string {
	switch subcommand {
	case "diff":
		return []string{"--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty"}
	case "log":
		return []string{"--no-ext-diff", "--no-textconv", "--no-show-signature"}
	case "status":
		return []string{"--ignore-submodules=dirty"}
	}
	return nil
}

// environment is that of a call. What git is told there about repositories, configuration and programs is for those who
// call it by hand; only to reach a remote, or to build, is it what they want here, too.
func (g Git) environment() []string {
	if g.RunsCode || g.Remote {
		env := slices.DeleteFunc(os.Environ(), elsewhere)
		if g.Remote {
			env = append(env, "GIT_ALLOW_PROTOCOL=file:git:http:https:ssh")
		}
		return append(env, "GIT_TERMINAL_PROMPT=0")
	}
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "GIT_") || strings.HasPrefix(v, "SSH_ASKPASS=")
	})
	return append(env, "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "GIT_ALLOW_PROTOCOL=none", "GIT_NO_LAZY_FETCH=1",
		"GIT_OPTIONAL_LOCKS=0", "GIT_PAGER=cat", "GIT_EDITOR=:")
}

// elsewhere reports whether an environment variable would send git to another repository than the one of its folder (git
// sets these for its hooks), or make it start a program for a difference.
func elsewhere(variable string) bool {
	name, _, _ := strings.Cut(variable, "=")
	switch name {
	case "GIT_DIR", "GIT_WORK_TREE", "GIT_IMPLICIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX",
		"GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE", "GIT_EXTERNAL_DIFF":
		return true
	}
	return false
}

// withoutFilters are settings that empty the filters that the configuration has. git has no setting for all of them.
func (g Git) withoutFilters(ctx context.Context) (set []string, err error) {
	names, err := g.configured(ctx, "--name-only", `^filter\.`)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		name = name[:strings.LastIndexByte(name, '.')+1]
		if strings.Contains(name, "=") { // -c ends the name of a setting at the first one
			return nil, fmt.Errorf("git's configuration of %s has a filter called %q, which cannot be switched off: rename it",
				g.Dir, name)
		}
		for _, off := range []string{"process=", "clean=", "smudge=", "required=false"} {
			if s := name + off; !slices.Contains(set, s) {
				set = append(set, s)
			}
		}
	}
	return set, nil
}

// network matches settings that name a program with which git reaches a remote or asks for a password. git writes the
// first and last part of a name in lower case.
const network = `^(core\.(sshcommand|gitproxy|askpass)|credential\..*helper|credential\.helper|` +
	`remote\..*\.(uploadpack|receivepack|vcs))$`

// onlyTheirs refuses a repository whose own configuration names such a program.
func (g Git) onlyTheirs(ctx context.Context) error {
	names, err := g.configured(ctx, "--show-scope", network)
	if err != nil {
		return err
	}
	for i := 0; i+1 < len(names); i += 2 { // a scope, and a setting with its value
		if scope := names[i]; scope != "local" && scope != "worktree" {
			continue
		}
		name, _, _ := strings.Cut(names[i+1], "\n")
		return fmt.Errorf("git's configuration of the repository in %s names a program for the network (%s), which would run: "+
			"put it into your own with git config --global, or do without the remote (--remote -)", g.Dir, name)
	}
	return nil
}

// configured asks for settings whose names match a pattern. Reading the configuration starts nothing.
func (g Git) configured(ctx context.Context, flag, pattern string) ([]string, error) {
	c := call{dir: g.Dir, name: "git", env: g.environment(), limit: gitLimit,
		args: []string{"config", "-z", "--includes", flag, "--get-regexp", pattern}}
	out, stderr, err := c.run(ctx)
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 && len(stderr) == 0 { // there is none
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading git's configuration: %w", said(err, "git config", out, stderr))
	}
	return strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 }), nil
}
