package kube

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/kube/kubetest"
)

const twoContexts = `
current-context: test
clusters:
- {name: test, cluster: {server: "https://10.0.0.1:6443"}}
- {name: plain, cluster: {server: "http://10.0.0.1:8080"}}
- {name: far, cluster: {server: "https://10.0.0.1:6443", proxy-url: "socks5://jump:1080"}}
users:
- {name: ann, user: {token: s3cret}}
- {name: aws, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: aws, args: [eks, get-token]}}}
- {name: gke, user: {auth-provider: {name: gcp}}}
- {name: root, user: {as: system:admin, token: s3cret}}
- {name: old, user: {username: admin, password: s3cret}}
- {name: bad, user: {token: "s3cret\nX-Header: y"}}
- {name: half, user: {client-certificate-data: "czNjcmV0"}}
- {name: nob64, user: {client-certificate-data: "s3cret!"}}
contexts:
- {name: test, context: {cluster: test, user: ann, namespace: shop}}
- {name: aws, context: {cluster: test, user: aws}}
- {name: gke, context: {cluster: test, user: gke}}
- {name: root, context: {cluster: test, user: root}}
- {name: old, context: {cluster: test, user: old}}
- {name: bad, context: {cluster: test, user: bad}}
- {name: half, context: {cluster: test, user: half}}
- {name: nob64, context: {cluster: test, user: nob64}}
- {name: plain, context: {cluster: plain, user: ann}}
- {name: far, context: {cluster: far, user: ann}}
- {name: lost, context: {cluster: nowhere, user: ann}}
- {name: nobody, context: {cluster: test, user: nobody}}
`

func configFile(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// What cannot be used is said with the next step, and without what is secret.
func TestKubeconfigFaults(t *testing.T) {
	file := configFile(t, twoContexts)
	for context, want := range map[string]string{
		"aws":    "start kubectl proxy",
		"gke":    "start kubectl proxy",
		"root":   "start kubectl proxy",
		"far":    "start kubectl proxy",
		"old":    "1.19",
		"bad":    "not a token",
		"half":   "do not belong together",
		"nob64":  "not base64",
		"plain":  "want an https address",
		"lost":   `cluster "nowhere"`,
		"nobody": `user "nobody"`,
		"typo":   "its contexts are test, aws, gke",
	} {
		_, err := fromFiles([]string{file}, context)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("context %s: %v; want %q", context, err, want)
		}
	}
	c, err := fromFiles([]string{file}, "")
	if err != nil || c.Token != "s3cret" || c.Namespace != "shop" || c.Server != "https://10.0.0.1:6443" {
		t.Errorf("the current context is %+v, %v", c, err)
	}
	if _, err := fromFiles([]string{configFile(t, "contexts: [")}, ""); err == nil ||
		!strings.Contains(err.Error(), "not the YAML of a kubeconfig") {
		t.Errorf("a torn file: %v", err)
	}
	if _, err := fromFiles([]string{configFile(t, "clusters: []")}, ""); err == nil ||
		!strings.Contains(err.Error(), "no current-context") {
		t.Errorf("a file without contexts: %v", err)
	}
	if _, err := fromFiles([]string{"/does/not/exist"}, ""); err == nil || !strings.Contains(err.Error(), "set KUBECONFIG") {
		t.Errorf("no file: %v", err)
	}
}

// Several files are one; the first that says something counts, and paths are of the file that has them.
func TestKubeconfigMerged(t *testing.T) {
	first := configFile(t, "current-context: aws2\ncontexts:\n- {name: aws2, context: {cluster: test, user: file}}\n"+
		"users:\n- {name: file, user: {tokenFile: token}}\n")
	token := filepath.Join(filepath.Dir(first), "token")
	if err := os.WriteFile(token, []byte("t\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := fromFiles([]string{first, "/does/not/exist", configFile(t, twoContexts)}, "")
	if err != nil || c.TokenFile != token || c.Server != "https://10.0.0.1:6443" {
		t.Errorf("the cluster is %+v, %v", c, err)
	}
}

// A kubectl proxy is asked on this machine alone.
func TestAtAddress(t *testing.T) {
	for address, want := range map[string]string{
		"http://127.0.0.1:8001": "", "http://localhost:8001/": "", "http://[::1]:8001": "",
		"http://10.0.0.1:8001": "not on this machine", "http://proxy.internal:8001": "not on this machine",
		"https://127.0.0.1:8001": "not the address of a kubectl proxy", "127.0.0.1:8001": "not the address",
		"http://127.0.0.1:8001/x": "not the address", "http://ann:s3cret@127.0.0.1:8001": "not the address",
	} {
		_, err := AtAddress(address)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v; want %q", address, err, want)
		}
	}
}

// A service account is read as Kubernetes mounts it.
func TestServiceAccount(t *testing.T) {
	s := kubetest.New(t)
	c := clusterOf(t, s)
	if c.Namespace != "shop" || c.TokenFile == "" || c.TLS == nil || c.TLS.RootCAs == nil || c.Token != "" {
		t.Errorf("the cluster is %+v", c)
	}
	if _, err := fromAccount(s.URL, t.TempDir()); err == nil || !strings.Contains(err.Error(), "automountServiceAccountToken") {
		t.Errorf("without a token: %v", err)
	}
}
