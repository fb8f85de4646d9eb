package kube

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"
)

// binary is what make kube builds; without it the tests are skipped.
var binary = os.Getenv("CASEBOOK_KUBE_SERVER")

// patience is how long a busy machine may take for what takes seconds.
const patience = 5 * time.Minute

// A cluster is a running API server, asked as one who may do everything.
type cluster struct {
	Server string `json:"server"`
	CA     string `json:"ca"`
	Token  string `json:"token"`
	Etcd   string `json:"etcd"`

	client *http.Client
	tls    *tls.Config
	in     io.Writer // of the process
	out    *bufio.Reader
}

type object = map[string]any

// running starts the API server once for all tests.
var running = sync.OnceValues(func() (*cluster, error) { return launch() })

// launch starts an API server with flags of its own.
func launch(flags ...string) (*cluster, error) {
	dir, err := os.MkdirTemp("", "casebook-kube-")
	if err != nil {
		return nil, err
	}
	cleanup = append(cleanup, func() { _ = os.RemoveAll(dir) })
	cmd := exec.Command(binary, append([]string{"run", dir}, flags...)...)
	said, err := os.Create(dir + "/said")
	if err != nil {
		return nil, err
	}
	cmd.Stderr = said
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	cleanup = append(cleanup, func() {
		_ = in.Close()
		_ = cmd.Wait()
	})
	c := &cluster{in: in, out: bufio.NewReader(out)}
	line, err := c.out.ReadBytes('\n')
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(line, c); err != nil {
		return nil, err
	}
	return c, c.wait()
}

var cleanup []func() // in the order of their making; run backwards

func TestMain(m *testing.M) {
	code := m.Run()
	for i := len(cleanup) - 1; i >= 0; i-- {
		cleanup[i]()
	}
	os.Exit(code)
}

func started(t *testing.T) *cluster {
	t.Helper()
	return startedBy(t, running)
}

func startedBy(t *testing.T, start func() (*cluster, error)) *cluster {
	t.Helper()
	if binary == "" {
		t.Skip("make kube builds a real API server, which takes half an hour at first, and runs these tests")
	}
	c, err := start()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// wait waits until the API server is ready.
func (c *cluster) wait() error {
	var last error
	for late := time.Now().Add(patience); time.Now().Before(late); time.Sleep(100 * time.Millisecond) {
		if c.client == nil {
			pem, err := os.ReadFile(c.CA)
			if err != nil {
				last = err
				continue
			}
			pool := x509.NewCertPool()
			pool.AppendCertsFromPEM(pem)
			c.tls = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
			c.client = &http.Client{Transport: &http.Transport{TLSClientConfig: c.tls, MaxIdleConnsPerHost: 32}}
		}
		code, text, err := c.as(c.Token, http.MethodGet, "/readyz", nil)
		if err == nil && code == http.StatusOK {
			return nil
		}
		last = fmt.Errorf("%d %s %w", code, text, err)
	}
	return fmt.Errorf("the API server is not ready: %w", last)
}

// as sends a request with somebody's token.
func (c *cluster) as(token, method, path string, body any) (code int, text []byte, err error) {
	var r io.Reader
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			return 0, nil, err
		}
		r = bytes.NewReader(data)
	}
	req, err := http.NewRequest(method, c.Server+path, r)
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Content-Type", "application/json")
	if method == http.MethodPatch {
		req.Header.Set("Content-Type", "application/apply-patch+yaml") // JSON is YAML, too
	}
	resp, err := c.client.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	text, err = io.ReadAll(resp.Body)
	return resp.StatusCode, text, err
}

// must sends a request that has to succeed, as one who may do everything.
func (c *cluster) must(t *testing.T, method, path string, body any) (answer object) {
	t.Helper()
	code, text, err := c.as(c.Token, method, path, body)
	if err != nil || code/100 != 2 {
		t.Fatalf("%s %s: %d %s %v", method, path, code, text, err)
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		t.Fatal(err)
	}
	return answer
}

// namespace makes one, if it is not there.
func (c *cluster) namespace(t *testing.T, name string) {
	t.Helper()
	code, text, err := c.as(c.Token, http.MethodPost, "/api/v1/namespaces", object{"apiVersion": "v1", "kind": "Namespace",
		"metadata": object{"name": name}})
	if err != nil || code != http.StatusCreated && code != http.StatusConflict {
		t.Fatalf("namespace %s: %d %s %v", name, code, text, err)
	}
}

// pod makes a pod and gives it its status, as a kubelet would.
func (c *cluster) pod(t *testing.T, p object) {
	t.Helper()
	if err := c.tryPod(p); err != nil {
		t.Fatal(err)
	}
}

func (c *cluster) tryPod(p object) error {
	path := "/api/v1/namespaces/" + meta(p)["namespace"].(string) + "/pods"
	status := p["status"]
	made := object{}
	for _, step := range []struct {
		method, path string
	}{{http.MethodPost, path}, {http.MethodPut, path + "/" + meta(p)["name"].(string) + "/status"}} {
		if step.method == http.MethodPut {
			made["status"] = status
			p = made
		}
		code, text, err := c.as(c.Token, step.method, step.path, p)
		if err != nil || code/100 != 2 {
			return fmt.Errorf("%s %s: %d %s %w", step.method, step.path, code, text, err)
		}
		if err := json.Unmarshal(text, &made); err != nil {
			return err
		}
	}
	return nil
}

func meta(o object) object { return o["metadata"].(object) }
