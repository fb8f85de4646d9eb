package main

import (
	"archive/tar"
	"bytes"
	"crypto/x509"
	"encoding/pem"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"github.com/google/go-containerregistry/pkg/v1/validate"
)

// open unpacks the tar of the image and reads the index in it.
func open(t *testing.T, text []byte) v1.ImageIndex {
	t.Helper()
	dir := t.TempDir()
	for name, e := range entries(t, bytes.NewReader(text)) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if e.Typeflag == tar.TypeDir {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, e.data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	outer, err := layout.ImageIndexFromPath(dir)
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := outer.IndexManifest()
	if err != nil || len(manifest.Manifests) != 1 || manifest.Manifests[0].MediaType != types.OCIImageIndex ||
		manifest.Manifests[0].Annotations["org.opencontainers.image.ref.name"] != version {
		t.Fatalf("the layout has %+v, %v; want one index with the version's name", manifest, err)
	}
	index, err := outer.ImageIndex(manifest.Manifests[0].Digest)
	if err != nil {
		t.Fatal(err)
	}
	return index
}

func TestImage(t *testing.T) {
	index := open(t, read(t, "casebook_"+version+"_image.tar"))
	if err := validate.Index(index); err != nil { // digests, sizes and diff IDs
		t.Fatal(err)
	}
	manifest, err := index.IndexManifest()
	if err != nil || len(manifest.Manifests) != 1 || manifest.Manifests[0].Platform.String() != "linux/amd64" {
		t.Fatalf("the index has %+v, %v", manifest, err)
	}
	img, err := index.Image(manifest.Manifests[0].Digest)
	if err != nil {
		t.Fatal(err)
	}
	config, err := img.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	if c := config.Config; c.User != "65532:65532" || !slices.Equal(c.Entrypoint, []string{"/usr/bin/casebook"}) ||
		c.WorkingDir != "/data" || c.Labels["org.opencontainers.image.version"] != version {
		t.Errorf("the configuration is %+v", c)
	}
	if config.Architecture != "amd64" || config.OS != "linux" || !config.Created.Equal(one.checkout.date) ||
		len(config.History) != 2 {
		t.Errorf("%s/%s, created %v, history %v", config.OS, config.Architecture, config.Created, config.History)
	}
	root := mutate.Extract(img)
	defer root.Close()
	checkRoot(t, entries(t, root))
}

// checkRoot looks at the file system of the container.
func checkRoot(t *testing.T, found map[string]entry) {
	t.Helper()
	program, err := os.ReadFile(one.binary(all[0]))
	if err != nil {
		t.Fatal(err)
	}
	if e := found["usr/bin/casebook"]; !bytes.Equal(e.data, program) || e.Mode != 0o755 {
		t.Error("/usr/bin/casebook is not the program of the release")
	}
	if e := found["data"]; e.Header == nil || e.Uid != nobody || e.Mode != 0o700 {
		t.Errorf("/data is %+v; want a folder of the container's user", e.Header)
	}
	if e := found["tmp"]; e.Header == nil || e.Mode != 0o1777 {
		t.Errorf("/tmp is %+v", e.Header)
	}
	roots := 0
	for rest := found["etc/ssl/certs/ca-certificates.crt"].data; ; roots++ {
		block, more := pem.Decode(rest)
		if block == nil {
			break
		}
		if cert, err := x509.ParseCertificate(block.Bytes); err != nil || !cert.IsCA {
			t.Errorf("certificate %d: %v, or of no authority", roots, err)
		}
		rest = more
	}
	if roots < 100 {
		t.Errorf("%d certificates; want those of Mozilla, more than 100", roots)
	}
	if len(found[documents].data) == 0 && found["usr/"+documents+"LICENSE"].data == nil {
		t.Error("the licences are not in the image")
	}
}

// Both architectures are in one index, each with the program for it.
func TestImageOfBoth(t *testing.T) {
	r := &release{checkout: one.checkout, dir: t.TempDir(), out: io.Discard}
	var programs []packed
	for _, arch := range []string{"amd64", "arm64"} {
		b := &built{target: target{"linux", arch}, info: mustInfo(t)}
		programs = append(programs, packed{b, []file{{"bin/casebook", 0o755, []byte("the program for " + arch)}}})
	}
	r.checkout = &checkout{dir: filepath.Join(t.TempDir(), "c"), version: version, date: one.checkout.date}
	if err := r.image(programs); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(r.dir, "casebook_"+version+"_image.tar"))
	if err != nil {
		t.Fatal(err)
	}
	index := open(t, text)
	manifest, err := index.IndexManifest()
	if err != nil || len(manifest.Manifests) != 2 {
		t.Fatalf("%+v, %v", manifest, err)
	}
	for i, arch := range []string{"amd64", "arm64"} {
		img, err := index.Image(manifest.Manifests[i].Digest)
		if err != nil {
			t.Fatal(err)
		}
		root := mutate.Extract(img)
		found := entries(t, root)
		root.Close()
		if got := string(found["usr/bin/casebook"].data); manifest.Manifests[i].Platform.Architecture != arch ||
			got != "the program for "+arch {
			t.Errorf("image %d is for %s and has %q", i, manifest.Manifests[i].Platform, got)
		}
	}
}
