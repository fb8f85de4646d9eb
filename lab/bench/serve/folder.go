package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// folder measures how soon `casebook serve DIR` shows a folder of cases: from the start of the process until the whole
// first page has arrived, of a folder that no command has listed yet, and of the same one again. serve writes nothing
// into it, so that only the kernel's cache differs.
func (b *bench) folder(ctx context.Context) error {
	for _, n := range []int{20, b.cases} {
		dir, err := os.MkdirTemp(b.dir, "bench-serve-folder-*")
		if err != nil {
			return err
		}
		err = b.fillFolder(ctx, dir, n)
		for _, what := range []string{"for the first time", "again", "again"} {
			if err == nil {
				err = b.openFolder(ctx, dir, fmt.Sprintf("%d cases, %s", n, what))
			}
		}
		_ = os.RemoveAll(dir) // cases of ours
		if err != nil {
			return err
		}
	}
	return nil
}

// fillFolder writes cases without waiting for the disk as a watch would.
func (b *bench) fillFolder(ctx context.Context, dir string, n int) error {
	models, err := readModels(ctx)
	if err != nil {
		return err
	}
	newest := time.Now().UTC().Truncate(time.Second)
	for i := range n {
		c, files := vary(models, i, newest.Add(-time.Duration(i)*b.every), newest)
		record, err := encode(c)
		if err != nil {
			return err
		}
		if err := writeFiles(filepath.Join(dir, c.ID), record, files); err != nil {
			return err
		}
	}
	time.Sleep(3 * time.Second) // what is younger than two seconds is in no index of a folder
	return nil
}

func writeFiles(dir string, record []byte, files map[string][]byte) error {
	all := map[string][]byte{"case.json": record}
	for name, data := range files {
		all[name] = data
	}
	for name, data := range all {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) openFolder(ctx context.Context, dir, what string) error {
	began := time.Now()
	s, err := startServer(b.casebook, []string{dir})
	if err != nil {
		return err
	}
	defer s.stop()
	listens := time.Since(began)
	if _, err := get(ctx, s.url+"/"); err != nil {
		return err
	}
	shown := time.Since(began)
	cpu, err := s.cpu()
	if err != nil {
		return err
	}
	page := []byte("have been read so far")
	for bytes.Contains(page, []byte("have been read so far")) {
		time.Sleep(100 * time.Millisecond)
		if page, err = get(ctx, s.url+"/"); err != nil {
			return err
		}
	}
	peak, err := s.peak()
	fmt.Printf("  %-34s it listens after %s, its first page is there after %s (CPU %s), the whole folder is read after "+
		"%s, %d MB\n", what, round(listens), round(shown), cpu, round(time.Since(began)), peak>>20)
	return err
}
