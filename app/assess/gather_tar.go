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
)

// tar reads a tar.gz of profiles, as people make of a folder.
func (g *gatherer) tar(name string, data []byte) {
	plain, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		g.fail(fmt.Errorf("reading %s: %w", name, err))
		return
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
