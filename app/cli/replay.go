package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/openfile"
	"github.com/gocasebook/casebook/app/replay"
	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/internal/number"
)

type replayFlags struct {
	options  replay.Options
	out      string
	arrivals string
	access   accessFlags
}

func replayCommand() *cobra.Command {
	var f replayFlags
	cmd := &cobra.Command{
		Use:   "replay FILE|URL|-…",
		Short: "Make a load of the requests that a service got",
		Long: `Replay reads what a service was really asked for, and writes targets for
casebook load. It reads

  access logs  of nginx, Apache, Caddy, Traefik, Envoy, HAProxy, load balancers,
               and of services that log a JSON object a line, also gzipped
  HAR files    of browsers and proxies, with headers and bodies
  samples      of package middleware (middleware.NewSample), by their URL

It keeps an even sample. Secrets are taken out before anything is written:
headers, parameters and fields of bodies by their names, tokens by their form.
Names and addresses in paths stay.

An access log has no bodies, so that POST, PUT and PATCH are left out of it, and
counted. DELETE is kept only if --method names it.

The targets go to standard output, or into --out; what was read and left out is
said on standard error.`,
		Example: `  casebook replay --out shop.jsonl --arrivals shop.times access.log.gz
  casebook load --no-templates --targets shop.jsonl --pace 'replay shop.times' http://127.0.0.1:8080
  casebook replay --host shop.example.org --method GET checkout.har > shop.jsonl
  casebook replay http://127.0.0.1:6060/debug/casebook/requests > shop.jsonl`,
		Args: command.NeedArgs("a file or the URL of a sample", "casebook replay access.log"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.StringVarP(&f.out, "out", "o", "", "write the targets into this `file`")
	flags.StringVar(&f.arrivals, "arrivals", "", "write when each request came into this `file`, for --pace 'replay FILE'")
	flags.IntVar(&f.options.Most, "most", replay.DefaultMost, "`number` of requests to keep: an even sample of all")
	flags.StringSliceVar(&f.options.Methods, "method", nil, "keep these `methods` only; repeatable")
	flags.StringSliceVar(&f.options.Hosts, "host", nil, "keep requests to this `host` only; repeatable")
	flags.StringVar(&f.options.Prefix, "prefix", "", "keep paths that begin with this `text` only")
	flags.StringSliceVar(&f.options.Headers, "keep-header", nil,
		"keep this `header` although it may hold a secret; repeatable")
	flags.Uint64Var(&f.options.Seed, "seed", 1, "`number` that decides which requests are kept")
	command.Group(cmd, "Reaching the URL of a sample", func(flags *pflag.FlagSet) { f.access.add(flags) })
	return cmd
}

func (f *replayFlags) run(cmd *cobra.Command, args []string) error {
	if f.options.Most < 1 {
		return fmt.Errorf("--most is %d; it must be 1 or more", f.options.Most)
	}
	for i, method := range f.options.Methods {
		f.options.Methods[i] = strings.ToUpper(method)
	}
	if err := errors.Join(command.CheckWritable("out", f.out), command.CheckWritable("arrivals", f.arrivals)); err != nil {
		return err
	}
	var sources []replay.Source
	for _, arg := range args {
		r, err := f.open(cmd.Context(), cmd.InOrStdin(), arg)
		if err != nil {
			return err
		}
		defer r.Close()
		sources = append(sources, replay.Source{Name: arg, Reader: r})
	}
	end := busyWith(cmd.ErrOrStderr(), "reading requests")
	res, err := replay.Read(f.options, sources...)
	end()
	if err != nil {
		return err
	}
	if err := f.write(cmd.OutOrStdout(), res); err != nil {
		return err
	}
	f.tell(terminal.New(cmd.ErrOrStderr()), res)
	return nil
}

// open opens a file, standard input, or the URL of a sample.
func (f *replayFlags) open(ctx context.Context, stdin io.Reader, arg string) (io.ReadCloser, error) {
	switch {
	case arg == "-":
		return io.NopCloser(stdin), nil
	case !strings.Contains(arg, "://"):
		return openfile.Open(arg)
	}
	access, err := f.access.options()
	if err != nil {
		return nil, err
	}
	t, err := instance.NewHTTPWith(arg, access)
	if err != nil {
		return nil, err
	}
	client, address, err := t.PageClient(arg)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		resp.Body.Close()
		return nil, fmt.Errorf("%s answered %d; is middleware.NewSample mounted there?", arg, resp.StatusCode)
	}
	return resp.Body, nil
}

func (f *replayFlags) write(stdout io.Writer, res *replay.Result) error {
	if f.arrivals != "" {
		if res.Arrivals == nil {
			return errors.New("--arrivals: not each request has a time, or there are more than a million: leave " +
				"--arrivals out, and give a rate to casebook load")
		}
		if err := writeFile(f.arrivals, func(w io.Writer) error { return replay.WriteArrivals(w, res.Arrivals) }); err != nil {
			return err
		}
	}
	if f.out == "" {
		return replay.Write(stdout, res.Requests)
	}
	return writeFile(f.out, func(w io.Writer) error { return replay.Write(w, res.Requests) })
}

// tell says what was read, what is missing, and what to do next.
func (f *replayFlags) tell(p *terminal.Printer, res *replay.Result) {
	text := number.Things(len(res.Requests), "request")
	if !res.Whole() {
		text = fmt.Sprintf("%s of %s, an even sample", number.Count(float64(len(res.Requests))),
			number.Things(res.Seen, "request"))
	}
	rate := res.Rate()
	if rate > 0 {
		text += fmt.Sprintf("; %s to %s, %s a second", res.From.UTC().Format(time.DateTime),
			res.To.UTC().Format(time.DateTime), number.Digits(rate))
	}
	if peak := float64(res.Peak) / 60; peak > rate && rate > 0 { // a log of less than a minute has no busiest one
		text += fmt.Sprintf(", %s a second in the busiest minute (%s)", number.Digits(peak), res.PeakAt.Format("15:04"))
	}
	p.Text("kept      ", text)
	listed(p, "left out  ", res.Left)
	listed(p, "taken out ", res.Redacted)
	targets, pace := f.out, fmt.Sprintf("--rate %s ", number.Digits(max(rate, 1)))
	if targets == "" {
		targets = "FILE"
	}
	if f.arrivals != "" && res.Whole() {
		pace = "--pace 'replay " + f.arrivals + "' "
	}
	fmt.Fprintln(p.W, "next      casebook load --no-templates --targets "+targets+" "+pace+"http://127.0.0.1:8080") // to be copied
}

// listed prints counts, the largest first.
func listed(p *terminal.Printer, label string, counts map[string]int) {
	if len(counts) == 0 {
		return
	}
	names := slices.Collect(maps.Keys(counts))
	slices.SortFunc(names, func(a, b string) int {
		if counts[a] != counts[b] {
			return counts[b] - counts[a]
		}
		return strings.Compare(a, b)
	})
	var parts []string
	for _, name := range names {
		parts = append(parts, number.Count(float64(counts[name]))+" × "+name)
	}
	p.Text(label, strings.Join(parts, "; "))
}

// writeFile writes a file that its owner alone may read: it has what callers asked for.
func writeFile(path string, write func(io.Writer) error) error {
	w, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(write(w), w.Close())
}
