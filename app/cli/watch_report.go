package cli

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/render"
	"github.com/gocasebook/casebook/reporter"
)

// reportFlags say where cases are reported.
type reportFlags struct {
	webhook   string
	slack     string
	exec      string
	file      string
	collector string
	token     string
}

func (f *reportFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.webhook, "webhook", "",
		"POST each case as JSON to this `URL`; env:NAME or file:PATH reads it from there, because other users can see flags")
	flags.StringVar(&f.slack, "slack", "",
		"POST a text about each case to this Slack webhook `URL`, or env:NAME, or file:PATH")
	flags.StringVar(&f.exec, "exec", "",
		"run this `command` for each case, without a shell; its last argument is the case's folder")
	flags.StringVar(&f.file, "report-file", "", "append each case as a line of JSON to this `file`")
	flags.StringVar(&f.collector, "collector", "", "upload each case to this `URL`, or env:NAME, or file:PATH")
	flags.StringVar(&f.token, "collector-token-file", "", "`file` with the token for --collector")
}

// reporters returns the reporters that the flags ask for. An error names every flag at fault.
func (f *reportFlags) reporters(dir string) ([]reporter.Reporter, error) {
	var all []reporter.Reporter
	var errs []error
	for _, r := range [...]struct {
		flag, value string
		make        func() (reporter.Reporter, error)
	}{
		{"webhook", f.webhook, func() (reporter.Reporter, error) { return webhook(dir, f.webhook, reporter.JSON, "webhook") }},
		{"slack", f.slack, func() (reporter.Reporter, error) { return webhook(dir, f.slack, reporter.Slack, "slack") }},
		{"exec", f.exec, func() (reporter.Reporter, error) { return execReporter(f.exec) }},
		{"report-file", f.file, func() (reporter.Reporter, error) { return reporter.File(f.file), canAppend(f.file) }},
		{"collector", f.collector, func() (reporter.Reporter, error) { return f.toCollector(dir) }},
	} {
		if r.value == "" {
			continue
		}
		made, err := r.make()
		if err != nil {
			errs = append(errs, fmt.Errorf("--%s: %w", r.flag, err))
			continue
		}
		all = append(all, made)
	}
	if f.token != "" && f.collector == "" {
		errs = append(errs, errors.New("--collector-token-file is for --collector, which is not given"))
	}
	return all, errors.Join(errs...)
}

// spoolFolder is the folder, in the folder of cases, for reports that could not be sent yet.
const spoolFolder = ".spool"

func webhook(dir, value string, format reporter.Format, name string) (reporter.Reporter, error) {
	to, err := secretURL(value)
	if err != nil {
		return reporter.Reporter{}, err
	}
	return reporter.Webhook(reporter.WebhookConfig{
		URL: to, Format: format, Name: name, Spool: filepath.Join(dir, spoolFolder+"-"+name),
	})
}

// secretURL returns the URL in a flag, or in the environment variable or file that it names: every user of the machine
// can read the flags of a process, and the path of a webhook is often its password.
func secretURL(value string) (string, error) {
	text := value
	if name, ok := strings.CutPrefix(value, "env:"); ok {
		if text = strings.TrimSpace(os.Getenv(name)); text == "" {
			return "", fmt.Errorf("the variable %s is not set or is empty; it must hold the URL", render.Plain(name))
		}
	}
	if file, ok := strings.CutPrefix(value, "file:"); ok {
		data, err := casework.ReadSmall(file)
		if err != nil {
			return "", err
		}
		if text = strings.TrimSpace(string(data)); text == "" {
			return "", fmt.Errorf("%s is empty; it must hold the URL", render.Plain(file))
		}
	}
	return text, checkReportURL(text)
}

func (f *reportFlags) toCollector(dir string) (reporter.Reporter, error) {
	to, err := secretURL(f.collector)
	if err != nil {
		return reporter.Reporter{}, err
	}
	token, err := readToken(f.token)
	if err != nil {
		return reporter.Reporter{}, err
	}
	return reporter.Collector(reporter.CollectorConfig{URL: to, Token: token, Spool: filepath.Join(dir, spoolFolder)})
}

// checkReportURL says in a user's words what package reporter refuses. Its errors show only the host: the path of a
// webhook is often its password.
func checkReportURL(text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" {
		return errors.New("that is not a URL like https://host/path (it is not shown: parts of it may be secret)")
	}
	ip := net.ParseIP(u.Hostname())
	if u.Scheme == "http" && u.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("http://%s is not encrypted, and anybody on the network path could read the cases; use https",
			render.Plain(u.Host))
	}
	return nil
}

// execReporter returns the reporter of --exec. It does not interpret quotes: half of a shell's rules would be worse than
// none.
func execReporter(line string) (reporter.Reporter, error) {
	words := strings.Fields(line)
	switch {
	case len(words) == 0:
		return reporter.Reporter{}, errors.New("the command is empty; for instance: --exec ./notify.sh")
	case strings.ContainsAny(line, "\"'`$|&;<>"):
		return reporter.Reporter{}, fmt.Errorf("%s contains characters that only a shell understands; "+
			"put it into a script and give that", render.Plain(line))
	}
	if _, err := exec.LookPath(words[0]); err != nil {
		return reporter.Reporter{}, fmt.Errorf("%w; give the command's path, and make it executable", err)
	}
	return reporter.Exec(words[0], words[1:]...), nil
}

// canAppend checks that the file of --report-file can be written: now, not when the first case is lost.
func canAppend(path string) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() { // opening a pipe could block forever
		return fmt.Errorf("%s is not a regular file; name a regular file, or one that does not exist yet", path)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("%w; name a file in a folder that exists and that you may write to", err)
	}
	return f.Close()
}

// readToken reads a secret from a file: on the command line every user of the machine could read it.
func readToken(file string) (string, error) {
	if file == "" {
		return "", nil
	}
	data, err := casework.ReadSmall(file)
	if err != nil {
		return "", fmt.Errorf("its token, --collector-token-file: %w", err)
	}
	token := strings.TrimSpace(string(data))
	if token == "" || strings.ContainsAny(token, "\r\n\x00") {
		return "", fmt.Errorf("its token, --collector-token-file: %s must hold the token on one line, and nothing else",
			file)
	}
	return token, nil
}
