package cli

import (
	"errors"

	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook/app/casework"
)

// holderFlags ask who holds a service's memory.
type holderFlags struct {
	asked  bool
	yes    bool
	binary string
	keep   string
}

func (f *holderFlags) add(flags *pflag.FlagSet) {
	flags.BoolVar(&f.asked, "heap-refs", false, "take a heap dump, and say who holds the memory")
	flags.BoolVar(&f.yes, "yes", false, "accept the price of --heap-refs: the service stands still")
	flags.StringVar(&f.binary, "binary", "", "with --heap-refs: the `program` of the service, if it runs elsewhere")
	flags.StringVar(&f.keep, "keep-dump", "", "with --heap-refs: keep the dump, all secrets included, in this `file`")
}

func (f *holderFlags) check() error {
	if !f.asked && (f.yes || f.binary != "" || f.keep != "") {
		return errors.New("--yes, --binary and --keep-dump are for a heap dump: they need --heap-refs")
	}
	return nil
}

// request is nil when nobody asks.
func (f *holderFlags) request() *casework.HolderRequest {
	if !f.asked {
		return nil
	}
	return &casework.HolderRequest{Accepted: f.yes, Binary: f.binary, Keep: f.keep}
}
