package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook/app/compare"
	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/casefile"
)

// compareFlags are what a comparison may be told.
type compareFlags struct {
	output compareOutput
	opt    compare.Options
	margin share
	alpha  float64
}

func compareCommand() *cobra.Command {
	f := compareFlags{margin: compare.DefaultMargin, alpha: compare.DefaultAlpha}
	cmd := &cobra.Command{
		Use:   "compare OLD NEW",
		Short: "Say what differs between two measurements",
		Long: `Compare says of every figure whether it got better, worse, stayed the same, or
that it cannot tell, and why. What the inputs are is found out by their content:

  go test -bench output   medians, intervals, p-values and geomeans as benchstat;
                          allocs/op and B/op that do not vary are judged exactly
  casebook load --out     latencies, throughput and errors over the windows
  casebook prove          the proofs' sides "after"
  profiles and cases      findings that are new, worse, better or gone

An input may be label=FILE, and one of them - for standard input. Of benchmarks
--col may name something else than the file, and one input is enough then; of
more than two, each is compared with the first.

Exit codes: 0 nothing is worse, 1 something is, 2 wrong usage, or an input that
could not be read.`,
		Example: `  go test -run '^$' -bench . -benchmem -count 10 > new.txt
  casebook compare old.txt new.txt
  casebook compare --col /format bench.txt
  casebook compare before.json after.json
  casebook compare --html out.html healthy.zip incident.zip
  casebook compare --markdown old.txt new.txt >> $GITHUB_STEP_SUMMARY`,
		Args: needArgs("two inputs, the old one first", "casebook compare old.txt new.txt"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	group(cmd, "Judging", func(flags *pflag.FlagSet) {
		flags.Var(&f.margin, "margin", "a `change` that is too small to matter")
		flags.Float64Var(&f.alpha, "alpha", f.alpha, "level of the tests")
	})
	group(cmd, "Benchmarks, as of benchstat", func(flags *pflag.FlagSet) {
		flags.StringVar(&f.opt.Filter, "filter", "", "use only results that match this `query`")
		flags.StringVar(&f.opt.Table, "table", "", "a table for each value of these `keys` (default .config)")
		flags.StringVar(&f.opt.Row, "row", "", "a row for each value of these `keys` (default .fullname)")
		flags.StringVar(&f.opt.Col, "col", "", "compare across values of these `keys` (default .file)")
		flags.StringVar(&f.opt.Ignore, "ignore", "", "`keys` that may differ")
	})
	group(cmd, "Output", f.output.add)
	return cmd
}

func (f *compareFlags) run(cmd *cobra.Command, args []string) error {
	if err := f.output.check(); err != nil {
		return err
	}
	f.opt.Margin, f.opt.Alpha = float64(f.margin), f.alpha
	if len(args) < 2 && f.opt.Col == "" {
		return fmt.Errorf("one input, %s: name the other too, or say with --col what to compare within it", args[0])
	}
	inputs, err := readCompared(cmd.InOrStdin(), args)
	if err != nil {
		return err
	}
	res, err := f.compare(cmd, inputs)
	if err != nil {
		return err
	}
	if err := f.output.write(cmd.OutOrStdout(), res); err != nil {
		return err
	}
	if res.worse() {
		return errFindings
	}
	return nil
}

// A comparedInput is one argument.
type comparedInput struct {
	label, path string
	kind        compare.Kind
	data        []byte // of a folder nil
}

func readCompared(stdin io.Reader, args []string) ([]comparedInput, error) {
	var out []comparedInput
	count := make(map[string]int)
	for _, arg := range args {
		in, err := readInput(stdin, arg)
		if err != nil {
			return nil, err
		}
		if n := count[in.label]; n > 0 && in.label == in.path { // the same file twice would be one column
			in.label += "#" + strconv.Itoa(n)
		}
		count[in.path]++
		out = append(out, in)
	}
	for _, in := range out[1:] {
		if in.kind != out[0].kind {
			return nil, fmt.Errorf("%s is %s, %s is %s: only the same kinds compare", out[0].path, kindText(out[0].kind), in.path, kindText(in.kind))
		}
	}
	if len(out) > 2 && out[0].kind != compare.Benchmarks || len(out) == 1 && out[0].kind != compare.Benchmarks {
		return nil, fmt.Errorf("%d inputs of %s: name two, the old one first", len(out), kindText(out[0].kind))
	}
	return out, nil
}

func kindText(k compare.Kind) string {
	return map[compare.Kind]string{compare.Benchmarks: "benchmark output", compare.Load: "a result of casebook load",
		compare.Proof: "a proof", compare.Evidence: "evidence"}[k]
}

// readInput reads one argument. label=FILE is taken for that where no file has the whole name.
func readInput(stdin io.Reader, arg string) (comparedInput, error) {
	in := comparedInput{label: arg, path: arg}
	info, err := os.Stat(arg)
	if err != nil {
		if label, path, ok := strings.Cut(arg, "="); ok {
			in.label, in.path = label, path
			info, err = os.Stat(path)
		}
	}
	switch {
	case in.path == "-":
		in.data, err = readAtMost(stdin, "standard input")
	case err != nil:
		return in, fmt.Errorf("%s: no such file or folder; compare wants two that exist, the old one first", in.path)
	case info.IsDir() && exists(filepath.Join(in.path, proofName)):
		in.data, err = readNamed(filepath.Join(in.path, proofName))
	case info.IsDir():
		in.kind = compare.Evidence
		return in, nil
	default:
		in.data, err = readNamed(in.path)
	}
	if err != nil {
		return in, err
	}
	if in.kind, err = compare.KindOf(in.data[:min(len(in.data), compare.Sniffed)]); err != nil {
		return in, fmt.Errorf("%s: %w", in.path, err)
	}
	return in, nil
}

func readNamed(path string) ([]byte, error) {
	r, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading an input: %w", err)
	}
	defer r.Close() // it was only read
	return readAtMost(r, path)
}

func readAtMost(r io.Reader, name string) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading %s: %w", name, err)
	case len(data) > maxFile:
		return nil, fmt.Errorf("%s is larger than %s; compare fewer results at a time", name, size(maxFile))
	}
	return data, nil
}

// compare does what the kind of the inputs asks for.
func (f *compareFlags) compare(cmd *cobra.Command, in []comparedInput) (*comparedResult, error) {
	var res comparedResult
	var err error
	switch in[0].kind {
	case compare.Benchmarks:
		var inputs []compare.Input
		for _, i := range in {
			inputs = append(inputs, compare.Input{Label: i.label, Data: bytes.NewReader(i.data)})
		}
		res.report, err = compare.OfBenchmarks(inputs, f.opt)
	case compare.Load:
		res.loads, res.report, err = f.load(in[0], in[1])
	case compare.Proof:
		res.report, err = f.proofs(in[0], in[1])
	default:
		return f.evidence(cmd, in[0], in[1])
	}
	return &res, err
}

func (f *compareFlags) load(a, b comparedInput) (*comparedLoads, *compare.Report, error) {
	var files [2]*load.File
	for i, in := range []comparedInput{a, b} {
		var err error
		if files[i], err = load.Read(bytes.NewReader(in.data)); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", in.path, err)
		}
	}
	r, err := compare.OfLoad(a.label, files[0], b.label, files[1], f.opt)
	return &comparedLoads{a, b, files, f.opt}, r, err
}

func (f *compareFlags) proofs(a, b comparedInput) (*compare.Report, error) {
	var proofs [2]*casefile.Proof
	for i, in := range []comparedInput{a, b} {
		var err error
		if proofs[i], err = compare.DecodeProof(in.data); err != nil {
			return nil, fmt.Errorf("%s: %w", in.path, err)
		}
	}
	return compare.OfProofs(a.label, proofs[0], b.label, proofs[1], f.opt)
}

// evidence compares findings, as diagnose --base, and the proofs of two cases that have one.
func (f *compareFlags) evidence(cmd *cobra.Command, a, b comparedInput) (*comparedResult, error) {
	if a.path == "-" || b.path == "-" {
		return nil, errors.New("evidence is read from files here; casebook diagnose --base OLD - reads it from standard input")
	}
	d := diagnoseFlags{base: []string{a.path}}
	found, err := d.diagnose(cmd, []string{b.path})
	if err != nil {
		return nil, err
	}
	if len(found.failed) > 0 || found.comparison == nil {
		return nil, errors.Join(append(found.failed, errors.New("nothing was compared"))...)
	}
	res := &comparedResult{diagnosed: found, old: a.label, latest: b.label}
	if p, q := proofOfCase(a.path), proofOfCase(b.path); p != nil && q != nil {
		res.report, err = compare.OfProofs(a.label, p, b.label, q, f.opt)
	}
	return res, err
}

// proofOfCase is the proof in a case's folder; nil where there is none.
func proofOfCase(path string) *casefile.Proof {
	if !exists(filepath.Join(path, "case.json")) {
		return nil
	}
	f, err := casefile.Open(path)
	if err != nil { // diagnose has said so
		return nil
	}
	return f.Case.Proof
}
