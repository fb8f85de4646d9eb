package mcp

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// check says what of a configuration is wrong, in the words of the flags: they are its only source.
func (c *Config) check() error {
	var errs []error
	for _, a := range c.Allow {
		if !slices.Contains(Actions(), a) {
			errs = append(errs, fmt.Errorf("--allow: there is no action %q; there are capture, answer, lint, fix and "+
				"prove", a))
		}
	}
	may := func(a Action) bool { return slices.Contains(c.Allow, a) }
	needs := func(a Action, flag string, given bool) {
		switch {
		case may(a) && !given:
			errs = append(errs, fmt.Errorf("--allow %s needs %s", a, flag))
		case !may(a) && given:
			errs = append(errs, fmt.Errorf("%s does nothing without --allow %s", flag, a))
		}
	}
	needs(Capture, "--target NAME=URL", len(c.Targets) > 0)
	needs(Prove, "--proof NAME=ARGUMENTS", len(c.Proofs) > 0)
	if len(c.FixProof) > 0 && !(may(Fix) && may(Prove)) {
		errs = append(errs, errors.New("--fix-proof does nothing without --allow fix,prove"))
	}
	if (may(Lint) || may(Fix) || may(Prove)) && c.Source == "" {
		errs = append(errs, errors.New("--allow lint, fix and prove need --source DIR, the folder of the code"))
	}
	if c.Source != "" {
		errs = append(errs, c.checkSource())
	}
	if runs(c.Allow) && c.Tool == "" {
		errs = append(errs, errors.New("field Tool is empty: nothing could run what is planned"))
	}
	return errors.Join(append(errs, c.checkNames())...)
}

func (c *Config) checkSource() error {
	abs, err := filepath.Abs(c.Source)
	if err != nil {
		return fmt.Errorf("--source: %w", err)
	}
	info, err := os.Stat(abs)
	switch {
	case err != nil:
		return fmt.Errorf("--source: %w", err)
	case !info.IsDir():
		return fmt.Errorf("--source: %s is not a folder", c.Source)
	}
	c.Source = abs
	return nil
}

// checkNames refuses names that an agent could not give, and two of the same.
func (c *Config) checkNames() error {
	var errs []error
	seen := map[string]map[string]bool{"--target": {}, "--proof": {}}
	add := func(flag, name string) {
		switch {
		case !validName(name):
			errs = append(errs, fmt.Errorf("%s: %q is no name; want letters, digits, _ and -, then =", flag, name))
		case seen[flag][name]:
			errs = append(errs, fmt.Errorf("%s: %s is given twice; there are %s", flag, name,
				strings.Join(slices.Sorted(maps.Keys(seen[flag])), ", ")))
		}
		seen[flag][name] = true
	}
	for _, t := range c.Targets {
		add("--target", t.Name)
		if t.URL == "" || strings.HasPrefix(t.URL, "-") {
			errs = append(errs, fmt.Errorf("--target: %s has no address", t.Name))
		}
		if u, err := url.Parse(t.URL); err == nil && u.User != nil {
			errs = append(errs, fmt.Errorf("--target: the address of %s holds a user, which plans would show; "+
				"put it in a file, --basic-file", t.Name))
		}
	}
	for _, p := range c.Proofs {
		add("--proof", p.Name)
		if len(p.Args) == 0 {
			errs = append(errs, fmt.Errorf("--proof: %s has no arguments; want those of casebook prove", p.Name))
		}
	}
	return errors.Join(errs...)
}
