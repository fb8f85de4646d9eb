package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// A goMod is what `go mod edit -json` says of a go.mod, as far as a release changes it.
type goMod struct {
	Require []struct{ Path string }
	Replace []struct{ Old struct{ Path string } }
}

// require makes the go.mod in dir require the version of each module of ours, and replace none.
func require(ctx context.Context, dir, version string) (changed bool, err error) {
	text, err := run(ctx, dir, nil, "go", "mod", "edit", "-json")
	if err != nil {
		return false, err
	}
	var mod goMod
	if err := json.Unmarshal([]byte(text), &mod); err != nil {
		return false, fmt.Errorf("go mod edit -json: %w", err)
	}
	edits, err := mod.edits(version)
	if err != nil || len(edits) == 0 {
		return false, err
	}
	_, err = run(ctx, dir, nil, "go", append([]string{"mod", "edit"}, edits...)...)
	return true, err
}

// edits are the flags of `go mod edit` that a release needs. A replacement of somebody else's module cannot be taken
// out, and with it nobody could install a command of the module.
func (mod goMod) edits(version string) (flags []string, err error) {
	for _, r := range mod.Replace {
		if !ours(r.Old.Path) {
			return nil, fmt.Errorf("go.mod replaces %s: with that it cannot be released", r.Old.Path)
		}
		flags = append(flags, "-dropreplace="+r.Old.Path)
	}
	for _, r := range mod.Require {
		if ours(r.Path) {
			flags = append(flags, "-require="+r.Path+"@"+version)
		}
	}
	return flags, nil
}

func ours(path string) bool { return path == root || strings.HasPrefix(path, root+"/") }
