// Index of a package archive: says what the control file of a package holds.
package main

import (
	"archive/tar"
	"bytes"
	"flag"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net/http"
	_ "net/http/pprof"
	"os"
	"path/filepath"
	"strconv"

	"github.com/klauspost/compress/zstd"
)

type pool struct {
	dir   string
	close bool
}

func (p *pool) openMember(r io.Reader) (io.ReadCloser, error) {
	reader, err := zstd.NewReader(r)
	if err != nil {
		return nil, err
	}
	if p.close {
		return reader.IOReadCloser(), nil
	}
	return io.NopCloser(reader), nil
}

// control is the control file of a package: the first of its archive.
func (p *pool) control(name string) ([]byte, error) {
	f, err := os.Open(filepath.Join(p.dir, name))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	member, err := p.openMember(f)
	if err != nil {
		return nil, err
	}
	defer member.Close()
	t := tar.NewReader(member)
	for {
		h, err := t.Next()
		if err != nil {
			return nil, err
		}
		if h.Name == "./control" {
			return io.ReadAll(t)
		}
	}
}

func (p *pool) fill() error {
	for i := range 30 {
		var b bytes.Buffer
		w, err := zstd.NewWriter(&b)
		if err != nil {
			return err
		}
		t := tar.NewWriter(w)
		control := fmt.Appendf(nil, "Package: p%d\nVersion: 1.%d\nArchitecture: amd64\nDescription: package number %d\n", i, i, i)
		t.WriteHeader(&tar.Header{Name: "./control", Mode: 0o644, Size: int64(len(control))})
		t.Write(control)
		for j := range 6 {
			data := make([]byte, 200_000+rand.IntN(400_000))
			for k := range data {
				data[k] = byte(rand.IntN(24)) + 'a'
			}
			t.WriteHeader(&tar.Header{Name: fmt.Sprintf("./usr/share/p%d/%d", i, j), Mode: 0o644, Size: int64(len(data))})
			t.Write(data)
		}
		if err := t.Close(); err != nil {
			return err
		}
		if err := w.Close(); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(p.dir, "p"+strconv.Itoa(i)), b.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8309", "address to serve on")
	fixed := flag.Bool("fixed", false, "close the decoder")
	flag.Parse()
	dir, err := os.MkdirTemp("", "packages")
	if err != nil {
		log.Fatal(err)
	}
	p := &pool{dir: dir, close: *fixed}
	if err := p.fill(); err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("GET /packages/{name}/control", func(w http.ResponseWriter, r *http.Request) {
		text, err := p.control(filepath.Base(r.PathValue("name")))
		if err != nil {
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		}
		w.Write(text)
	})
	log.Fatal(http.ListenAndServe(*addr, nil))
}
