package server

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/gocasebook/casebook/app/store"
	"github.com/gocasebook/casebook/casefile"
)

// debian returns the path of a program of a package of Debian. Without it the test is skipped.
func debian(t *testing.T, program, pkg string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		t.Skipf("%v: install Debian's package %s to run this test", err, pkg)
	}
	return path
}

// begin starts a program that ends with the test.
func begin(t *testing.T, path string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(path, args...)
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if data, err := os.ReadFile(out.Name()); err == nil && t.Failed() {
			t.Logf("%s printed:\n%s", path, data)
		}
		_ = out.Close()
	})
	return cmd
}

// freeAddress is one that nobody listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	l := listen(t)
	defer l.Close()
	return l.Addr().String()
}

// A real Prometheus with a rule that fires, and a real Alertmanager with our webhook: a case is opened, and the alert's
// end is written into it.
func TestRealAlertmanager(t *testing.T) {
	prometheus := debian(t, "prometheus", "prometheus")
	alertmanager := debian(t, "prometheus-alertmanager", "prometheus-alertmanager")
	lv := goLive(t, nil, watched(t, "shop"))
	token, err := lv.store.CreateToken(t.Context(), "alertmanager", store.Uploader)
	if err != nil {
		t.Fatal(err)
	}
	dir, at, metrics := t.TempDir(), freeAddress(t), freeAddress(t)
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	begin(t, alertmanager, "--config.file="+file("alertmanager.yml", fmt.Sprintf(`
route: {receiver: casebook, group_wait: 0s, group_interval: 1s, repeat_interval: 1s}
receivers:
  - name: casebook
    webhook_configs:
      - url: %s/api/v1/alerts/alertmanager
        send_resolved: true
        http_config: {authorization: {credentials: %s}}
`, lv.url, token)), "--web.listen-address="+at, "--storage.path="+filepath.Join(dir, "am"), "--cluster.listen-address=")
	rules := func(expr string) string {
		return file("rules.yml", `
groups:
  - name: test
    rules:
      - {alert: Slow, expr: "`+expr+`", labels: {job: shop, severity: page}, annotations: {summary: "p99 is high"}}
`)
	}
	p := begin(t, prometheus, "--config.file="+file("prometheus.yml", fmt.Sprintf(`
global: {evaluation_interval: 1s}
rule_files: [%s]
alerting: {alertmanagers: [{static_configs: [{targets: ['%s']}]}]}
`, rules("vector(1) > 0"), at)), "--rules.alert.resend-delay=1s", "--web.listen-address="+metrics,
		"--storage.tsdb.path="+filepath.Join(dir, "tsdb"))

	var done store.Capture
	await(t, "the case of the alert", func() bool {
		list, err := lv.store.Captures(t.Context(), "", 0)
		if err != nil || len(list) > 1 {
			t.Fatalf("the captures are %+v, %v; the same alert is one capture", list, err)
		}
		if len(list) == 1 {
			done = list[0]
		}
		return done.State == store.Done
	})
	await(t, "the same alert, sent again", func() bool { return strings.Contains(lv.log.String(), "known=1") })
	rules("vector(1) > 2")
	if err := p.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	var c casefile.Case
	await(t, "the end of the alert in the case", func() bool {
		if c, err = lv.store.Case(t.Context(), done.Case); err != nil {
			t.Fatal(err)
		}
		return !c.Trigger.Ended.IsZero()
	})
	if !strings.Contains(c.Trigger.Text, "alert Slow (Alertmanager): p99 is high; severity page") {
		t.Errorf("the case says %q", c.Trigger.Text)
	}
	if resp, err := http.Get("http://" + at + "/-/healthy"); err != nil {
		t.Error(err)
	} else if err := resp.Body.Close(); err != nil {
		t.Error(err)
	}
}
