package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook/app/child"
	"github.com/gocasebook/casebook/app/load"
)

// serverURL returns the URL of servers that are started to be measured, with a place for the port of each: of a path,
// or of a URL that has one.
func (f *loadFlags) serverURL(url string) (string, error) {
	if strings.HasPrefix(url, "/") {
		url = "http://127.0.0.1:" + child.PortPlace + url
	}
	if !strings.Contains(url, child.PortPlace) {
		return "", fmt.Errorf("%s has a fixed port, but each server gets its own. Give only the path, or write %s "+
			"for the port",
			url, child.PortPlace)
	}
	if f.targets == "-" {
		return "", errors.New("--targets -: standard input can be read only once, but each server needs the targets: " +
			"give a file")
	}
	return url, nil
}

// onPort returns the load on the server at an address: url with the server's port.
func (f *loadFlags) onPort(cmd *cobra.Command, url string) func(context.Context, string) (load.Config, func(), error) {
	return func(_ context.Context, addr string) (load.Config, func(), error) {
		_, port, _ := strings.Cut(addr, ":")
		job, err := f.job(cmd, []string{strings.ReplaceAll(url, child.PortPlace, port)})
		if err != nil {
			return load.Config{}, func() {}, err
		}
		return job.config, job.close, nil
	}
}
