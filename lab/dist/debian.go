package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/goreleaser/nfpm/v2"
	"github.com/goreleaser/nfpm/v2/deb"
	"github.com/goreleaser/nfpm/v2/files"
)

const homepage = "https://github.com/gocasebook/casebook"

// debian writes the Debian package. It depends on nothing: the program is static.
func (r *release) debian(p packed) (string, error) {
	contents, err := r.contents(p)
	if err != nil {
		return "", err
	}
	info := nfpm.WithDefaults(&nfpm.Info{
		Name: "casebook", Arch: p.arch, Platform: "linux", Version: r.checkout.version,
		Section: "devel", Maintainer: "The Casebook authors <noreply@github.com>", Homepage: homepage,
		License: "Apache-2.0", MTime: r.checkout.date, DisableGlobbing: true,
		Description: "detective for slow Go services\n" +
			"Casebook watches Go services through net/http/pprof. When one misbehaves, it\n" +
			"saves the evidence, says what is wrong down to the source line, and names the\n" +
			"remedy and the gain to expect. It then proves the fix by measurement.",
		Overridables: nfpm.Overridables{Contents: contents, Suggests: []string{"bash-completion", "man-db"}},
	})
	name := deb.Default.ConventionalFileName(info)
	return name, r.create(name, func(w io.Writer) error { return deb.Default.Package(info, w) })
}

// contents are the files as Debian's policy wants them: below /usr, manual pages and the change log compressed, the
// licence under the name copyright. nfpm reads files from the disk.
func (r *release) contents(p packed) (files.Contents, error) {
	var list files.Contents
	for _, f := range p.files {
		f, err := forDebian(f)
		if err != nil {
			return nil, err
		}
		source := filepath.Join(r.checkout.dir+"-debian", p.arch, f.path)
		if err := os.MkdirAll(filepath.Dir(source), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(source, f.data, 0o600); err != nil {
			return nil, err
		}
		list = append(list, &files.Content{Source: source, Destination: "/usr/" + f.path,
			FileInfo: &files.ContentFileInfo{Owner: "root", Group: "root", Mode: f.mode, MTime: r.checkout.date}})
	}
	return list, nil
}

func forDebian(f file) (file, error) {
	switch {
	case f.path == zshCompletions:
		f.path = zshOfDebian
	case f.path == documents+"LICENSE":
		f.path = documents + "copyright"
	case f.path == documents+"CHANGELOG.md":
		return zipped(file{documents + "changelog", f.mode, f.data})
	case strings.HasPrefix(f.path, manual):
		return zipped(f)
	}
	return f, nil
}

// zipped is the file with gzip, and without the time that gzip can keep.
func zipped(f file) (file, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return f, err
	}
	if _, err := z.Write(f.data); err != nil {
		return f, err
	}
	err = z.Close()
	return file{f.path + ".gz", f.mode, b.Bytes()}, err
}
