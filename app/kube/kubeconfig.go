package kube

import (
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A kubeconfig is what is read of a file of kubectl: clusters, users, and contexts that bring them together.
type kubeconfig struct {
	Current  string `yaml:"current-context"`
	Clusters []struct {
		Name    string        `yaml:"name"`
		Cluster configCluster `yaml:"cluster"`
	} `yaml:"clusters"`
	Users []struct {
		Name string     `yaml:"name"`
		User configUser `yaml:"user"`
	} `yaml:"users"`
	Contexts []struct {
		Name    string        `yaml:"name"`
		Context configContext `yaml:"context"`
	} `yaml:"contexts"`
}

type configCluster struct {
	Server     string `yaml:"server"`
	CAFile     string `yaml:"certificate-authority"`
	CA         string `yaml:"certificate-authority-data"`
	Insecure   bool   `yaml:"insecure-skip-tls-verify"`
	ServerName string `yaml:"tls-server-name"`
	ProxyURL   string `yaml:"proxy-url"`
}

type configUser struct {
	Token     string `yaml:"token"`
	TokenFile string `yaml:"tokenFile"`
	CertFile  string `yaml:"client-certificate"`
	Cert      string `yaml:"client-certificate-data"`
	KeyFile   string `yaml:"client-key"`
	Key       string `yaml:"client-key-data"`
	As        string `yaml:"as"`
	Username  string `yaml:"username"`
	Exec      *struct {
		Command string `yaml:"command"`
	} `yaml:"exec"`
	Provider *struct {
		Name string `yaml:"name"`
	} `yaml:"auth-provider"`
}

type configContext struct {
	Cluster   string `yaml:"cluster"`
	User      string `yaml:"user"`
	Namespace string `yaml:"namespace"`
}

// maxConfig is more than the kubeconfig of a thousand clusters.
const maxConfig = 16 << 20

// FromConfig is the cluster of a context of the user's kubeconfig: the files of $KUBECONFIG, or ~/.kube/config. An
// empty context is the current one.
func FromConfig(context string) (Cluster, error) {
	files, err := configFiles()
	if err != nil {
		return Cluster{}, err
	}
	return fromFiles(files, context)
}

func configFiles() ([]string, error) {
	if list := filepath.SplitList(os.Getenv("KUBECONFIG")); len(list) > 0 {
		return list, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return nil, fmt.Errorf("no kubeconfig: set KUBECONFIG: %w", err)
	}
	return []string{filepath.Join(home, ".kube", "config")}, nil
}

// fromFiles merges files as kubectl does: the first that says something counts.
func fromFiles(files []string, context string) (Cluster, error) {
	var all kubeconfig
	var read []string
	for _, file := range files {
		one, err := readConfig(file)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return Cluster{}, fmt.Errorf("kubeconfig %s: %w", file, err)
		}
		if all.Current == "" {
			all.Current = one.Current
		}
		all.Clusters, all.Users = append(all.Clusters, one.Clusters...), append(all.Users, one.Users...)
		all.Contexts = append(all.Contexts, one.Contexts...)
		read = append(read, file)
	}
	if len(read) == 0 {
		return Cluster{}, fmt.Errorf("there is no kubeconfig at %s: set KUBECONFIG, or start kubectl proxy and add "+
			"?server=http://127.0.0.1:8001 to the k8s:// address", strings.Join(files, ", "))
	}
	if context == "" {
		context = all.Current
	}
	c, err := all.cluster(context)
	if err != nil {
		return Cluster{}, fmt.Errorf("kubeconfig %s: %w", strings.Join(read, ", "), err)
	}
	return c, nil
}

// readConfig reads a file, in which paths are relative to its folder.
func readConfig(file string) (c kubeconfig, err error) {
	info, err := os.Stat(file)
	if err != nil {
		return c, err
	}
	if info.Size() > maxConfig {
		return c, fmt.Errorf("it is larger than %d MiB", maxConfig>>20)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return c, err
	}
	if err := yaml.Unmarshal(text, &c); err != nil {
		return c, errors.New("it is not the YAML of a kubeconfig; does kubectl config view read it?") // err quotes it
	}
	dir := filepath.Dir(file)
	for i := range c.Clusters {
		relativeTo(dir, &c.Clusters[i].Cluster.CAFile)
	}
	for i := range c.Users {
		u := &c.Users[i].User
		relativeTo(dir, &u.TokenFile, &u.CertFile, &u.KeyFile)
	}
	return c, nil
}

func relativeTo(dir string, files ...*string) {
	for _, file := range files {
		if *file != "" && !filepath.IsAbs(*file) {
			*file = filepath.Join(dir, *file)
		}
	}
}

// cluster brings a context's cluster and user together.
func (k *kubeconfig) cluster(name string) (c Cluster, err error) {
	if name == "" {
		return c, fmt.Errorf("it has no current-context; its contexts are %s: kubectl config use-context NAME, or add "+
			"?context=NAME to the address", k.contexts())
	}
	context, ok := k.context(name)
	if !ok {
		return c, fmt.Errorf("it has no context %q; its contexts are %s", name, k.contexts())
	}
	c.Namespace, c.From = context.Namespace, "context "+name
	server, ok := k.server(context.Cluster)
	if !ok {
		return c, fmt.Errorf("context %s is of cluster %q, which it does not have", name, context.Cluster)
	}
	if err := server.into(&c); err != nil {
		return c, fmt.Errorf("cluster %s: %w", context.Cluster, err)
	}
	user, ok := k.user(context.User)
	if !ok && context.User != "" {
		return c, fmt.Errorf("context %s is of user %q, which it does not have", name, context.User)
	}
	if err := user.into(&c); err != nil {
		return c, fmt.Errorf("user %s of context %s: %w", context.User, name, err)
	}
	return c, nil
}

func (k *kubeconfig) contexts() string {
	var names []string
	for _, c := range k.Contexts {
		names = append(names, c.Name)
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

func (k *kubeconfig) context(name string) (c configContext, ok bool) {
	for _, x := range k.Contexts {
		if x.Name == name {
			return x.Context, true
		}
	}
	return c, false
}

func (k *kubeconfig) server(name string) (c configCluster, ok bool) {
	for _, x := range k.Clusters {
		if x.Name == name {
			return x.Cluster, true
		}
	}
	return c, false
}

func (k *kubeconfig) user(name string) (u configUser, ok bool) {
	for _, x := range k.Users {
		if x.Name == name {
			return x.User, true
		}
	}
	return u, false
}

// into sets the server's address, and how its certificate is checked.
func (s *configCluster) into(c *Cluster) error {
	u, err := url.Parse(s.Server)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" {
		return fmt.Errorf("its server is %.80q; want an https address: credentials are not sent without TLS", s.Server)
	}
	if s.ProxyURL != "" {
		return fmt.Errorf("it is reached through the proxy of proxy-url, which is not done here: %s", useProxy)
	}
	c.Server = strings.TrimSuffix(u.String(), "/")
	c.TLS = &tls.Config{MinVersion: tls.VersionTLS12, ServerName: s.ServerName,
		InsecureSkipVerify: s.Insecure} //nolint:gosec // the user's kubeconfig says so
	ca, err := dataOr(s.CA, s.CAFile)
	if err != nil {
		return fmt.Errorf("certificate-authority: %w", err)
	}
	if len(ca) > 0 {
		if c.TLS.RootCAs, err = poolOf(ca); err != nil {
			return fmt.Errorf("certificate-authority: %w", err)
		}
	}
	return nil
}

// useProxy is the next step where a kubeconfig needs more than is done here.
const useProxy = "start kubectl proxy, and add ?server=http://127.0.0.1:8001 to the k8s:// address, or give " +
	"--kube-server http://127.0.0.1:8001"

// into sets who asks.
func (u *configUser) into(c *Cluster) (err error) {
	switch {
	case u.As != "":
		return fmt.Errorf("it acts as somebody else (as), which is not done here: %s", useProxy)
	case u.Exec != nil:
		return fmt.Errorf("it logs in through the program %.60q (exec). Casebook does not run programs that a kubeconfig "+
			"names: %s", u.Exec.Command, useProxy)
	case u.Provider != nil:
		return fmt.Errorf("it logs in through auth-provider %.60q, which is not done here: %s", u.Provider.Name, useProxy)
	case u.Username != "":
		return errors.New("it has a username and password, which Kubernetes has not accepted since 1.19")
	}
	if c.Token, c.TokenFile = u.Token, u.TokenFile; c.Token != "" {
		if err := checkToken(c.Token); err != nil {
			return fmt.Errorf("token: %w", err)
		}
	}
	if c.TokenFile != "" { // as kubectl: the file comes first
		if _, err := readToken(c.TokenFile); err != nil {
			return fmt.Errorf("tokenFile: %w", err)
		}
	}
	cert, err := dataOr(u.Cert, u.CertFile)
	if err != nil {
		return fmt.Errorf("client-certificate: %w", err)
	}
	key, err := dataOr(u.Key, u.KeyFile)
	if err != nil {
		return fmt.Errorf("client-key: %w", err)
	}
	if len(cert) == 0 && len(key) == 0 {
		return nil
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return errors.New("client-certificate and client-key do not belong together, or are not PEM")
	}
	c.TLS.Certificates = []tls.Certificate{pair}
	return nil
}

// dataOr is what a field holds in base64, or the file that another names.
func dataOr(data, file string) ([]byte, error) {
	if data != "" {
		raw, err := base64.StdEncoding.DecodeString(data)
		if err != nil {
			return nil, errors.New("its data are not base64")
		}
		return raw, nil
	}
	if file == "" {
		return nil, nil
	}
	return os.ReadFile(file)
}
