package blackbox

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// A Recorder writes one process's samples into its ring file. It starts no goroutine. Its methods are safe for
// concurrent use.
type Recorder struct {
	path string

	mu         sync.Mutex // guards what follows
	file       *os.File   // nil once closed
	header     header
	generation uint64
	number     uint64 // of the last record
	record     []byte // the buffer of one record
}

// Create makes the ring file and locks it. The file is whole, at its full size and on the disk before it gets its name.
// A full disk, a folder that cannot be written and a system without locks (ErrNoLock) are errors, and leave nothing.
func Create(cfg Config) (*Recorder, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("blackbox: %w", err)
	}
	r, err := create(cfg)
	if err != nil {
		return nil, fmt.Errorf("making the black box in %q: %w", cfg.Dir, explain(err))
	}
	return r, nil
}

func create(cfg Config) (*Recorder, error) {
	dir, err := filepath.Abs(cfg.Dir) // a later change of the working directory does not matter
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	sys := thisSystem()
	h := header{
		Schema: schema, Target: cfg.Target, PID: os.Getpid(), Started: time.Now().UTC(), Interval: cfg.Interval,
		Boot: sys.boot(), OOM: sys.findOOMCounter(), Records: cfg.Samples, Signals: columns(cfg.Catalog),
	}
	r := &Recorder{path: filepath.Join(dir, ringName(cfg.Target.Name)), header: h, record: make([]byte, h.recordSize())}
	part := r.path + partSuffix
	r.file, err = os.OpenFile(part, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	err = r.fill()
	if err == nil {
		err = os.Rename(part, r.path)
	}
	if err != nil {
		return nil, errors.Join(err, r.file.Close(), os.Remove(part))
	}
	return r, nil
}

// Names of the files in the cases' folder.
const (
	ringPrefix    = ".blackbox-"
	partSuffix    = ".part"              // a ring that is being made
	damagedPrefix = ".damaged-blackbox-" // one that could not be read, and was reported
)

// ringName is a name that no other process draws: name, pid and random letters.
func ringName(target string) string {
	name := strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' {
			return r
		}
		return '-'
	}, target)
	return fmt.Sprintf("%s%s-%d-%s", ringPrefix, name[:min(len(name), 40)], os.Getpid(), rand.Text()[:8])
}

// fill locks the new file and writes it in full: real zeros, because a hole would want room on the disk later.
func (r *Recorder) fill() error {
	if err := lock(r.file); err != nil {
		return err
	}
	zeros := make([]byte, slotSize)
	for at := int64(0); at < r.header.size(); at += slotSize {
		if _, err := r.file.WriteAt(zeros[:min(slotSize, r.header.size()-at)], at); err != nil {
			return err
		}
	}
	if err := r.writeHeader(); err != nil {
		return err
	}
	return r.file.Sync() // once: no record waits for the disk
}

// writeHeader writes the header into the slot that the last one is not in.
func (r *Recorder) writeHeader() error {
	slot, err := r.header.encode(r.generation + 1)
	if err != nil {
		return err
	}
	r.generation++
	_, err = r.file.WriteAt(slot, int64(r.generation%2)*slotSize)
	return err
}

// Add writes a sample over the oldest one. It allocates nothing and waits for no disk. After Close the error is
// fs.ErrClosed.
func (r *Recorder) Add(s *vitals.Sample) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.file == nil {
		return fmt.Errorf("blackbox: %w", fs.ErrClosed)
	}
	encodeRecord(r.record, r.number+1, s)
	place := int64(r.number % uint64(r.header.Records))
	if _, err := r.file.WriteAt(r.record, ringStart+place*int64(len(r.record))); err != nil {
		return fmt.Errorf("writing the black box: %w", explain(err))
	}
	r.number++
	return nil
}

// SetTarget says that another process has taken the place of the one under watch. Samples before it stay in the ring.
func (r *Recorder) SetTarget(t casefile.Target) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.file == nil {
		return fmt.Errorf("blackbox: %w", fs.ErrClosed)
	}
	r.header.Target = t
	if err := r.writeHeader(); err != nil {
		return fmt.Errorf("writing the black box: %w", explain(err))
	}
	return nil
}

// Path is where the ring is.
func (r *Recorder) Path() string { return r.path }

// Close removes the ring: a process that ends normally leaves nothing. Closing twice does no harm.
func (r *Recorder) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.file == nil {
		return nil
	}
	err := removeRing(r.path, r.file)
	r.file = nil
	if err != nil {
		return fmt.Errorf("removing the black box: %w", explain(err))
	}
	return nil
}

// removeRing removes a ring before its lock is released, so that nobody finds it in between.
func removeRing(path string, locked *os.File) error {
	err := os.Remove(path)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return errors.Join(err, locked.Close())
}
