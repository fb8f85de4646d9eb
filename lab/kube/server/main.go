// Command server is what lab/kube holds Casebook's Kubernetes support to: a real kube-apiserver over a real etcd, and the
// renderers of kustomize and Helm, all built from the module proxy. There is no kubelet: pods are made by tests, with
// their status.
//
//	server run DIR [FLAG …]                     serves until standard input ends; prints where as a line of JSON.
//	                                            A line "compact" makes etcd forget all but the newest versions
//	server kustomize DIR                        prints what a folder is
//	server helm CHART NAME NAMESPACE [K=V …]    prints what a chart is, as helm template does
//
// It is a module of its own, because it needs 300 others.
package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/server/v3/embed"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"helm.sh/helm/v3/pkg/lint"
	"helm.sh/helm/v3/pkg/lint/support"
	"helm.sh/helm/v3/pkg/strvals"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

func main() {
	if err := command(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "server:", err)
		os.Exit(1)
	}
}

func command(args []string) error {
	switch {
	case len(args) >= 2 && args[0] == "run":
		return run(args[1], args[2:])
	case len(args) == 2 && args[0] == "kustomize":
		return kustomize(args[1])
	case len(args) >= 4 && args[0] == "helm":
		return helm(args[1], args[2], args[3], args[4:])
	}
	return errors.New("want run DIR [FLAG …], kustomize DIR, or helm CHART NAME NAMESPACE [K=V …]")
}

// A place is where the API server is, and who may do everything there.
type place struct {
	Server string `json:"server"`
	CA     string `json:"ca"` // file
	Token  string `json:"token"`
	Etcd   string `json:"etcd"`
}

const adminToken = "admin-of-a-test"

// run serves. flags are the API server's, besides those that it needs. With --etcd-servers=URL the etcd is another's.
func run(dir string, flags []string) error {
	at, etcd := etcdOf(flags), (*embed.Etcd)(nil)
	if at == "" {
		var err error
		if etcd, err = startEtcd(filepath.Join(dir, "etcd")); err != nil {
			return fmt.Errorf("etcd: %w", err)
		}
		defer etcd.Close()
		at = "http://" + etcd.Clients[0].Addr().String()
		flags = append(flags, etcdFlag+at)
	}
	key := filepath.Join(dir, "accounts.pem")
	if err := writeKey(key); err != nil {
		return err
	}
	tokens := filepath.Join(dir, "tokens.csv")
	if err := os.WriteFile(tokens, []byte(adminToken+",admin,admin,system:masters\n"+
		"token-of-ann,ann,ann\n"), 0o600); err != nil {
		return err
	}
	port, err := freePort()
	if err != nil {
		return err
	}
	cmd := apiserver.NewAPIServerCommand()
	cmd.SetArgs(append([]string{
		"--bind-address=127.0.0.1", fmt.Sprintf("--secure-port=%d", port), "--cert-dir=" + dir,
		"--service-account-key-file=" + key, "--service-account-signing-key-file=" + key,
		"--service-account-issuer=https://kubernetes.default.svc", "--authorization-mode=RBAC",
		"--token-auth-file=" + tokens, "--service-cluster-ip-range=10.96.0.0/16", "--anonymous-auth=false",
		"--disable-admission-plugins=ServiceAccount", // it waits for accounts that a controller makes
		"-v=0",
	}, flags...))
	ended := make(chan error, 1)
	go func() { ended <- cmd.Execute() }()
	if err := json.NewEncoder(os.Stdout).Encode(place{fmt.Sprintf("https://127.0.0.1:%d", port),
		filepath.Join(dir, "apiserver.crt"), adminToken, at}); err != nil {
		return err
	}
	go func() { ended <- obey(etcd, os.Stdin) }()
	return <-ended
}

const etcdFlag = "--etcd-servers="

func etcdOf(flags []string) string {
	for _, f := range flags {
		if at, ok := strings.CutPrefix(f, etcdFlag); ok {
			return at
		}
	}
	return ""
}

// obey does what lines say until they end, with whoever started this.
func obey(etcd *embed.Etcd, in io.Reader) error {
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		if lines.Text() != "compact" || etcd == nil {
			return fmt.Errorf("standard input says %q; want compact, where etcd runs", lines.Text())
		}
		r := &etcdserverpb.CompactionRequest{Revision: etcd.Server.KV().Rev(), Physical: true}
		if _, err := etcd.Server.Compact(context.Background(), r); err != nil {
			return fmt.Errorf("compacting etcd: %w", err)
		}
		fmt.Println(r.Revision)
	}
	return lines.Err()
}

func startEtcd(dir string) (*embed.Etcd, error) {
	cfg := embed.NewConfig()
	cfg.Dir, cfg.LogLevel = dir, "error"
	any := url.URL{Scheme: "http", Host: "127.0.0.1:0"}
	cfg.ListenClientUrls, cfg.ListenPeerUrls = []url.URL{any}, []url.URL{any}
	cfg.UnsafeNoFsync = true // a test's data
	e, err := embed.StartEtcd(cfg)
	if err != nil {
		return nil, err
	}
	<-e.Server.ReadyNotify()
	return e, nil
}

// writeKey makes the key that signs tokens of service accounts.
func writeKey(file string) error {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return err
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})
	return os.WriteFile(file, text, 0o600)
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

func kustomize(dir string) error {
	all, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), dir)
	if err != nil {
		return err
	}
	text, err := all.AsYaml()
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(text)
	return err
}

func helm(dir, name, namespace string, sets []string) error {
	chart, err := loader.Load(dir)
	if err != nil {
		return err
	}
	given := make(map[string]any)
	for _, set := range sets {
		if err := strvals.ParseInto(set, given); err != nil {
			return err
		}
	}
	for _, m := range lint.AllWithKubeVersion(dir, given, namespace, nil).Messages {
		if m.Severity >= support.WarningSev {
			return fmt.Errorf("helm lint: %s", m)
		}
	}
	values, err := chartutil.ToRenderValues(chart, given, chartutil.ReleaseOptions{Name: name, Namespace: namespace,
		IsInstall: true}, chartutil.DefaultCapabilities)
	if err != nil {
		return err
	}
	files, err := engine.Render(chart, values)
	if err != nil {
		return err
	}
	for file, text := range files {
		if strings.HasSuffix(file, ".yaml") && strings.TrimSpace(text) != "" {
			fmt.Printf("---\n# %s\n%s\n", file, text)
		}
	}
	return nil
}
