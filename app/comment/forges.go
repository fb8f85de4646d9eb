package comment

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/gocasebook/casebook/internal/redirect"
)

// github is api.github.com and GitHub Enterprise Server: https://docs.github.com/en/rest/issues/comments
var github = forge{
	name: "GitHub",
	authorize: func(h http.Header, token string) {
		h.Set("Authorization", "Bearer "+token)
		h.Set("Accept", "application/vnd.github+json")
		h.Set("X-GitHub-Api-Version", "2022-11-28")
	},
	edit: func(list string, id int64) string {
		issues, _, _ := strings.Cut(list, "/issues/")
		return issues + "/issues/comments/" + strconv.FormatInt(id, 10)
	},
	editMethod: http.MethodPatch,
	most:       65_536,
	mine: func(c *posted, me *author) bool {
		if me == nil {
			return c.User.Type == "Bot" // the token of a workflow has no user
		}
		return c.User.ID == me.ID
	},
}

// gitlab is gitlab.com and GitLab of one's own: https://docs.gitlab.com/api/notes/#merge-requests
var gitlab = forge{
	name:      "GitLab",
	authorize: func(h http.Header, token string) { h.Set("PRIVATE-TOKEN", token) },
	edit: func(list string, id int64) string {
		return list + "/" + strconv.FormatInt(id, 10)
	},
	editMethod: http.MethodPut,
	most:       1_000_000,
	mine:       func(c *posted, me *author) bool { return me != nil && c.Author.ID == me.ID },
}

// GitHub reads what GitHub Actions says of a run, from the variables that getenv has:
// https://docs.github.com/en/actions/reference/workflows-and-actions/variables
func GitHub(getenv func(string) string) (*Thread, error) {
	repository := getenv("GITHUB_REPOSITORY")
	if owner, name, ok := strings.Cut(repository, "/"); !ok || owner == "" || name == "" || strings.Contains(name, "/") {
		return nil, errors.New("GITHUB_REPOSITORY is not OWNER/NAME: is this a run of GitHub Actions?")
	}
	number, err := pullRequest(getenv("GITHUB_EVENT_PATH"))
	if err != nil {
		return nil, err
	}
	api := getenv("GITHUB_API_URL")
	if api == "" {
		api = "https://api.github.com"
	}
	return newThread(github, api, getenv("GITHUB_TOKEN"), fmt.Sprintf("/repos/%s/issues/%d/comments", repository, number),
		fmt.Sprintf("pull request %d of %s", number, repository))
}

// pullRequest reads the number from the event of the run.
func pullRequest(file string) (int, error) {
	if file == "" {
		return 0, fmt.Errorf("%w: GITHUB_EVENT_PATH is not set", ErrNoRequest)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return 0, fmt.Errorf("reading the event of the run: %w", err)
	}
	var event struct {
		PullRequest struct {
			Number int `json:"number"`
		} `json:"pull_request"`
	}
	if err := json.Unmarshal(data, &event); err != nil {
		return 0, fmt.Errorf("reading the event of the run: %w", err)
	}
	if event.PullRequest.Number <= 0 {
		return 0, ErrNoRequest
	}
	return event.PullRequest.Number, nil
}

// TokenVariable holds a token that may write notes: the one of a GitLab job, CI_JOB_TOKEN, may not.
const TokenVariable = "CASEBOOK_GITLAB_TOKEN"

// GitLab reads what GitLab CI says of a job: https://docs.gitlab.com/ci/variables/predefined_variables/
func GitLab(getenv func(string) string) (*Thread, error) {
	api := getenv("CI_API_V4_URL")
	if api == "" {
		return nil, errors.New("CI_API_V4_URL is not set: is this a job of GitLab CI?")
	}
	request, err := strconv.Atoi(getenv("CI_MERGE_REQUEST_IID"))
	if err != nil {
		return nil, ErrNoRequest
	}
	project := getenv("CI_MERGE_REQUEST_PROJECT_ID") // where it is to be merged, which a fork is not
	if _, err := strconv.Atoi(project); err != nil {
		return nil, errors.New("CI_MERGE_REQUEST_PROJECT_ID is not a number: is this a job of GitLab CI?")
	}
	return newThread(gitlab, api, getenv(TokenVariable), fmt.Sprintf("/projects/%s/merge_requests/%d/notes", project, request),
		fmt.Sprintf("merge request %d", request))
}

func newThread(f forge, api, token, list, name string) (*Thread, error) {
	u, err := url.Parse(api)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.RawQuery != "" {
		return nil, fmt.Errorf("the address of %s's API is not an http or https address without user and query", f.name)
	}
	return &Thread{Name: name, api: u, forge: f, list: list, token: token,
		client: &http.Client{Timeout: askTime, CheckRedirect: redirect.Never}, wait: sleep}, nil
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
