package cli

import (
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook/app/render"
)

// aboutFlags say what cases and reports call the target.
type aboutFlags struct {
	service string
	labels  map[string]string
}

func (f *aboutFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.service, "service", "",
		"`name` of the target in cases and reports (default: the name of its main module)")
	flags.StringToStringVar(&f.labels, "label", nil,
		"`name=value` for cases and reports, such as zone=eu-1; repeatable")
}

// check refuses characters that would break the lines in which these texts are printed.
func (f *aboutFlags) check() error {
	if render.Plain(f.service) != f.service {
		return fmt.Errorf("--service %q contains characters that cannot be printed; remove them", f.service)
	}
	for _, name := range slices.Sorted(maps.Keys(f.labels)) {
		value := f.labels[name]
		switch {
		case name == "":
			return fmt.Errorf("--label =%s has no name; for instance: --label zone=%s",
				render.Plain(value), render.Plain(value))
		case render.Plain(name) != name || render.Plain(value) != value:
			return fmt.Errorf("--label %q=%q contains characters that cannot be printed; remove them", name, value)
		}
	}
	return nil
}
