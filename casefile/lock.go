package casefile

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/gocasebook/casebook/internal/flock"
)

// Update waits this long for another process to finish its own change, which takes milliseconds.
const (
	lockWait  = 5 * time.Second
	lockRetry = 10 * time.Millisecond
)

// A folderLock is the right to change a case: an advisory lock (flock) on the file .lock in its folder. The kernel
// takes it back when the process ends, however it ends. It excludes the processes of one machine, and those of
// others where the file system carries locks over the network.
type folderLock struct{ file *os.File }

// tryLock takes the lock of the folder root or answers flock.ErrInUse, or flock.ErrUnsupported.
func tryLock(root *os.Root) (*folderLock, error) {
	f, err := root.OpenFile(lockName, os.O_RDWR|os.O_CREATE, fileMode)
	if err != nil {
		return nil, err
	}
	if err := flock.Try(f); err != nil {
		f.Close()
		return nil, err
	}
	return &folderLock{f}, nil
}

// waitLock is tryLock with patience, for changes that are short. Without locks on this system the change continues
// without one: a rename still keeps case.json whole, and only one of two simultaneous changes may be lost.
func waitLock(root *os.Root) (*folderLock, error) {
	deadline := time.Now().Add(lockWait)
	for {
		l, err := tryLock(root)
		if errors.Is(err, flock.ErrUnsupported) {
			return nil, nil
		}
		if !errors.Is(err, flock.ErrInUse) || time.Now().After(deadline) {
			return l, err
		}
		time.Sleep(lockRetry)
	}
}

// release gives the lock back; a nil lock is not held.
func (l *folderLock) release() {
	if l != nil {
		l.file.Close()
	}
}

// Commit finishes the case: it waits for Adds that are running, writes the last case.json and gives the folder its
// final name, the ID. A zero Closed becomes the present time. When Commit fails, everything added is still in the
// folder that the error names; Commit may be called again, and Recover finishes the case in a later process.
func (w *Writer) Commit() (*Folder, error) {
	if err := w.shut(); err != nil {
		return nil, fmt.Errorf("committing case %s: %w", w.id, err)
	}
	w.adds.Wait()
	w.disk.Lock()
	defer w.disk.Unlock()
	if err := w.finish(); err != nil {
		w.reopen()
		return nil, fmt.Errorf("committing case %s: %w; its evidence is kept in %s and can be recovered",
			w.id, explain(err), w.stage.path())
	}
	f := &Folder{Path: w.stage.path(), Case: w.c}
	w.todo.handOver(f)
	w.todo = nil
	return f, nil
}

// finish runs under disk. The reserve is given up first: this is what it was for.
func (w *Writer) finish() error {
	w.reserve.release()
	c := w.c
	if c.Closed.IsZero() {
		c.Closed = time.Now().UTC()
	}
	if err := w.write(&c); err != nil {
		return err
	}
	w.c = c
	w.todo = w.todo.beforeRename()
	if err := w.stage.move(w.id); err != nil {
		return err
	}
	w.stage.close()
	return nil
}

func (w *Writer) shut() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.open {
		return fmt.Errorf("it is already committed")
	}
	w.open = false
	return nil
}

func (w *Writer) reopen() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.open = true
}
