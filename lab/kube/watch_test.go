package kube

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// watched is how many containers are watched. All are the process of this test, which answers for each of them, beside
// the API server: more would measure how busy two cores are.
const watched = 100

// The command itself watches 100 containers of the real API server's: the time to the first watch and to the last, and
// the memory of the process. All are one process at 100 loopback addresses.
func TestFirstWatch(t *testing.T) {
	c, token := account(t)
	casebook := os.Getenv("CASEBOOK")
	if casebook == "" {
		t.Skip("CASEBOOK does not name the command; make kube does")
	}
	c.namespace(t, "live")
	port := serve(t, "0.0.0.0", func(http.Header) {})
	for i := range watched {
		c.pod(t, podAt("live", fmt.Sprintf("svc-%03d", i), fmt.Sprintf("127.20.%d.%d", i/250, i%250+1), port))
	}
	dir := t.TempDir()
	config := filepath.Join(dir, "config")
	if err := os.WriteFile(config, fmt.Appendf(nil, `current-context: test
clusters: [{name: test, cluster: {server: %q, certificate-authority: %q}}]
users: [{name: casebook, user: {token: %q}}]
contexts: [{name: test, context: {cluster: test, user: casebook}}]
`, c.Server, c.CA, token), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(casebook, "watch", "--kubernetes", "--namespace", "live", "--json", "--interval", "10s", "--dir", dir)
	cmd.Env = append(os.Environ(), "KUBECONFIG="+config)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill() }()
	late := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
	defer late.Stop()
	started := 0
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 16<<20)
	for started < watched && lines.Scan() {
		var e struct{ Event string }
		if json.Unmarshal(lines.Bytes(), &e) != nil || e.Event != "started" {
			continue
		}
		if started++; started == 1 || started == watched {
			t.Logf("watch %d of %d after %s", started, watched, time.Since(began).Round(10*time.Millisecond))
		}
	}
	if started < watched {
		t.Fatalf("%d of %d are watched", started, watched)
	}
	for range 3 * watched { // three samples of each
		if !lines.Scan() {
			t.Fatal("the watch ended")
		}
	}
	t.Logf("resident: %s", resident(t, cmd.Process.Pid))
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	for lines.Scan() { // so that it can write its end
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("casebook watch ended with %v", err)
	}
}

// resident is the memory of a process, as the kernel says it.
func resident(t *testing.T, pid int) string {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Skip("there is no /proc:", err)
	}
	_, rest, _ := strings.Cut(string(text), "VmRSS:")
	line, _, _ := strings.Cut(rest, "\n")
	return strings.TrimSpace(line)
}
