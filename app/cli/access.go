package cli

import (
	"fmt"
	"net/http"
	"os"

	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook/instance"
)

// accessFlags are the flags for targets that need credentials.
type accessFlags struct {
	headers                                          []string
	headerFile, bearerFile, bearerEnv, ca, cert, key string
	insecure                                         bool
}

func (f *accessFlags) add(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.headers, "header", nil,
		"`'Name: value'` to send to the target; repeatable. Other users see it in ps: put secrets in a file")
	flags.StringVar(&f.headerFile, "header-file", "", "`file` with such headers, one per line; reread when it changes")
	flags.StringVar(&f.bearerFile, "bearer-file", "", "`file` with a bearer token; reread when it changes")
	flags.StringVar(&f.bearerEnv, "bearer-env", "", "environment `variable` that holds a bearer token")
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
