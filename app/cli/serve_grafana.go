package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook/app/grafana"
)

// grafanaFlags say where annotations of cases go.
type grafanaFlags struct{ url, tokenFile, pages string }

func (f *grafanaFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.url, "grafana", "", "`URL` of a Grafana that gets an annotation of each new case")
	flags.StringVar(&f.tokenFile, "grafana-token-file", "",
		"`file` with the token of a service account that may write annotations")
	flags.StringVar(&f.pages, "url", "", "`address` of this server as readers reach it, for links in annotations")
}

func (f *grafanaFlags) given() bool { return f.url != "" }

func (f *grafanaFlags) check(st *storeFlags) error {
	switch {
	case !f.given() && (f.tokenFile != "" || f.pages != ""):
		return errors.New("--grafana-token-file and --url are for --grafana, which is not given")
	case f.given() && !st.given():
		return errors.New("--grafana needs --store: a folder that is only shown gets no new cases")
	case f.given() && (f.tokenFile == "" || f.pages == ""):
		return errors.New("--grafana needs --grafana-token-file, and --url for the links")
	}
	return nil
}

func (f *grafanaFlags) client() (*grafana.Client, error) {
	token, err := readToken("--grafana-token-file", f.tokenFile)
	if err != nil {
		return nil, err
	}
	c, err := grafana.New(grafana.Config{URL: f.url, Token: token, Pages: f.pages})
	if err != nil {
		return nil, fmt.Errorf("--grafana, --url: %w", err)
	}
	return c, nil
}
