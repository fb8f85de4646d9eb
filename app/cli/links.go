package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook/app/report"
	"github.com/gocasebook/casebook/app/sourceurl"
)

// The variables that replace the flags of linkFlags, so that a machine's links are set once.
const (
	sourceURLVariable = "CASEBOOK_SOURCE_URL"
	editorVariable    = "CASEBOOK_EDITOR"
)

// linkFlags say where a reader of a page finds the source.
type linkFlags struct {
	url, editor, dir string
}

const linksText = `With --source-url, report.html links to the source. The template is a URL such
as https://github.com/acme/shop/blob/{revision}/{path}#L{line} with:
`

// linksHelp lists the placeholders.
func linksHelp() string { return linksText + sourceurl.Help() }

func (f *linkFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.url, "source-url", "",
		"URL `template` for links to a line of source; see above (default: CASEBOOK_SOURCE_URL)")
	flags.StringVar(&f.editor, "editor", "",
		"links open this `editor`: vscode, cursor, idea, goland or zed (default: CASEBOOK_EDITOR)")
	flags.StringVar(&f.dir, "source-dir", "",
		"`folder` of the main module on this machine, for --editor (default: where it was built)")
}

// links returns the links that the flags, otherwise the environment, ask for. A flag takes precedence over both
// variables.
func (f *linkFlags) links() (l report.Links, err error) {
	address, editor := f.url, f.editor
	from := [2]string{"--source-url", "--editor"}
	if address == "" && editor == "" {
		address, editor = os.Getenv(sourceURLVariable), os.Getenv(editorVariable)
		from = [2]string{sourceURLVariable, editorVariable}
	}
	switch {
	case address != "" && editor != "" && f.url+f.editor != "":
		return l, errors.New("--source-url and --editor both set the links: give one")
	case address != "":
		l.Source, err = sourceurl.Parse(address)
	case editor != "":
		l.Source, err = sourceurl.Editor(editor)
		from[0] = from[1]
	}
	if err != nil {
		return l, fmt.Errorf("%s: %w", from[0], err)
	}
	if f.dir == "" {
		return l, nil
	}
	if l.Dir, err = filepath.Abs(f.dir); err != nil {
		return l, fmt.Errorf("--source-dir: %w", err)
	}
	if info, err := os.Stat(l.Dir); err != nil {
		return l, fmt.Errorf("--source-dir: %w", err)
	} else if !info.IsDir() {
		return l, fmt.Errorf("--source-dir: %s is not a folder", l.Dir)
	}
	return l, nil
}
