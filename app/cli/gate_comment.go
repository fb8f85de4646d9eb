package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook/app/comment"
	"github.com/gocasebook/casebook/app/openfile"
)

// summaryVariable names the file whose Markdown GitHub shows on the page of a run, on forks too.
const summaryVariable = "GITHUB_STEP_SUMMARY"

type gateCommentFlags struct {
	github, gitlab bool
	markdown, key  string
}

func gateComment() *cobra.Command {
	var f gateCommentFlags
	cmd := &cobra.Command{
		Use:   "comment --github|--gitlab --markdown FILE",
		Short: "Write a gate's Markdown as one comment on a pull or merge request",
		Long: `Comment writes what casebook gate --markdown wrote as a comment on the pull
request of a GitHub workflow, or on the merge request of a GitLab job. A later
run changes that comment instead of adding another. Which request it is, and
where the API is, come from the variables that both set in CI.

GitHub: GITHUB_TOKEN needs the permission pull-requests: write. Without it, as
on pull requests from forks, and on pushes, the text goes into the summary of
the job. GitLab: CASEBOOK_GITLAB_TOKEN is a project access token with scope api
and role Reporter or higher. Without it, the text goes to standard output.

Exit codes: 0 written, or put elsewhere for want of the right; 2 wrong usage, or
the API failed.`,
		Example: `  casebook gate comment --github --markdown gate.md
  casebook gate comment --gitlab --markdown gate.md --key service`,
		DisableFlagsInUseLine: true,
		Args:                  cobra.NoArgs,
		RunE:                  func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.github, "github", false, "comment on the pull request of this workflow")
	flags.BoolVar(&f.gitlab, "gitlab", false, "comment on the merge request of this job")
	flags.StringVar(&f.markdown, "markdown", "", "the `file` that casebook gate --markdown wrote")
	flags.StringVar(&f.key, "key", "gate", "a `name` that tells the comments of several gates apart")
	return cmd
}

// keyForm keeps the end of an HTML comment out of the mark.
var keyForm = regexp.MustCompile(`^[A-Za-z0-9_.]+(-[A-Za-z0-9_.]+)*$`)

func (f *gateCommentFlags) run(cmd *cobra.Command) error {
	switch {
	case f.github == f.gitlab:
		return errors.New("gate comment: where? Give --github or --gitlab")
	case f.markdown == "":
		return errors.New("gate comment: want --markdown, the file that casebook gate --markdown wrote")
	case !keyForm.MatchString(f.key):
		return errors.New("--key: want letters, digits, dots, underscores and single dashes between them")
	}
	text, err := openfile.ReadSmall(f.markdown)
	if err != nil {
		return fmt.Errorf("--markdown: %w", err)
	}
	find := comment.GitHub
	if f.gitlab {
		find = comment.GitLab
	}
	thread, err := find(os.Getenv)
	if err == nil {
		var outcome comment.Outcome
		if outcome, err = thread.Put(cmd.Context(), f.key, string(text)); err == nil {
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "comment on %s: %s\n", thread.Name, outcome)
			return err
		}
	}
	if !errors.Is(err, comment.ErrDenied) && !errors.Is(err, comment.ErrNoRequest) {
		return err
	}
	return f.elsewhere(cmd, text, err)
}

// elsewhere puts the text where no right is needed, and says why.
func (f *gateCommentFlags) elsewhere(cmd *cobra.Command, text []byte, why error) error {
	file := os.Getenv(summaryVariable)
	if f.gitlab || file == "" {
		fmt.Fprintln(cmd.ErrOrStderr(), "casebook: no comment:", why)
		_, err := cmd.OutOrStdout().Write(text)
		return err
	}
	if err := appendTo(file, text); err != nil {
		return fmt.Errorf("writing the summary of the job: %w", err)
	}
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "no comment, but the summary of the job: %v\n", why)
	return err
}

// appendTo adds to a file that other steps write to, too.
func appendTo(file string, text []byte) error {
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = io.WriteString(f, string(text)+"\n")
	return errors.Join(err, f.Close())
}
