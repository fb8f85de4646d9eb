package casefile

import (
	"errors"
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
