package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/alexflint/go-filemutex"
	"github.com/gofrs/flock"
	"github.com/juju/mutex/v2"
	"github.com/rogpeppe/go-internal/lockedfile"
	"go.etcd.io/etcd/client/pkg/v3/fileutil"
)

// locks are the libraries that wait until the lock is free.
var locks = map[string]lock{
	"gofrs":      waitFlock,
	"lockedfile": waitLockedFile,
	"filemutex":  waitFileMutex,
	"etcd":       waitEtcd,
	"juju":       waitJuju,
}

func waitFlock(path string) (func(), error) {
	l := flock.New(path)
	if err := l.Lock(); err != nil {
		return nil, err
	}
	return func() { l.Unlock() }, nil
}

// tryFlock asks again and again.
func tryFlock(path string) (func(), error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	l := flock.New(path)
	ok, err := l.TryLockContext(ctx, 10*time.Millisecond)
	if err == nil && !ok {
		err = errors.New("the lock is taken")
	}
	if err != nil {
		return nil, err
	}
	return func() { l.Unlock() }, nil
}

func waitLockedFile(path string) (func(), error) { return lockedfile.MutexAt(path).Lock() }

func waitFileMutex(path string) (func(), error) {
	m, err := filemutex.New(path)
	if err != nil {
		return nil, err
	}
	if err := m.Lock(); err != nil {
		return nil, err
	}
	return func() { m.Close() }, nil
}

func waitEtcd(path string) (func(), error) {
	f, err := fileutil.LockFile(path, os.O_WRONLY|os.O_CREATE, fileutil.PrivateFileMode)
	if err != nil {
		return nil, err
	}
	return func() { f.Close() }, nil
}

// wallClock is what juju/mutex wants for its waits.
type wallClock struct{}

func (wallClock) After(d time.Duration) <-chan time.Time { return time.After(d) }
func (wallClock) Now() time.Time                         { return time.Now() }

func waitJuju(path string) (func(), error) {
	r, err := mutex.Acquire(mutex.Spec{Name: filepath.Base(filepath.Dir(path)), Clock: wallClock{}, Delay: time.Second})
	if err != nil {
		return nil, err
	}
	return r.Release, nil
}
