package cli

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook/app/openfile"
	"github.com/gocasebook/casebook/instance"
)

// accessFlags are the flags for targets that need credentials.
type accessFlags struct {
	headers                                      []string
	headerFile, bearerFile, bearerEnv, basicFile string
	ca, cert, key                                string
	insecure                                     bool
}

func (f *accessFlags) add(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.headers, "header", nil,
		"`'Name: value'` to send to the target; repeatable. Other users see it in ps: put secrets in a file")
	flags.StringVar(&f.headerFile, "header-file", "", "`file` with such headers, one per line; reread when it changes")
	flags.StringVar(&f.bearerFile, "bearer-file", "", "`file` with a bearer token; reread when it changes")
	flags.StringVar(&f.bearerEnv, "bearer-env", "", "environment `variable` that holds a bearer token")
	flags.StringVar(&f.basicFile, "basic-file", "", "`file` with user:password for basic authentication")
	flags.StringVar(&f.ca, "ca", "",
		"`file` with the CA certificates (PEM) to trust for the target, instead of the system's")
	flags.StringVar(&f.cert, "cert", "", "`file` with the client certificate (PEM) that the target asks for")
	flags.StringVar(&f.key, "key", "", "`file` with the client certificate's key (default: the file of --cert)")
	flags.BoolVar(&f.insecure, "insecure", false, "do not verify the target's certificate")
}

const accessText = `Headers, tokens and certificates are sent only to the host in URL, not to a host
that it redirects to and not to a page on another host. They are never shown or
stored.`

// options returns what the flags say.
func (f *accessFlags) options() (o instance.HTTPOptions, err error) {
	o = instance.HTTPOptions{
		Header: make(http.Header), HeaderFile: f.headerFile, BearerFile: f.bearerFile, CAFile: f.ca, CertFile: f.cert,
		KeyFile:  f.key,
		Insecure: f.insecure,
	}
	for _, line := range f.headers {
		name, value, err := instance.ParseHeader(line)
		if err != nil {
			return o, fmt.Errorf("--header: %w", err)
		}
		o.Header.Add(name, value)
	}
	if f.basicFile != "" {
		if f.bearerEnv+f.bearerFile != "" {
			return o, errors.New("--basic-file and --bearer-file or --bearer-env both say who asks: remove one")
		}
		user, err := readUser(f.basicFile)
		if err != nil {
			return o, fmt.Errorf("--basic-file: %w", err)
		}
		o.Header.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString(user))
	}
	if f.bearerEnv == "" {
		return o, nil
	}
	if f.bearerFile != "" {
		return o, fmt.Errorf("--bearer-env and --bearer-file both set the token: remove one")
	}
	token := os.Getenv(f.bearerEnv)
	if token == "" {
		return o, fmt.Errorf("--bearer-env: the environment variable %s is not set or is empty", f.bearerEnv)
	}
	o.Header.Set("Authorization", "Bearer "+token)
	return o, nil
}

// readUser reads user:password. The error does not show them.
func readUser(file string) ([]byte, error) {
	data, err := openfile.ReadSmall(file)
	if err != nil {
		return nil, err
	}
	user := bytes.TrimSpace(data)
	if bytes.IndexByte(user, ':') < 1 || bytes.ContainsAny(user, "\r\n\x00") {
		return nil, fmt.Errorf("%s must hold user:password on one line, and nothing else", file)
	}
	return user, nil
}

// words are the flags as a command line has them, for a command that this one runs in another folder. Headers are not
// among them: others see a command line.
func (f *accessFlags) words() (out []string, err error) {
	if len(f.headers) > 0 {
		return nil, errors.New("--header shows in the plans that an agent reads: put it in a file, --header-file")
	}
	for _, flag := range []struct{ name, file string }{{"header-file", f.headerFile}, {"bearer-file", f.bearerFile},
		{"basic-file", f.basicFile}, {"ca", f.ca}, {"cert", f.cert}, {"key", f.key}} {
		if flag.file == "" {
			continue
		}
		abs, err := filepath.Abs(flag.file)
		if err != nil {
			return nil, fmt.Errorf("--%s: %w", flag.name, err)
		}
		out = append(out, "--"+flag.name+"="+abs)
	}
	if f.bearerEnv != "" {
		out = append(out, "--bearer-env="+f.bearerEnv)
	}
	if f.insecure {
		out = append(out, "--insecure")
	}
	return out, nil
}
