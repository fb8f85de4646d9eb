package cli_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/access"
	"github.com/gocasebook/casebook/app/cli"
	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/lint"
	"github.com/gocasebook/casebook/app/pprofweb"
	"github.com/gocasebook/casebook/app/store/driver"
	_ "github.com/gocasebook/casebook/app/store/drivers"
	"github.com/gocasebook/casebook/app/store/storetest"
	"github.com/gocasebook/casebook/internal/victimtest"
)

// TestMain builds the victim: these tests run real processes, as a user does. The command is this program by its name,
// because all that it links is here already.
func TestMain(m *testing.M) {
	beLintTool()
	lint.As(os.Args[1:]) // go vet asks this test for an analyzer, as it asks casebook
	pprofweb.As(os.Args[1:])
	switch filepath.Base(os.Args[0]) {
	case commandName:
		if os.Getenv(withoutDrivers) != "" {
			driver.Link(nil)
		}
		os.Exit(command.Main(cli.Run)) // app/cmd/casebook does no more
	case storeCommandName:
		os.Exit(command.Main(cli.Run))
	}
	if dir := os.Getenv(selfDir); dir != "" {
		os.Exit(beService(dir))
	}
	if mode := os.Getenv(serverMode); mode != "" {
		os.Exit(beServer(mode, os.Args[1], os.Args[2]))
	}
	flag.Parse()
	if err := flag.Set("test.parallel", "6"); err != nil { // they mostly wait, whatever the number of cores
		panic(err)
	}
	os.Exit(run(m))
}

const (
	commandName      = "casebook"
	storeCommandName = "casebook-store"
)

// withoutDrivers is a variable that makes this program casebook as app/cmd/casebook builds it.
const withoutDrivers = "CASEBOOK_TEST_WITHOUT_DRIVERS"

var bin, victim, programs string // paths of the programs, and their folder; set once, before any test

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "casebook-cli")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	defer os.RemoveAll(dir)
	bin, programs = filepath.Join(dir, commandName), dir
	self, err := os.Executable()
	if err == nil {
		err = linkOrCopy(self, bin)
	}
	if err == nil {
		victim, err = victimtest.Build(dir) // without the race detector: it is the watched one
	}
	if err == nil {
		err = errors.Join(os.Setenv(tokenVar, "s3cret"), os.Setenv("XDG_STATE_HOME", filepath.Join(dir, "state")),
			os.Setenv("AWS_ACCESS_KEY_ID", storetest.GatewayUser),
			os.Setenv("AWS_SECRET_ACCESS_KEY", storetest.GatewaySecret))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	http.DefaultClient.Transport = withSecret{}
	return m.Run()
}

// linkOrCopy gives a program a second name, in a folder that may be on another file system.
func linkOrCopy(from, to string) error {
	if os.Link(from, to) == nil {
		return nil
	}
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o700)
}

// ownName gives a program a name of its own, so that its processes are told from those of other tests.
func ownName(t *testing.T, program string) string {
	t.Helper()
	own := filepath.Join(t.TempDir(), filepath.Base(program))
	if err := linkOrCopy(program, own); err != nil {
		t.Fatal(err)
	}
	return own
}

// withSecret sends what is in the file that casebook serve makes for programs of its user, unless a request has a
// token.
type withSecret struct{}

func (withSecret) RoundTrip(r *http.Request) (*http.Response, error) {
	if file, err := access.SecretFile("serve-token"); err == nil && r.Header.Get("Authorization") == "" {
		if s, err := access.ReadSecret(file); err == nil { // a server may not have made it yet
			r = r.Clone(r.Context())
			r.Header.Set("Authorization", "Bearer "+s.Token())
		}
	}
	return http.DefaultTransport.RoundTrip(r)
}

// start runs the victim and returns its address.
func start(t *testing.T, args ...string) string {
	t.Helper()
	addr, _ := victimtest.Start(t, victim, args...)
	return "http://" + addr
}

// patience limits the wait for what comes at any speed of the machine.
const patience = 12 * time.Minute

// A result is what a command printed and how it ended.
type result struct {
	code        int
	out, errors string
}

// casebook runs the command in a folder of its own.
func casebook(t *testing.T, dir string, args ...string) result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, bin, args...)
	cmd.Dir = dir
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return result{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
}

func (r result) want(t *testing.T, code int, texts ...string) {
	t.Helper()
	if r.code != code {
		t.Errorf("exit code %d, want %d; it said:\n%s%s", r.code, code, r.out, r.errors)
	}
	for _, text := range texts {
		if !strings.Contains(r.out+r.errors, text) {
			t.Errorf("want %q in:\n%s%s", text, r.out, r.errors)
		}
	}
}

// wantHealthy is want of what must have no warning. A busy machine is a notice of its own: cpu-neighbours.
func (r result) wantHealthy(t *testing.T, texts ...string) {
	t.Helper()
	r.want(t, 0, texts...)
	if strings.Contains(r.out, "WARNING ") || strings.Contains(r.out, "CRITICAL ") {
		t.Errorf("want no warning in:\n%s", r.out)
	}
}

// inProcess runs the command in this process, where no other is needed: starting a hundred processes takes a minute.
func inProcess(t *testing.T, args ...string) result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var out, errs bytes.Buffer
	code := cli.Run(ctx, args, &out, &errs)
	return result{code, out.String(), errs.String()}
}

// write writes a file into a new folder and returns its path.
func write(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
