package assess

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/gocasebook/casebook/diagnose/stacks"
)

// tar reads a tar of profiles, compressed or not, as people make of a folder.
func (g *gatherer) tar(name string, data []byte) {
	var plain io.Reader = bytes.NewReader(data)
	if stacks.IsGzip(data) {
		var err error
		if plain, err = gzip.NewReader(plain); err != nil {
			g.fail(fmt.Errorf("reading %s: %w", name, err))
			return
		}
	}
	before := len(g.in.Evidence)
	for t := tar.NewReader(io.LimitReader(plain, maxAll)); ; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		var head []byte
		if err == nil && h.Typeflag == tar.TypeReg && !strings.HasPrefix(path.Base(h.Name), ".") {
			head, err = io.ReadAll(io.LimitReader(t, sniffed))
			if err == nil {
				g.sniff(name+"/"+h.Name, head, t)
			}
		}
		if err != nil {
			g.fail(fmt.Errorf("reading %s: %w; it may be truncated: copy it again", name, err))
			return
		}
	}
	if len(g.in.Evidence) == before {
		g.fail(fmt.Errorf("%s holds no evidence: none of its files is a Go profile or goroutine dump", name))
	}
}
