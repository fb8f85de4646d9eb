package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/child"
	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/demo"
	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/casefile"
)

// The demo's load. The clients keep the shop busy whatever else the machine does. A third of what they get is a rate
// that the sick shop can serve without a queue: a proof under an overload would compare queues.
const (
	demoClients   = 16
	demoLoadShare = 1.0 / 3
	// demoSliceRequests are those of a slice of the proof at least; prove refuses less than ten.
	demoSliceRequests = 15.0
)

// demoPatience bounds how long a rule may take to trip. It takes ten seconds.
const demoPatience = 2 * time.Minute

func demoCommand() *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Show the whole loop on a small sick service, in a minute",
		Long: `Demo shows what casebook does, on this machine and with nothing but this
program: no Go, no network, no service of yours.

It starts a small shop, a process of its own whose requests are slow and
expensive, and clients that ask it. Then it runs the commands that you would
run: casebook watch, until a rule trips, a case is taken and says which line is
at fault; and casebook prove, which measures the shop with that line repaired
against the shop as it was.

That takes a minute, or a few on a busy machine, and 300 MB of memory. All that
it starts ends with it, also by Ctrl-C. It keeps the case if --dir says where.

make demo-lab in the repository shows the same on a service with a cache of a
million entries.

Exit codes: 0 the repair is proved; 1 it is not better; 2 the demo failed;
3 the measurement cannot tell; 130 interrupted.`,
		Example: `  casebook demo
  casebook demo --dir casebook-cases && casebook serve`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runDemo(cmd, dir) },
	}
	cmd.Flags().StringVar(&dir, "dir", "", "keep the case in this `folder` (default: keep nothing)")
	return cmd
}

// demoShopCommand is the shop itself.
func demoShopCommand() *cobra.Command {
	var listen string
	var repaired bool
	cmd := &cobra.Command{
		Use:    "demo-shop",
		Short:  "The sick service of casebook demo",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			runtime.GOMAXPROCS(1) // as in a small container: the clients and the watch need CPU, too
			return demo.Serve(cmd.Context(), listen, repaired)
		},
	}
	cmd.Flags().StringVar(&listen, "listen", "127.0.0.1:8080", "`address` to serve requests and profiles at")
	cmd.Flags().BoolVar(&repaired, "repaired", false, "without its fault")
	return cmd
}

// A demoRun is one demonstration.
type demoRun struct {
	*cobra.Command
	steps *terminal.Steps
	exe   string
	dir   string // of the case
}

func runDemo(cmd *cobra.Command, dir string) (err error) {
	d := demoRun{Command: cmd, steps: terminal.NewSteps(cmd.OutOrStdout()), dir: dir}
	if d.exe, err = os.Executable(); err != nil {
		return fmt.Errorf("finding this program, which is also the demo's service: %w", err)
	}
	if dir == "" {
		if d.dir, err = os.MkdirTemp("", "casebook-demo-"); err != nil {
			return fmt.Errorf("making a folder for the case: %w; --dir names one", err)
		}
		defer func() { err = errors.Join(err, os.RemoveAll(d.dir)) }()
	}
	if err := casefile.Dir(d.dir).Check(); err != nil {
		return err
	}
	command.InOrder(cmd.Context())
	err = d.run(cmd.Context())
	if cmd.Context().Err() != nil {
		d.steps.Step("Interrupted. All that the demo had started has ended.")
		return command.ExitError(command.ExitInterrupted)
	}
	return err
}

// run shows the sick shop, and then proves its repair.
func (d *demoRun) run(ctx context.Context) error {
	began := time.Now()
	rate, err := d.watch(ctx)
	if err != nil {
		return err
	}
	f, err := casework.Open(casework.Which{Dir: d.dir, Newest: true})
	if none := (*casework.NoCaseError)(nil); errors.As(err, &none) || err == nil && f.Case.Opened.Before(began) {
		return fmt.Errorf("no rule tripped within %s: this machine is too busy for the demo", demoPatience)
	}
	if err != nil {
		return err
	}
	if len(f.Case.Findings) == 0 {
		return errors.New("a rule tripped, but nothing was found: this machine is too busy for the demo")
	}
	return d.prove(f, d.showLine(f.Case), rate)
}

// shop is the command of a shop, with a place for its port.
func (d *demoRun) shop(more ...string) []string {
	return append([]string{d.exe, "demo-shop", "--listen", "127.0.0.1:" + child.PortPlace}, more...)
}

// watch watches the sick shop under load until it has a case. It returns the rate at which a shop is to be measured.
func (d *demoRun) watch(ctx context.Context) (rate float64, err error) {
	d.steps.Step(fmt.Sprintf("A shop starts, as a process of its own on one CPU. %d clients ask it without a break.",
		demoClients))
	shop, err := child.Start(child.Spec{Name: "the shop", Args: d.shop()})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, shop.Stop()) }()
	if err := shop.Ready(ctx, "/shelf?n=0", 30*time.Second); err != nil {
		return 0, err
	}
	clients := demo.Ask(ctx, shop.Addr, demoClients)
	defer clients.Stop()
	d.steps.Step("Casebook watches the shop from outside, through net/http/pprof, with its default rules.")
	code := d.casebook("watch", "--once", "--for", demoPatience.String(), "--service", "shop", "--dir", d.dir,
		"http://"+shop.Addr)
	switch {
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case code != command.ExitOK && code != command.ExitFindings: // it depends on the machine what a finding is worth
		return 0, command.ExitError(code)
	}
	return max(demoLoadShare*clients.Stop(), 1), nil
}

// showLine shows the line of the first finding that is about the shop's source, which is in this program, and returns
// that finding: the repair is made for it. Without one it is the first.
func (d *demoRun) showLine(c casefile.Case) casefile.Finding {
	for _, f := range c.Findings {
		for _, w := range f.Where {
			if text := demo.Excerpt(w.Line); filepath.Base(w.File) == demo.File && text != "" {
				d.steps.Step(fmt.Sprintf("This is the line of finding %s. Below it is the shop's repaired form.", f.ID))
				fmt.Fprintf(d.OutOrStdout(), "\n%s", text)
				return f
			}
		}
	}
	return c.Findings[0]
}

// prove measures the repaired shop against the sick one, puts the proof into the case, and sums up.
func (d *demoRun) prove(folder *casefile.Folder, f casefile.Finding, rate float64) error {
	d.steps.Step("Casebook proves the repair for " + f.ID + ": it starts both shops and loads them in turns, with a " +
		"third of what the clients got.")
	// As short as a slice may be that still has the requests a figure of it takes: a busy machine serves few.
	slice := max(250*time.Millisecond, time.Duration(demoSliceRequests/rate*float64(time.Second)).Round(time.Millisecond))
	code := d.casebook("prove", "--rate", fmt.Sprintf("%.0f", rate), "--slice", slice.String(), "--profile",
		"2s", "--case", folder.Case.ID, "--finding", f.ID, "--dir", d.dir, "--a-name", "sick", "--b-name", "repaired",
		"--a", child.Join(d.shop()), "--b", child.Join(d.shop("--repaired")), "/shelf?n=17")
	measured, err := casefile.Open(folder.Path)
	if err != nil {
		return err
	}
	if measured.Case.Proof != nil {
		d.steps.Step("What this was about, and how it ended:")
		d.steps.Show(func(w io.Writer) error {
			terminal.Story(w, &measured.Case, demo.Repair)
			return nil
		})
	}
	switch {
	case code != command.ExitOK:
		return command.ExitError(code)
	case d.Flags().Changed("dir"):
		d.steps.Step("The end. The case is kept, with its proof: casebook serve --dir " + d.dir + " shows it.")
	default:
		d.steps.Step("The end. All that was started has ended, and the case is removed. Next: casebook doctor and " +
			"casebook diagnose, with the URL of your own service (casebook init adds one).")
	}
	return nil
}

// casebook runs one of the commands as a person would, and shows how it was called.
func (d *demoRun) casebook(args ...string) (code int) {
	fmt.Fprintf(d.OutOrStdout(), "\n%s\n", commandLine(append([]string{"casebook"}, args...)))
	return command.Run(d.Context(), rootCommand(), args, d.OutOrStdout(), d.ErrOrStderr())
}

// commandLine is a command as it can be pasted into a shell, in lines that fit a terminal if its words do.
func commandLine(words []string) string {
	const width = 78 // with room for the backslash
	var b strings.Builder
	line := "$"
	for _, w := range words {
		w = child.Join([]string{w})
		if len(line)+1+len(w) > width {
			b.WriteString(line + " \\\n")
			line = "   "
		}
		line += " " + w
	}
	return b.String() + line
}
