package holmes

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"
)

// A dumpFile is a dump on disk: check.[event.]time.process-random.log. holmes' names end with the time, so that two
// processes that dump into one folder write into one file.
type dumpFile struct {
	folder, check, event string
	at                   time.Time
}

const timeLayout = "20060102150405.000"

// ours matches the names of dumps, and of what a killed process left unfinished.
var ours = regexp.MustCompile(`^(mem|cpu|thread|goroutine|GCHeap)\.(.+\.)?\d{14}\.\d{3}\.\d+-[0-9a-f]{8}\.log$`)

const unfinished = ".holmes-unfinished-"

func (f dumpFile) name() string {
	var letters [4]byte
	_, _ = rand.Read(letters[:]) // never fails
	name := f.check + "."
	if f.event != "" {
		name += f.event + "."
	}
	return fmt.Sprintf("%s%s.%d-%s.log", name, f.at.Format(timeLayout), os.Getpid(), hex.EncodeToString(letters[:]))
}

// write makes the folder if need be, and the file, whole or not at all. It returns the file's path.
func (f dumpFile) write(data []byte) (string, error) {
	if len(data) == 0 {
		return "", fmt.Errorf("the %s profile is empty", f.check)
	}
	if err := os.MkdirAll(f.folder, 0o750); err != nil {
		return "", fmt.Errorf("making the dump path: %w", err)
	}
	tmp, err := os.CreateTemp(f.folder, unfinished+"*") // mode 0600
	if err != nil {
		return "", fmt.Errorf("creating a dump in %s: %w", f.folder, err)
	}
	_, err = tmp.Write(data)
	err = errors.Join(err, tmp.Close())
	path := filepath.Join(f.folder, f.name())
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		_ = os.Remove(tmp.Name())
		return "", fmt.Errorf("writing the dump %s: %w", path, err)
	}
	return path, nil
}

// A retention bounds the dumps of a folder; 0 is no bound.
type retention struct {
	files int
	bytes int64
}

// A kept is a dump in the folder.
type kept struct {
	name string
	size int64
	at   time.Time
}

// prune removes the oldest dumps until the folder is within its bounds. Only names that dumpFile makes are touched; the
// dumps of other processes in the folder count, and go, too.
func prune(folder string, r retention) error {
	dumps, err := list(folder)
	if err != nil {
		return fmt.Errorf("listing %s: %w", folder, err)
	}
	slices.SortFunc(dumps, func(a, b kept) int { return cmp.Or(b.at.Compare(a.at), cmp.Compare(b.name, a.name)) })
	var errs []error
	total := int64(0)
	for i, d := range dumps {
		total += d.size
		if i == 0 || (r.files == 0 || i < r.files) && (r.bytes == 0 || total <= r.bytes) {
			continue // the newest stays, whatever its size
		}
		if err := os.Remove(filepath.Join(folder, d.name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// list finds the dumps, and removes what was left unfinished an hour ago. It reads the folder in pieces: /tmp may hold
// anything.
func list(folder string) ([]kept, error) {
	dir, err := os.Open(folder)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	var dumps []kept
	for {
		entries, err := dir.ReadDir(1024)
		for _, e := range entries {
			info, gone := e.Info()
			switch {
			case gone != nil || !e.Type().IsRegular():
			case ours.MatchString(e.Name()):
				dumps = append(dumps, kept{e.Name(), info.Size(), info.ModTime()})
			case len(e.Name()) > len(unfinished) && e.Name()[:len(unfinished)] == unfinished &&
				time.Since(info.ModTime()) > time.Hour:
				_ = os.Remove(filepath.Join(folder, e.Name()))
			}
		}
		if errors.Is(err, io.EOF) {
			return dumps, nil
		}
		if err != nil {
			return dumps, err
		}
	}
}
