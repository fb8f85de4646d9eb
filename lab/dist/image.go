package main

import (
	"archive/tar"
	"bytes"
	"encoding/pem"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// nobody is the user and group of the container, by the number that distroless images have made common. Numbers, so
// that Kubernetes' runAsNonRoot can see that it is not root.
const nobody = 65532

// data is where the container works, and so where cases go unless --dir names another folder.
const data = "data"

// imageSuffix ends the name of the container image.
const imageSuffix = "_image.tar"

// image writes one image for all architectures, as a tar of an OCI layout: what skopeo, podman, crane and docker load
// (25 and later) read. There is no base image and no daemon: a static program needs certificates, a user and a folder.
func (r *release) image(programs []packed) error {
	annotations := r.annotations(programs[0])
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, p := range programs {
		img, err := r.imageOf(p, annotations)
		if err != nil {
			return err
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: img, Descriptor: v1.Descriptor{
			Platform: &v1.Platform{OS: "linux", Architecture: p.arch}}})
	}
	index = mutate.Annotations(index, annotations).(v1.ImageIndex)
	dir := r.checkout.dir + "-image"
	path, err := layout.Write(dir, empty.Index)
	if err != nil {
		return err
	}
	if err := path.AppendIndex(index, layout.WithAnnotations(map[string]string{
		"org.opencontainers.image.ref.name": r.checkout.version,
		"io.containerd.image.name":          "ghcr.io/gocasebook/casebook:" + r.checkout.version,
	})); err != nil {
		return err
	}
	name := "casebook_" + r.checkout.version + imageSuffix
	if err := r.create(name, func(w io.Writer) error { return tarFolder(w, dir, r.checkout.date) }); err != nil {
		return err
	}
	digest, err := index.Digest()
	if err != nil {
		return err
	}
	return r.tell(name, "container image "+digest.String())
}

// annotations are those of the OCI image specification.
func (r *release) annotations(p packed) map[string]string {
	return map[string]string{
		"org.opencontainers.image.title":    "casebook",
		"org.opencontainers.image.version":  r.checkout.version,
		"org.opencontainers.image.revision": p.setting("vcs.revision"),
		"org.opencontainers.image.created":  r.checkout.date.Format(time.RFC3339),
		"org.opencontainers.image.source":   homepage,
		"org.opencontainers.image.licenses": "Apache-2.0",
	}
}

// imageOf is the image of one architecture: a layer that all have and that rarely changes, and the program's.
func (r *release) imageOf(p packed, annotations map[string]string) (v1.Image, error) {
	base, err := r.base()
	if err != nil {
		return nil, err
	}
	program, err := layerOf(r.program(p))
	if err != nil {
		return nil, err
	}
	img := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	created := v1.Time{Time: r.checkout.date}
	img, err = mutate.Append(img,
		mutate.Addendum{Layer: base, History: v1.History{Created: created, CreatedBy: "certificates, user, folders"}},
		mutate.Addendum{Layer: program, History: v1.History{Created: created, CreatedBy: "casebook " + r.checkout.version}})
	if err != nil {
		return nil, err
	}
	config, err := img.ConfigFile()
	if err != nil {
		return nil, err
	}
	config = config.DeepCopy()
	config.Created, config.OS, config.Architecture = created, "linux", p.arch
	config.Config = v1.Config{
		User: "65532:65532", WorkingDir: "/" + data, Entrypoint: []string{"/usr/bin/casebook"}, Cmd: []string{"--help"},
		Env: []string{"PATH=/usr/bin", "HOME=/" + data}, Labels: annotations,
	}
	img, err = mutate.ConfigFile(img, config)
	if err != nil {
		return nil, err
	}
	return mutate.Annotations(img, annotations).(v1.Image), nil
}

// base is the layer below the program.
func (r *release) base() (v1.Layer, error) {
	var b bytes.Buffer
	t := tar.NewWriter(&b)
	err := writeTar(t, []file{
		{"etc/group", 0o644, []byte("root:x:0:\ncasebook:x:65532:\n")},
		{"etc/passwd", 0o644, []byte("root:x:0:0:root:/:/sbin/nologin\n" +
			"casebook:x:65532:65532:casebook:/data:/sbin/nologin\n")},
		{"etc/ssl/certs/ca-certificates.crt", 0o644, certificates()},
	}, r.checkout.date)
	if err != nil {
		return nil, err
	}
	for _, h := range []tar.Header{
		{Name: data + "/", Mode: 0o700, Uid: nobody, Gid: nobody},
		{Name: "tmp/", Mode: 0o1777},
	} {
		h.Typeflag, h.ModTime, h.Format = tar.TypeDir, r.checkout.date, tar.FormatUSTAR
		if err := t.WriteHeader(&h); err != nil {
			return nil, err
		}
	}
	if err := t.Close(); err != nil {
		return nil, err
	}
	return layerOf(b.Bytes(), nil)
}

// program is the layer with the program and its licences: nobody reads manual pages in a container without a shell.
func (r *release) program(p packed) ([]byte, error) {
	var kept []file
	for _, f := range p.files {
		if strings.HasPrefix(f.path, "bin/") || strings.HasPrefix(f.path, documents) {
			kept = append(kept, file{"usr/" + f.path, f.mode, f.data})
		}
	}
	var b bytes.Buffer
	t := tar.NewWriter(&b)
	err := errors.Join(writeTar(t, kept, r.checkout.date), t.Close())
	return b.Bytes(), err
}

func layerOf(content []byte, err error) (v1.Layer, error) {
	if err != nil {
		return nil, err
	}
	return tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content)), nil },
		tarball.WithMediaType(types.OCILayer), tarball.WithCompressedCaching)
}

// certificates are Mozilla's roots as the Go project publishes them: of a version in go.sum, not of this machine. Those
// that Mozilla trusts only until a date cannot say so in a PEM file, and are left out.
func certificates() []byte {
	var b bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint == nil {
			b.Write(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}))
		}
	}
	return b.Bytes()
}

// tarFolder writes the files of a folder in the order of their names.
func tarFolder(w io.Writer, dir string, date time.Time) error {
	var list []file
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		content, err := os.ReadFile(path)
		list = append(list, file{filepath.ToSlash(name), 0o644, content})
		return err
	})
	if err != nil {
		return err
	}
	t := tar.NewWriter(w)
	return errors.Join(writeTar(t, list, date), t.Close())
}
