package cli_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// served starts casebook serve and returns the address that it prints, and what ends it and wants exit code 0.
func served(t *testing.T, args ...string) (url string, end func()) {
	t.Helper()
	cmd := exec.Command(bin, append([]string{"serve", "--addr", "127.0.0.1:0"}, args...)...)
	said, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	lines := bufio.NewScanner(said)
	for lines.Scan() {
		if addr, ok := strings.CutPrefix(lines.Text(), "Cases at "); ok {
			url = addr
			break
		}
	}
	if url == "" {
		t.Fatalf("casebook serve %q printed no address", args)
	}
	go func() { _, _ = io.Copy(io.Discard, said) }()
	return url, func() {
		t.Helper()
		if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
			t.Error(err)
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("casebook serve %q ended with %v", args, err)
		}
	}
}

func get(t *testing.T, url string, v any) (code int, body string) {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if v != nil {
		if err := json.Unmarshal(data, v); err != nil {
			t.Fatalf("%v in %s", err, data)
		}
	}
	return resp.StatusCode, string(data)
}

// sendCase exports a case of a folder and sends it to a server.
func sendCase(t *testing.T, url, source, id string) {
	t.Helper()
	zip := filepath.Join(t.TempDir(), "case.zip")
	casebook(t, source, "case", "export", "--dir", source, id, "-o", zip).want(t, 0)
	data, err := os.ReadFile(zip)
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequest(http.MethodPut, url+"api/v1/cases/"+id, bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	if err := resp.Body.Close(); err != nil || resp.StatusCode != http.StatusCreated {
		t.Fatalf("sending the case: %s, %v", resp.Status, err)
	}
}

// A case is sent to a server, which diagnoses it; the store is checked and backed up, and the backup is served.
func TestServeStore(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	url, end := served(t, "--store", dir)
	source := t.TempDir()
	id := oldCases(t, source, 1, 1)[0]
	sendCase(t, url, source, id)
	var c casefile.Case
	for deadline := time.Now().Add(patience / 2); len(c.Undecided) == 0; time.Sleep(100 * time.Millisecond) {
		if get(t, url+"api/v1/cases/"+id, &c); time.Now().After(deadline) {
			t.Fatal("the case was not diagnosed")
		}
	}
	if code, page := get(t, url+"cases/"+id, nil); code != http.StatusOK || !strings.Contains(page, "gc_cpu was 31 %") {
		t.Errorf("the case's page: %d, %.200s", code, page)
	}
	casebook(t, dir, "store", "check", "--store", dir).want(t, 0, "1 case, 1 pieces of evidence in 1 blobs")
	backup := filepath.Join(t.TempDir(), "backup")
	casebook(t, dir, "store", "backup", "--store", dir, backup).want(t, 0, "copied 1 case,", "0 were there")
	casebook(t, dir, "store", "backup", "--store", dir, backup).want(t, 0, "copied 0 cases,", "1 were there")
	end()
	url, end = served(t, "--store", backup)
	if code, list := get(t, url+"?q=victim", nil); code != http.StatusOK || !strings.Contains(list, id) {
		t.Errorf("the list of the backup: %d, %.500s", code, list)
	}
	end()
	if err := os.RemoveAll(filepath.Join(dir, "blobs")); err != nil {
		t.Fatal(err)
	}
	casebook(t, dir, "store", "check", "--store", dir).want(t, 1, "missing", "store repair")
	casebook(t, dir, "store", "repair", "--store", dir, "--from", backup).want(t, 0, "brought back 1 blobs")
	casebook(t, dir, "store", "check", "--store", dir).want(t, 0)
	casebook(t, dir, "store", "repair", "--store", dir).want(t, 2, "--from is missing")
	url, end = served(t, source)
	if code, list := get(t, url, nil); code != http.StatusOK || !strings.Contains(list, id) {
		t.Errorf("the list of a folder: %d, %.500s", code, list)
	}
	end()
}

func TestStoreToken(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	token := casebook(t, ".", "store", "token", "create", "--store", dir, "--role", "uploader", "watch-eu")
	token.want(t, 0)
	casebook(t, ".", "store", "token", "ls", "--store", dir).want(t, 0, "uploader", "watch-eu")
	url, end := served(t, "--store", dir)
	for _, wrong := range []string{"", "x"} {
		code, _ := get(t, strings.Replace(url, "http://", "http://x:"+wrong+"@", 1), nil)
		if code != http.StatusUnauthorized {
			t.Errorf("with the token %q: %d, want 401", wrong, code)
		}
	}
	if code, body := get(t, strings.Replace(url, "http://", "http://x:"+strings.TrimSpace(token.out)+"@", 1), nil); code !=
		http.StatusOK {
		t.Errorf("with the token: %d, %s", code, body)
	}
	casebook(t, ".", "store", "token", "revoke", "--store", dir, "watch-eu").want(t, 0)
	casebook(t, ".", "store", "token", "revoke", "--store", dir, "watch-eu").want(t, 2, "not found")
	end()
}

func TestServeRefuses(t *testing.T) {
	for _, tc := range []struct{ args, want string }{
		{"serve nowhere", "casebook watch makes one"},
		{"serve . --store x", "not both"},
		{"serve --store mysql://x", "not a database that Casebook knows"},
		{"serve --store postgres://x/y", "--blobs is missing"},
		{"serve --store env:CASEBOOK_NO_SUCH_VARIABLE", "is not set"},
		{"serve --tls-cert x", "belong together"},
		{"serve . --addr nowhere", "--addr"},
		{"store check", "--store is missing"},
		{"store token create --store x --role king me", "roles are viewer"},
	} {
		casebook(t, t.TempDir(), strings.Fields(tc.args)...).want(t, 2, tc.want)
	}
}
