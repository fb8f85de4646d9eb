package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"golang.org/x/sync/semaphore"
)

// A store is a folder of files. So many uploads are hashed at a time.
type store struct {
	dir     string
	turns   *semaphore.Weighted
	buffers sync.Pool
}

func openStore(uploads int64) (*store, error) {
	dir, err := os.MkdirTemp("", "blobs-")
	return &store{dir: dir, turns: semaphore.NewWeighted(uploads),
		buffers: sync.Pool{New: func() any { b := make([]byte, 256<<10); return &b }}}, err
}

// Put keeps what r has under its hash.
func (s *store) Put(ctx context.Context, r io.Reader) (name string, err error) {
	if err := s.turns.Acquire(ctx, 1); err != nil {
		return "", err
	}
	defer s.turns.Release(1)
	f, err := os.CreateTemp(s.dir, "upload-*")
	if err != nil {
		return "", fmt.Errorf("keeping a blob: %w", err)
	}
	defer os.Remove(f.Name()) // fails once it has its name
	defer f.Close()
	buf := s.buffers.Get().(*[]byte)
	defer s.buffers.Put(buf)
	hash := sha256.New()
	// io.MultiWriter has no ReadFrom: the buffer is used
	if _, err := io.CopyBuffer(io.MultiWriter(hash, f), r, *buf); err != nil {
		return "", fmt.Errorf("keeping a blob: %w", err)
	}
	name = hex.EncodeToString(hash.Sum(nil))
	return name, os.Rename(f.Name(), filepath.Join(s.dir, name))
}

// Open is a blob.
func (s *store) Open(name string) (*os.File, error) {
	if len(name) != 2*sha256.Size {
		return nil, fmt.Errorf("%q: %w", name, fs.ErrNotExist)
	}
	return os.Open(filepath.Join(s.dir, filepath.Base(name)))
}
