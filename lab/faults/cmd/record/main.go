// Command record records evidence of the proving ground's faults into evidence/cases, and of real programs. In lab:
//
//	go run ./faults/cmd/record -kind 'alloc-.*' -keep
//	go run ./faults/cmd/record -kind alloc-fmt -variant faulty          # prints the findings, writes nothing
//	go run ./faults/cmd/record -url http://127.0.0.1:6060 -name healthy/etcd-warm -program 'etcd 3.6, 300 writes/s' -keep
//
// Then, in the root of the repository, go test ./internal/tests/diagnose -run TestCases/alloc_fmt compares what the
// detectors say about it with diagnose/testdata/truth.tsv. One program is recorded at a time on a machine, and it waits
// for the machine to be quiet: shares of a profile hold on a busy one, waiting times do not.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/lab/faults"
	"github.com/gocasebook/casebook/lab/faults/evidence"
	"github.com/gocasebook/casebook/lab/faults/registry"
)

// options are the flags.
type options struct {
	kind, variant      string
	url, name, program string
	keeps              bool
	warm, cpu, twice   time.Duration
	maxLoad            float64
	trace              bool
}

func main() {
	var o options
	flag.StringVar(&o.kind, "kind", "",
		"record the faults whose name, mostly the kind, matches the `regexp` as a whole")
	flag.StringVar(&o.variant, "variant", ".*", "of those, the variants that match the `regexp`")
	flag.StringVar(&o.url, "url", "", "record a program that runs already: the `URL` of its net/http/pprof")
	flag.StringVar(&o.name, "name", "", "with -url: the `case`, such as healthy/etcd-warm")
	flag.StringVar(&o.program, "program", "", "with -url: what runs, for people")
	flag.BoolVar(&o.keeps, "keep", false, "write into evidence/cases; without it the findings are printed only")
	flag.DurationVar(&o.warm, "warm", 0, "how long to let it run first; 0 means the fault's own, or 5s")
	flag.DurationVar(&o.cpu, "cpu", 10*time.Second, "how long CPU, mutex and block profiles run")
	flag.DurationVar(&o.twice, "twice", 0, "with -url: take snapshots again this much later")
	flag.BoolVar(&o.trace, "trace", false,
		"record an execution trace and no profiles; a fault's into the group traces")
	flag.Float64Var(&o.maxLoad, "max-load", 4, "wait until the machine's load is below this; 0 does not wait")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := o.run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "record:", err)
		os.Exit(1)
	}
}

func (o *options) run(ctx context.Context) error {
	if o.url == "" && o.kind == "" {
		return errors.New("-kind or -url is needed; -kind '.*' records every fault")
	}
	if o.url != "" {
		return o.running(ctx)
	}
	return o.faults(ctx)
}

// faults records what -kind and -variant choose.
func (o *options) faults(ctx context.Context) error {
	kind, err := regexp.Compile("^(?:" + o.kind + ")$")
	if err != nil {
		return fmt.Errorf("-kind: %w", err)
	}
	variant, err := regexp.Compile("^(?:" + o.variant + ")$")
	if err != nil {
		return fmt.Errorf("-variant: %w", err)
	}
	programs, err := newBuilder()
	if err != nil {
		return err
	}
	defer programs.close()
	var errs []error
	recorded := 0
	for _, f := range registry.All() {
		for _, v := range faults.Variants() {
			if !kind.MatchString(f.ID()) || !variant.MatchString(v) || ctx.Err() != nil {
				continue
			}
			if _, err := f.Variant(v); err != nil {
				continue
			}
			recorded++
			if err := o.fault(ctx, programs, f, v); err != nil {
				errs = append(errs, fmt.Errorf("%s/%s: %w", f.ID(), v, err))
			}
		}
	}
	if recorded == 0 {
		errs = append(errs, fmt.Errorf("no fault of kind %q with a variant %q", o.kind, o.variant))
	}
	return errors.Join(errs...)
}

// fault records one variant of a fault.
func (o *options) fault(ctx context.Context, programs *builder, f faults.Fault, variant string) (err error) {
	made, err := f.Variant(variant)
	if err != nil {
		return err
	}
	id := f.ID()
	name := strings.ReplaceAll(id, "-", "_") + "/" + variant
	if o.trace && !f.Trace { // what the detectors of traces say of a program that was not made for them
		f.Trace, name = true, "traces/"+strings.ReplaceAll(id, "-", "_")+"_"+variant
		f.Kind, f.Culprit, f.Twice = "", "", 0
	}
	bin, err := programs.bin(ctx, f.Experiment)
	if err != nil {
		return err
	}
	unlock, err := turn(ctx, o.maxLoad)
	if err != nil {
		return err
	}
	defer unlock()
	url, stop, err := start(ctx, bin, id, variant)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	warm := o.warm
	if warm == 0 {
		warm = f.WarmUp()
	}
	capture := made().Capture
	m, err := evidence.Take(ctx, evidence.Plan{
		URL: url, Warm: warm, Before: 3 * time.Second, CPU: cmp.Or(capture.CPU, o.cpu), Kinds: kinds(f), Twice: f.Twice,
	})
	if err != nil {
		return err
	}
	if err := m.AlterCPU(capture.Alter); err != nil {
		return err
	}
	m.Kind, m.Culprit, m.Env = f.Kind, f.Culprit, f.Env
	if m.Kind != "" {
		m.Variant = variant
	}
	m.Program = "lab/faults: " + f.Text
	return o.keep(ctx, m, name)
}

// running records one program that runs already.
func (o *options) running(ctx context.Context) error {
	if o.keeps && (o.name == "" || o.program == "") {
		return errors.New("-url with -keep needs -name and -program")
	}
	unlock, err := turn(ctx, o.maxLoad)
	if err != nil {
		return err
	}
	defer unlock()
	warm := o.warm
	if warm == 0 {
		warm = faults.DefaultWarm
	}
	wanted := kinds(faults.Fault{MutexFraction: 1, BlockRate: 1})
	if o.trace {
		wanted = []string{casefile.Runtime, casefile.Trace}
	}
	m, err := evidence.Take(ctx, evidence.Plan{
		URL: o.url, Warm: warm, Before: 3 * time.Second, CPU: o.cpu, Kinds: wanted, Twice: o.twice,
	})
	if err != nil {
		return err
	}
	m.Program = o.program
	return o.keep(ctx, m, o.name)
}

// keep cleans what was taken, prints what is found in it, and writes it where it belongs.
func (o *options) keep(ctx context.Context, m *evidence.Manifest, name string) error {
	if err := m.Clean(); err != nil {
		return err
	}
	printFindings(ctx, m, name)
	if !o.keeps {
		return nil
	}
	return m.Keep(name)
}
