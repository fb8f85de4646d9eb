package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/app/access"
	"github.com/gocasebook/casebook/app/child"
	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/mcp"
	"github.com/gocasebook/casebook/app/openfile"
	"github.com/gocasebook/casebook/internal/plain"
)

// mcpFlags say what an agent may see and do.
type mcpFlags struct {
	dir, source     string
	allow           []string
	targets, proofs []string
	fixProof        string
	runTime         time.Duration
	access          accessFlags

	http, tokenFile string
	hosts           []string
	cert, key       string
	instructions    bool
	verbose         bool
}

func mcpCommand() *cobra.Command {
	var f mcpFlags
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Let an agent read cases and prove fixes, by the Model Context Protocol",
		Long: `Mcp is a server of the Model Context Protocol on standard input and output, or
with --http at an address. An agent gets tools that read: list_cases, brief, fact,
code, check_answer, known, get_case, diagnose, explain, get_evidence, compare,
rules_status. They read in the folder of --dir, which no symbolic link leaves, and
of source what is around places of the evidence: the program's own in --source,
dependencies in the module cache. They change nothing.

--allow answer lets it keep a checked answer in the case. capture, lint, fix and
prove run something. Each takes two calls: a plan says exactly what would run,
and execute runs that, once. What may be captured (--target), which code is read (--source) and which commands a proof
measures (--proof) is said here, never by the agent. fix answers with a diff and
changes no file.

Over HTTP each request needs a token. Without --token-file it is in a file that
only you can read, whose name is printed; an address that others can reach wants
--token-file. docs/mcp.md has the tools and how to set up a client.`,
		Example: `  casebook mcp --dir casebook-cases
  casebook mcp --instructions
  casebook mcp --allow capture --target shop=http://127.0.0.1:6060
  casebook mcp --source . --allow lint,fix,prove \
    --proof "shop=--rate 300 --rev main './cmd/shop -addr 127.0.0.1:{port}' /items"
  casebook mcp --http 127.0.0.1:7071`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.dir, "dir", casebook.DefaultDir, "`folder` with the cases; tools that read read nothing outside")
	flags.BoolVar(&f.instructions, "instructions", false, "print the text for the model, and exit")
	addVerbose(flags, &f.verbose, "write a line for each call to standard error")
	command.Group(cmd, "What an agent may run", func(flags *pflag.FlagSet) {
		flags.StringSliceVar(&f.allow, "allow", nil, "`actions`: capture, answer, lint, fix, prove (default: none)")
		flags.StringArrayVar(&f.targets, "target", nil, "a process that may be captured, as `NAME=URL`; repeatable")
		flags.StringVar(&f.source, "source", "", "`folder` of the code, for code, lint, fix and prove")
		flags.StringArrayVar(&f.proofs, "proof", nil,
			"a measurement that may be run, as `NAME=ARGUMENTS` of casebook prove; repeatable")
		flags.StringVar(&f.fixProof, "fix-proof", "", "`arguments` of casebook fix --prove, such as '--bench .'")
		flags.DurationVar(&f.runTime, "run-time", mcp.DefaultRunTime, "stop a run after this long")
	})
	command.Group(cmd, "Reaching targets", f.access.add)
	command.Group(cmd, "HTTP", func(flags *pflag.FlagSet) {
		flags.StringVar(&f.http, "http", "", "listen on this `address`, such as 127.0.0.1:7071; port 0 takes any")
		flags.StringVar(&f.tokenFile, "token-file", "",
			"`file` with the token that requests must have (default: one that is made for this user)")
		flags.StringSliceVar(&f.hosts, "host", nil, "`name` that the server goes by, beside localhost (repeatable)")
		flags.StringVar(&f.cert, "tls-cert", "", "`file` with the certificate, PEM")
		flags.StringVar(&f.key, "tls-key", "", "`file` with its key, PEM")
	})
	return cmd
}

func (f *mcpFlags) run(cmd *cobra.Command) error {
	cfg, err := f.config(cmd)
	if err != nil {
		return err
	}
	if f.instructions {
		_, err := io.WriteString(cmd.OutOrStdout(), mcp.Instructions(cfg.Allow))
		return err
	}
	s, err := mcp.New(cfg)
	if err != nil {
		return err
	}
	if f.http != "" {
		err = f.serve(cmd.Context(), cmd.ErrOrStderr(), s)
	} else {
		command.InOrder(cmd.Context())
		err = s.Serve(cmd.Context(), io.NopCloser(cmd.InOrStdin()), writeCloser{plain.Under(cmd.OutOrStdout())})
	}
	return errors.Join(err, s.Close())
}

// A writeCloser leaves standard output open.
type writeCloser struct{ io.Writer }

func (writeCloser) Close() error { return nil }

// config returns what the flags say.
func (f *mcpFlags) config(cmd *cobra.Command) (cfg mcp.Config, err error) {
	if f.http == "" && (f.tokenFile != "" || len(f.hosts) > 0 || f.cert+f.key != "") {
		return cfg, errors.New("--token-file, --host, --tls-cert and --tls-key are for --http, which is not given")
	}
	if f.runTime <= 0 {
		return cfg, fmt.Errorf("--run-time %s: want more than nothing", f.runTime)
	}
	cfg = mcp.Config{Dir: f.dir, Source: f.source, RunTime: f.runTime, Version: command.Version()}
	if cfg.Access, err = f.access.words(); err != nil {
		return cfg, err
	}
	if _, err := f.access.options(); err != nil { // a wrong flag is reported now, not at the first capture
		return cfg, err
	}
	if f.verbose {
		cfg.Log = slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), nil))
	}
	for _, a := range f.allow {
		cfg.Allow = append(cfg.Allow, mcp.Action(a))
	}
	for _, t := range f.targets {
		name, url, _ := strings.Cut(t, "=")
		cfg.Targets = append(cfg.Targets, mcp.Target{Name: name, URL: url})
	}
	for _, p := range f.proofs {
		name, text, _ := strings.Cut(p, "=")
		args, err := child.Split(text)
		if err != nil {
			return cfg, fmt.Errorf("--proof %s: %w", name, err)
		}
		cfg.Proofs = append(cfg.Proofs, mcp.Proof{Name: name, Args: args})
	}
	if f.fixProof != "" {
		if cfg.FixProof, err = child.Split(f.fixProof); err != nil {
			return cfg, fmt.Errorf("--fix-proof: %w", err)
		}
	}
	cfg.Tool, err = os.Executable()
	return cfg, err
}

func (f *mcpFlags) serve(ctx context.Context, stderr io.Writer, s *mcp.Server) error {
	c := mcp.HTTPConfig{Hosts: f.hosts}
	var err error
	if c.Certificates, err = (&serveRequest{cert: f.cert, key: f.key}).certificates(); err != nil {
		return err
	}
	l, err := net.Listen("tcp", f.http)
	if err != nil {
		return fmt.Errorf("--http: %w", err)
	}
	var where string
	if c.Token, where, err = f.token(l.Addr()); err != nil {
		return errors.Join(err, l.Close())
	}
	fmt.Fprintf(stderr, "MCP at %s%s\n", strings.TrimSuffix(address(l, c.Certificates != nil), "/"), mcp.Path)
	if where != "" {
		fmt.Fprintf(stderr, "Its token is in %s\n", where)
	}
	command.InOrder(ctx)
	return s.ServeHTTP(ctx, l, c)
}

// token is what requests must have: of --token-file, or of a file of this user's own, which is then said.
func (f *mcpFlags) token(listens net.Addr) (token, where string, err error) {
	if f.tokenFile != "" {
		data, err := openfile.ReadSmall(f.tokenFile)
		if err != nil {
			return "", "", fmt.Errorf("--token-file: %w", err)
		}
		if token = strings.TrimSpace(string(data)); len(token) < shortestToken {
			return "", "", fmt.Errorf("--token-file: the token in %s has %d characters; want %d or more, as of: "+
				"openssl rand -hex 16", f.tokenFile, len(token), shortestToken)
		}
		return token, "", nil
	}
	if tcp, ok := listens.(*net.TCPAddr); !ok || !tcp.IP.IsLoopback() || len(f.hosts) > 0 {
		return "", "", errors.New("a server that others can reach needs a token: --token-file FILE")
	}
	file, err := access.SecretFile(mcpSecret)
	if err != nil {
		return "", "", fmt.Errorf("a token: %w; name one with --token-file", err)
	}
	secret, err := access.KeepSecret(file)
	if err != nil {
		return "", "", fmt.Errorf("a token: %w; or name one with --token-file", err)
	}
	return secret.Token(), access.SecretPlace(mcpSecret), nil
}

// shortestToken is what nobody guesses over a network.
const shortestToken = 16
