package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/openfile"
	"github.com/gocasebook/casebook/app/render"
	"github.com/gocasebook/casebook/app/store"
	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/internal/number"
)

// storeFlags say where a store is.
type storeFlags struct{ index, blobs string }

func (f *storeFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.index, "store", "",
		"`where` cases are kept: a folder, or postgres://…, or env:NAME or file:PATH with it")
	flags.StringVar(&f.blobs, "blobs", "",
		"`where` evidence is kept: a folder, or s3://bucket/prefix?endpoint=URL (default: in the folder of --store)")
}

func (f *storeFlags) given() bool { return f.index != "" || f.blobs != "" }

// config reads the flags. A folder stands for SQLite in it, with the evidence beside.
func (f *storeFlags) config() (store.Config, error) {
	index, err := secret(f.index)
	switch {
	case err != nil:
		return store.Config{}, fmt.Errorf("--store: %w", err)
	case index == "":
		return store.Config{}, errors.New("--store is missing; name a folder, or postgres://…")
	case strings.HasPrefix(index, "postgres://"), strings.HasPrefix(index, "postgresql://"):
		if f.blobs == "" {
			return store.Config{}, errors.New("--blobs is missing; with PostgreSQL name a folder, or s3://…")
		}
		return store.Config{Index: index, Blobs: f.blobs}, nil
	case strings.Contains(index, "://"):
		scheme, _, _ := strings.Cut(index, "://")
		return store.Config{}, fmt.Errorf("--store: %s is not a database that Casebook knows; name a folder, or "+
			"postgres://…", render.Plain(scheme))
	}
	cfg := store.Config{Index: "sqlite:" + filepath.Join(index, "index.db"), Blobs: f.blobs,
		Scratch: filepath.Join(index, "scratch")}
	if cfg.Blobs == "" {
		cfg.Blobs = filepath.Join(index, "blobs")
	}
	return cfg, nil
}

// folder is the folder of a store with SQLite.
func (f *storeFlags) folder() (string, error) {
	cfg, err := f.config()
	if err != nil {
		return "", err
	}
	file, found := strings.CutPrefix(cfg.Index, "sqlite:")
	if !found {
		return "", errors.New("--watch-dir is missing; with PostgreSQL name a folder for cases until the store has them")
	}
	return filepath.Dir(file), nil
}

// secret reads env:NAME and file:PATH: other users see the arguments of a process, and the address of a database may
// have a password in it.
func secret(value string) (string, error) {
	if name, ok := strings.CutPrefix(value, "env:"); ok {
		if text := strings.TrimSpace(os.Getenv(name)); text != "" {
			return text, nil
		}
		return "", fmt.Errorf("the variable %s is not set or is empty", render.Plain(name))
	}
	if file, ok := strings.CutPrefix(value, "file:"); ok {
		data, err := openfile.ReadSmall(file)
		if text := strings.TrimSpace(string(data)); err != nil || text != "" {
			return text, err
		}
		return "", fmt.Errorf("%s is empty", render.Plain(file))
	}
	return value, nil
}

// open opens the store. with changes its configuration; nil does not.
func (f *storeFlags) open(ctx context.Context, log *slog.Logger, with func(*store.Config)) (*store.Store, error) {
	cfg, err := f.config()
	if err != nil {
		return nil, err
	}
	cfg.Log = log
	if with != nil {
		with(&cfg)
	}
	return store.Open(ctx, cfg)
}

// within opens the store for a command.
func (f *storeFlags) within(cmd *cobra.Command, fn func(context.Context, *store.Store, io.Writer) error) (err error) {
	if err := needDrivers(); err != nil {
		return err
	}
	s, err := f.open(cmd.Context(), slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), nil)), nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	command.InOrder(cmd.Context())
	return fn(cmd.Context(), s, cmd.OutOrStdout())
}

func storeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "store",
		Short: "Look after what casebook serve keeps: tokens, check, backup, move",
		Long: `A store is where casebook serve --store keeps cases: SQLite and a folder, or
PostgreSQL and a bucket of S3's protocol. These commands may run beside servers.`,
	}
	cmd.AddCommand(storeCheck(), storeRepair(), storeSweep(), storePrune(), storePin(), storeUnpin(),
		storeMove(), storeBackup(), storeToken())
	return cmd
}

func storeCheck() *cobra.Command {
	var flags storeFlags
	var quick, asJSON bool
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Compare every case with its evidence",
		Long: `Check reads all evidence and compares it with its checksum. It changes nothing,
and exits with 1 when evidence is lost or was changed.`,
		Example: `  casebook store check --store /var/lib/casebook-store`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return flags.within(cmd, func(ctx context.Context, s *store.Store, out io.Writer) error {
				h, err := s.Check(ctx, !quick)
				if err != nil {
					return err
				}
				if asJSON {
					err = writeJSON(out, h)
				} else {
					printHealth(out, h)
				}
				if n := len(h.Faults); err == nil && n > 0 {
					err = lost(cmd, n, "casebook store repair brings back what a backup has")
				}
				return err
			})
		},
	}
	flags.add(cmd.Flags())
	cmd.Flags().BoolVar(&quick, "quick", false, "compare sizes only, and read no evidence")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// lost says that a command ran well and that evidence is lost.
func lost(cmd *cobra.Command, n int, next string) error {
	terminal.New(cmd.ErrOrStderr()).Text("", fmt.Sprintf("%d pieces of evidence are lost or were changed; %s", n, next))
	return command.ErrFindings
}

func printHealth(w io.Writer, h store.Health) {
	fmt.Fprintf(w, "%s, %d pieces of evidence in %d blobs, %s\n", number.Things(h.Cases, "case"), h.Evidence, h.Blobs,
		number.Bytes(float64(h.Bytes)))
	out := terminal.New(w)
	for _, f := range h.Faults {
		out.Text("", render.Plain(fmt.Sprintf("%s: %s: %s", f.Case, f.File, f.Text)))
	}
	if h.Spare > 0 {
		out.Text("", fmt.Sprintf("%d blobs belong to no case; casebook store sweep removes those older than a day",
			h.Spare))
	}
}

func storeRepair() *cobra.Command {
	var flags, from storeFlags
	cmd := &cobra.Command{
		Use:   "repair",
		Short: "Bring lost evidence back from a backup",
		Long: `Repair checks all evidence by its checksum, and brings what is lost or was changed
back from another store that has it. It exits with 1 when some is still lost.`,
		Example: `  casebook store repair --store /var/lib/casebook-store --from /backup/casebook`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return flags.within(cmd, func(ctx context.Context, s *store.Store, out io.Writer) (err error) {
				if !from.given() {
					return errors.New("--from is missing; name the store that has the evidence, such as a backup's folder")
				}
				other, err := from.open(ctx, slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), nil)), nil)
				if err != nil {
					return err
				}
				defer func() { err = errors.Join(err, other.Close()) }()
				r, err := s.Repair(ctx, other)
				if err != nil {
					return err
				}
				fmt.Fprintf(out, "brought back %d blobs\n", r.Blobs)
				for _, f := range r.Left {
					terminal.New(out).Text("", render.Plain(fmt.Sprintf("%s: %s: %s", f.Case, f.File, f.Text)))
				}
				if n := len(r.Left); n > 0 {
					return lost(cmd, n, "that store has not got them either")
				}
				return nil
			})
		},
	}
	flags.add(cmd.Flags())
	cmd.Flags().StringVar(&from.index, "from", "", "`where` the evidence comes from: as --store")
	cmd.Flags().StringVar(&from.blobs, "from-blobs", "", "`where` its evidence is: as --blobs")
	return cmd
}

func storeSweep() *cobra.Command {
	var flags storeFlags
	cmd := &cobra.Command{
		Use:     "sweep",
		Short:   "Remove evidence that no case needs any more",
		Long:    `Sweep removes evidence of removed cases once it is older than a day.`,
		Example: `  casebook store sweep --store /var/lib/casebook-store`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return flags.within(cmd, func(ctx context.Context, s *store.Store, out io.Writer) error {
				n, bytes, err := s.Sweep(ctx)
				fmt.Fprintf(out, "removed %d blobs, %s\n", n, number.Bytes(float64(bytes)))
				return err
			})
		},
	}
	flags.add(cmd.Flags())
	return cmd
}

func storeMove() *cobra.Command {
	var from, to storeFlags
	cmd := &cobra.Command{
		Use:   "move",
		Short: "Copy all cases into another store",
		Long: `Move copies every case that the other store has not, and verifies all evidence by
its checksum on the way. It can be ended and started again. The old store stays
as it is: remove it when casebook store check says that the new one is whole.`,
		Example: `  casebook store move --store /var/lib/casebook-store \
      --to env:CASEBOOK_DB --to-blobs 's3://cases?endpoint=https://minio:9000'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return copyStore(cmd, &from, &to) },
	}
	from.add(cmd.Flags())
	cmd.Flags().StringVar(&to.index, "to", "", "`where` they go: as --store")
	cmd.Flags().StringVar(&to.blobs, "to-blobs", "", "`where` their evidence goes: as --blobs")
	return cmd
}

func storeBackup() *cobra.Command {
	var from storeFlags
	cmd := &cobra.Command{
		Use:   "backup FOLDER",
		Short: "Copy all cases into a folder that casebook serve can open",
		Long: `Backup copies every case that the folder has not into a store of SQLite and files
in it, and verifies all evidence by its checksum. The next backup into the same
folder adds what is new.`,
		Example: `  casebook store backup --store env:CASEBOOK_DB --blobs 's3://cases' /backup/casebook
  casebook serve --store /backup/casebook`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return copyStore(cmd, &from, &storeFlags{index: args[0]})
		},
	}
	from.add(cmd.Flags())
	return cmd
}

func copyStore(cmd *cobra.Command, from, to *storeFlags) error {
	return from.within(cmd, func(ctx context.Context, s *store.Store, out io.Writer) (err error) {
		other, err := to.open(ctx, slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), nil)), nil)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, other.Close()) }()
		p, err := s.Copy(ctx, other, nil)
		fmt.Fprintf(out, "copied %s, %s; %d were there", number.Things(p.Cases, "case"),
			number.Bytes(float64(p.Bytes)), p.Known)
		if p.Failed > 0 {
			fmt.Fprintf(out, "; %d could not be copied", p.Failed)
		}
		fmt.Fprintln(out)
		return err
	})
}

func storeToken() *cobra.Command {
	var flags storeFlags
	cmd := &cobra.Command{
		Use:   "token",
		Short: "Create, list and revoke tokens",
		Long: `A token lets a person, a watch or another program speak to casebook serve. The
store has only its hash. Roles: viewer reads cases, uploader sends them too (for
casebook watch --collector-token-file), operator removes them too.`,
	}
	flags.add(cmd.PersistentFlags())
	cmd.AddCommand(tokenCreate(&flags), tokenList(&flags), tokenRevoke(&flags))
	return cmd
}

func tokenCreate(flags *storeFlags) *cobra.Command {
	var role string
	cmd := &cobra.Command{
		Use:     "create NAME",
		Short:   "Make a token and print it, the only time that it can be seen",
		Example: `  casebook store token create --store /var/lib/casebook-store --role uploader watch-eu >token`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return flags.within(cmd, func(ctx context.Context, s *store.Store, out io.Writer) error {
				token, err := s.CreateToken(ctx, args[0], store.Role(role))
				if err == nil {
					_, err = fmt.Fprintln(out, token)
				}
				return err
			})
		},
	}
	cmd.Flags().StringVar(&role, "role", string(store.Viewer), "`role`: viewer, uploader or operator")
	return cmd
}

func tokenList(flags *storeFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "ls",
		Short: "List the tokens by name",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return flags.within(cmd, func(ctx context.Context, s *store.Store, out io.Writer) error {
				list, err := s.Tokens(ctx)
				for _, t := range list {
					fmt.Fprintf(out, "%s  %-8s  %s\n", t.Created.Local().Format(time.DateTime), t.Role,
						render.Plain(t.Name))
				}
				return err
			})
		},
	}
}

func tokenRevoke(flags *storeFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "revoke NAME",
		Short: "Make a token worthless",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return flags.within(cmd, func(ctx context.Context, s *store.Store, _ io.Writer) error {
				return s.RevokeToken(ctx, args[0])
			})
		},
	}
}
