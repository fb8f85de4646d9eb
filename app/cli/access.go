package cli

import (
	"fmt"
	"net/http"
	"os"

	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook/target"
)

// accessFlags are the flags of targets that want credentials.
type accessFlags struct {
	headers                                          []string
	headerFile, bearerFile, bearerEnv, ca, cert, key string
	insecure                                         bool
}

func (f *accessFlags) add(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.headers, "header", nil, "`'Name: value'` sent to the target; repeatable. Other users see it in ps: secrets belong into a file")
	flags.StringVar(&f.headerFile, "header-file", "", "`file` of such headers, one a line; read again when it changes")
	flags.StringVar(&f.bearerFile, "bearer-file", "", "`file` of a bearer token; read again when it changes")
	flags.StringVar(&f.bearerEnv, "bearer-env", "", "environment `variable` that holds a bearer token")
	flags.StringVar(&f.ca, "ca", "", "`file` of the authorities (PEM) that sign the target's certificate, in place of the system's")
	flags.StringVar(&f.cert, "cert", "", "`file` of the certificate (PEM) that the target asks its clients for")
	flags.StringVar(&f.key, "key", "", "`file` of its key; without it, that of --cert")
	flags.BoolVar(&f.insecure, "insecure", false, "accept any certificate of the target")
}

const accessText = `Headers, tokens and certificates are sent to the host of URL only: not to where
it redirects to, nor to a page on another host. They are never shown or kept.`

// options are what the flags say.
func (f *accessFlags) options() (o target.HTTPOptions, err error) {
	o = target.HTTPOptions{
		Header: make(http.Header), HeaderFile: f.headerFile, BearerFile: f.bearerFile, CAFile: f.ca, CertFile: f.cert, KeyFile: f.key,
		Insecure: f.insecure,
	}
	for _, line := range f.headers {
		name, value, err := target.ParseHeader(line)
		if err != nil {
			return o, fmt.Errorf("--header: %w", err)
		}
		o.Header.Add(name, value)
	}
	if f.bearerEnv == "" {
		return o, nil
	}
	if f.bearerFile != "" {
		return o, fmt.Errorf("--bearer-env and --bearer-file both give the token: leave one out")
	}
	token := os.Getenv(f.bearerEnv)
	if token == "" {
		return o, fmt.Errorf("--bearer-env: the environment has no variable %s, or an empty one", f.bearerEnv)
	}
	o.Header.Set("Authorization", "Bearer "+token)
	return o, nil
}

// open makes the target of a URL.
func (f *accessFlags) open(url string) (*target.HTTP, error) {
	o, err := f.options()
	if err != nil {
		return nil, err
	}
	return target.NewHTTPWith(url, o)
}
