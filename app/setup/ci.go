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

// Gate proposes the job for a CI. It is nil without benchmarks: there is nothing to measure.
func (s *Survey) Gate(ci, version string) *Gate {
	if len(s.Benchmarks) == 0 {
		return nil
	}
	packages := strings.Join(s.Benchmarks, " ")
	install := "go install " + rootPath + "/app/cmd/casebook@" + version
	if ci == "gitlab" {
		return &Gate{CI: ci, File: ".gitlab/casebook.yml", Include: true, Text: fmt.Sprintf(`# Include it in .gitlab-ci.yml:
#   include: {local: .gitlab/casebook.yml}
casebook-gate:
  image: golang:1
  rules: [{if: $CI_PIPELINE_SOURCE == "merge_request_event"}]
  variables: {GIT_DEPTH: 0}
  script:
    - %s
    - casebook gate --against "origin/$CI_MERGE_REQUEST_TARGET_BRANCH_NAME" --fail-on '%s' --junit casebook.xml --markdown casebook.md %s
  artifacts:
    when: always
    paths: [casebook.md]
    reports: {junit: casebook.xml}
`, install, limits, packages)}
	}
	return &Gate{CI: "github", File: ".github/workflows/casebook.yml", Text: fmt.Sprintf(`name: casebook
on: pull_request
permissions: {contents: read}
jobs:
  gate:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with: {fetch-depth: 0}
      - uses: actions/setup-go@v5
        with: {go-version-file: go.mod}
      - run: %s
      - run: casebook gate --against "origin/${{ github.base_ref }}" --fail-on '%s' --markdown "$GITHUB_STEP_SUMMARY" %s
`, install, limits, packages)}
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
