package assess

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
)

// zip reads a case that was exported, or a zip of profiles.
func (g *gatherer) zip(name string, data []byte) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		g.fail(fmt.Errorf("reading %s: %w; it may be truncated: copy it again", name, err))
		return
	}
	if slices.ContainsFunc(z.File, func(f *zip.File) bool { return path.Base(f.Name) == "case.json" }) {
		g.caseZip(name, data)
		return
	}
	before := len(g.in.Evidence)
	for _, f := range z.File {
		if f.Mode().IsRegular() && !strings.HasPrefix(path.Base(f.Name), ".") {
			g.zipped(name+"/"+f.Name, f)
		}
	}
	if len(g.in.Evidence) == before {
		g.fail(fmt.Errorf("%s holds no evidence: none of its files is a Go profile or goroutine dump", name))
	}
}

func (g *gatherer) zipped(name string, f *zip.File) {
	r, err := f.Open()
	if err != nil {
		g.fail(fmt.Errorf("reading %s: %w", name, err))
		return
	}
	defer r.Close()
	head, err := io.ReadAll(io.LimitReader(r, sniffed))
	if err != nil {
		g.fail(fmt.Errorf("reading %s: %w", name, err))
		return
	}
	g.sniff(name, head, r)
}

// caseZip unpacks a case as `casebook case import` does, with all its checks, and keeps nothing.
func (g *gatherer) caseZip(name string, data []byte) {
	dir, err := os.MkdirTemp("", "casebook-zip-")
	if err != nil {
		g.fail(fmt.Errorf("reading %s: %w", name, err))
		return
	}
	f, err := casefile.Dir(dir).Import(bytes.NewReader(data), int64(len(data)))
	if err == nil {
		g.caseFolder(f.Path)
	}
	if err = errors.Join(err, os.RemoveAll(dir)); err != nil {
		g.fail(fmt.Errorf("reading %s: %w", name, err))
	}
}
