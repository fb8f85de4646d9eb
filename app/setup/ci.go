package setup

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A Gate is a job of a CI that measures benchmarks of a change against its base.
type Gate struct {
	CI   string `json:"ci"`   // "github", "gitlab"
	File string `json:"file"` // below the module's folder
	Text string `json:"text"`
	// Include is true if File is only a part, which a person must include in another.
	Include bool `json:"include,omitempty"`
}

// limits are those of casebook gate by default, a little wider in time: CI's machines are shared.
const limits = "time:+10%,allocs:+1%"

// Gate proposes the job for a CI: of GitHub by the action in this repository, of GitLab by its template. It is nil
// without benchmarks: there is nothing to measure.
func (s *Survey) Gate(ci, version string) *Gate {
	if len(s.Benchmarks) == 0 {
		return nil
	}
	packages := strings.Join(s.Benchmarks, " ")
	ref := version
	if ref == "latest" {
		ref = "main" // a name that git knows
	}
	if ci == "gitlab" {
		return &Gate{CI: ci, File: ".gitlab/casebook.yml", Include: true, Text: fmt.Sprintf(`# Include it in .gitlab-ci.yml:
#   include: {local: .gitlab/casebook.yml}
# For a note on the merge request set CASEBOOK_GITLAB_TOKEN, a project access token with scope api.
include:
  - remote: https://raw.githubusercontent.com/%s/%s/ci/gitlab/casebook-gate.yml
casebook-gate:
  variables:
    CASEBOOK_VERSION: %s
    CASEBOOK_FAIL_ON: %s
    CASEBOOK_PACKAGES: %s
`, repository, ref, version, limits, packages)}
	}
	return &Gate{CI: "github", File: ".github/workflows/casebook.yml", Text: fmt.Sprintf(`name: casebook
on: pull_request
permissions:
  contents: read
  pull-requests: write # for the comment
  security-events: write # for code scanning
jobs:
  gate:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v5
        with: {fetch-depth: 0}
      - uses: actions/setup-go@v6
        with: {go-version-file: go.mod}
      - uses: %s/.github/actions/gate@%s
        with:
          packages: %s
          fail-on: %s
`, repository, ref, packages, limits)}
}

// Write writes the job, if there is no file of that name.
func (g *Gate) Write(dir string) error {
	path := filepath.Join(dir, filepath.FromSlash(g.File))
	if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%s exists already: move it away first", path)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(g.Text), 0o644)
}
