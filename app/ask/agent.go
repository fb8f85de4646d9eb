package ask

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"unicode"

	"github.com/gocasebook/casebook/app/child"
	"github.com/gocasebook/casebook/internal/redact"
	"github.com/gocasebook/casebook/internal/redirect"
)

// An Agent is who is asked: a command, or an endpoint.
type Agent struct {
	Name string // 1 to 64 printable characters

	Command []string // the program and its arguments: the prompt on standard input, the answer on standard output
	Env     []string // names of variables that the command gets, beside PATH and HOME
	Dir     string   // where the command runs; empty: where we do

	Protocol  Protocol
	URL       string // the endpoint, or the base that the makers of the protocol document: https://api.openai.com/v1
	Model     string
	KeyEnv    string // name of the variable that has the key; empty: no key is sent
	Stream    bool   // have the answer sent as it is made, for a proxy that ends connections on which nothing comes
	PlainHTTP bool   // allow http:// to another machine: everybody on the way reads the prompt and the key
}

// Check says what of an agent cannot work.
func (a *Agent) Check() error {
	if a.Name == "" || len(a.Name) > 64 || strings.ContainsFunc(a.Name, notPrintable) {
		return errors.New("the name must be 1 to 64 printable characters")
	}
	switch {
	case len(a.Command) > 0 && a.URL != "":
		return errors.New("it has a command and a url: which of them is asked?")
	case len(a.Command) == 0 && a.URL == "":
		return errors.New("it has no command and no url: nobody is asked")
	case len(a.Command) > 0:
		return a.checkCommand()
	}
	return a.checkEndpoint()
}

func notPrintable(r rune) bool { return !unicode.IsPrint(r) }

func (a *Agent) checkCommand() error {
	if a.Command[0] == "" {
		return errors.New("its command is empty")
	}
	if a.Protocol != "" || a.Model != "" || a.KeyEnv != "" || a.Stream || a.PlainHTTP {
		return errors.New("protocol, model, key-env, stream and plain-http are for a url, and it has a command")
	}
	return nil
}

func (a *Agent) checkEndpoint() error {
	if len(a.Env) > 0 {
		return errors.New("env is for a command, and it has a url")
	}
	if a.Dir != "" {
		return errors.New("dir is for a command, and it has a url")
	}
	if a.Model == "" {
		return errors.New("it has no model: give the name that the endpoint knows")
	}
	if protocolOf(a.Protocol) == nil {
		return fmt.Errorf("the protocol is %.40q; want %s or %s", a.Protocol, OpenAI, Anthropic)
	}
	u, err := url.Parse(a.URL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return errors.New("the url is not one of http or https, such as https://api.example.com/v1")
	}
	if u.User != nil {
		return errors.New("the url has a password in it: put the key into a variable, and name that as key-env")
	}
	for name := range u.Query() {
		if redact.Name(name) {
			return fmt.Errorf("the url has %.40q in it, which looks like a key: put that into a variable, and name it "+
				"as key-env", name)
		}
	}
	if u.Scheme == "http" && !redirect.Loopback(u.Hostname()) && !a.PlainHTTP {
		return fmt.Errorf("%s is not encrypted: use https, or set plain-http if everybody on the way may read briefs "+
			"and the key", redact.URL(u))
	}
	return nil
}

// To is where a prompt goes, for people: the command as somebody would type it, or the endpoint's address.
func (a *Agent) To() string {
	if len(a.Command) > 0 {
		return child.Join(a.Command)
	}
	u, err := a.endpoint()
	if err != nil {
		return redact.Text(a.URL)
	}
	return redact.URL(u)
}

// Who is the agent by its name and model.
func (a *Agent) Who() string {
	if a.Model == "" || a.Model == a.Name {
		return a.Name
	}
	return a.Name + " (" + a.Model + ")"
}

// endpoint is the address that is posted to. Documentation of these protocols gives a base in one place and the
// endpoint in another; both are taken.
func (a *Agent) endpoint() (*url.URL, error) {
	u, err := url.Parse(a.URL)
	if err != nil {
		return nil, err
	}
	u.Fragment, u.RawFragment = "", ""
	if p := protocolOf(a.Protocol); p != nil && !strings.HasSuffix(u.Path, p.path) {
		path := p.path
		if p.version != "" && !strings.HasSuffix(strings.TrimSuffix(u.Path, "/"), p.version) {
			path = p.version + path
		}
		u = u.JoinPath(path)
	}
	return u, nil
}

// key is the endpoint's; "" where none is configured.
func (a *Agent) key() (string, error) {
	if a.KeyEnv == "" {
		return "", nil
	}
	key := strings.TrimSpace(os.Getenv(a.KeyEnv))
	if key == "" {
		return "", fmt.Errorf("the key should be in the environment variable %s, which is not set or is empty",
			a.KeyEnv)
	}
	if strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return "", fmt.Errorf("what is in the environment variable %s cannot be a key: it has spaces, line ends or "+
			"letters beyond ASCII in it", a.KeyEnv)
	}
	return key, nil
}
