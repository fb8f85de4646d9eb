package cli

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook/app/engine"
	"github.com/gocasebook/casebook/app/render"
	"github.com/gocasebook/casebook/instance"
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
	push      string
	pushAuth  string
	asked     askedFlags

	links *linkFlags // of the pages of cases, for those who draw them again
}

func (f *reportFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.webhook, "webhook", "",
		"POST each case as JSON to this `URL`; env:NAME or file:PATH reads it from there, because other users can "+
			"see flags")
	flags.StringVar(&f.slack, "slack", "",
		"POST a text about each case to this Slack webhook `URL`, or env:NAME, or file:PATH")
	flags.StringVar(&f.exec, "exec", "",
		"run this `command` for each case, without a shell; its last argument is the case's folder")
	flags.StringVar(&f.file, "report-file", "", "append each case as a line of JSON to this `file`")
	flags.StringVar(&f.collector, "collector", "", "upload each case to this `URL`, or env:NAME, or file:PATH")
	flags.StringVar(&f.token, "collector-token-file", "",
		"`file` with the token for --collector (default: the one that this user's casebook serve on this machine made)")
	flags.StringVar(&f.push, "push", "",
		"push the profiles of each case to this `engine`, pyroscope://host:4040 or parca://host:7070, or env:NAME, or "+
			"file:PATH")
	flags.StringVar(&f.pushAuth, "push-header-file", "", "`file` with headers for --push, such as Authorization")
	f.asked.add(flags)
}

// line prints one line. A longer line is wrapped on a terminal, but not elsewhere, so that grep finds it.
func (f *reportFlags) reporters(dir string) ([]reporter.Reporter, error) {
	var all []reporter.Reporter
	var errs []error
	for _, r := range [...]struct {
		flag, value string
		make        func() (reporter.Reporter, error)
	}{
		{"webhook", f.webhook, func() (reporter.Reporter,
			error) {
			return webhook(dir, f.webhook, reporter.JSON, "webhook")
		}},
		{"slack", f.slack, func() (reporter.Reporter, error) { return webhook(dir, f.slack, reporter.Slack, "slack") }},
		{"exec", f.exec, func() (reporter.Reporter, error) { return execReporter(f.exec) }},
		{"report-file", f.file, func() (reporter.Reporter, error) { return reporter.File(f.file), canAppend(f.file) }},
		{"collector", f.collector, func() (reporter.Reporter, error) { return f.toCollector(dir) }},
		{"push", f.push, f.toEngine},
		{"ask", strings.Join(f.asked.names, ", "), f.toAgents},
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
	if f.asked.file != "" && !f.asked.given() {
		errs = append(errs, errors.New("--agents is for --ask, which is not given"))
	}
	if f.pushAuth != "" && f.push == "" {
		errs = append(errs, errors.New("--push-header-file is for --push, which is not given"))
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

func (f *reportFlags) toCollector(dir string) (reporter.Reporter, error) {
	to, err := secretURL(f.collector)
	if err != nil {
		return reporter.Reporter{}, err
	}
	token, err := readToken("--collector-token-file", f.token)
	if err != nil {
		return reporter.Reporter{}, err
	}
	cfg := reporter.CollectorConfig{URL: to, Token: token, Spool: filepath.Join(dir, spoolFolder)}
	if token == "" {
		cfg.Client = localClient(to)
	}
	return reporter.Collector(cfg)
}

// toAgents asks the agents of --ask.
func (f *reportFlags) toAgents() (reporter.Reporter, error) {
	who, err := f.asked.who()
	return newDesk(who).reporter(f.links), err
}

func (f *reportFlags) toEngine() (reporter.Reporter, error) {
	return pushTo(f.push, instance.HTTPOptions{HeaderFile: f.pushAuth})
}

// pushTo returns the reporter of --push.
func pushTo(address string, access instance.HTTPOptions) (reporter.Reporter, error) {
	to, err := secretText(address)
	if err != nil {
		return reporter.Reporter{}, err
	}
	return engine.Push(to, access)
}

// execReporter returns the reporter of --exec. It does not interpret quotes: half of a shell's rules would be worse
// than none.
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
