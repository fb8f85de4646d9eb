package worker

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// Segments are the files that one group writes, one after the other, in a folder of its own: 00000001.log and so on.
// What was written since the last commit can be taken back, so that a disk that fills up leaves no half of a batch.
// Segments are used by one goroutine.
type segments struct {
	dir      string
	size     int64 // from which the next file is begun, in bytes
	keep     int   // newest files that are kept
	buffered bool

	number int
	file   *os.File      // nil before the first write, and after a failure to open the next
	buffer *bufio.Writer // nil when not buffered
	good   int64         // bytes of file that are committed
	bytes  int64         // committed in all files
}

// bufferBytes is what goes to the kernel at once: 16 pages.
const bufferBytes = 64 << 10

// openSegments continues after the last file of the folder. That file is left as it is: a process that was killed may
// have left the beginning of a batch at its end, which is in the next file again.
func openSegments(dir string, size int64, keep int, buffered bool) (*segments, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("making the folder of a group: %w; give one that can be written with -dir", err)
	}
	s := &segments{dir: dir, size: size, keep: keep, buffered: buffered}
	names, err := s.names()
	if err != nil {
		return nil, err
	}
	if len(names) > 0 {
		if _, err := fmt.Sscanf(filepath.Base(names[len(names)-1]), "%d.log", &s.number); err != nil {
			return nil, fmt.Errorf("reading the number of %s: %w; move the file away", names[len(names)-1], err)
		}
	}
	return s, nil
}

// names are the files, oldest first.
func (s *segments) names() ([]string, error) {
	names, err := filepath.Glob(filepath.Join(s.dir, "*.log"))
	slices.Sort(names)
	return names, err
}

// writer is where the next batch goes.
func (s *segments) writer() (io.Writer, error) {
	if s.file == nil {
		if err := s.next(); err != nil {
			return nil, err
		}
	}
	if s.buffered {
		return s.buffer, nil
	}
	return s.file, nil
}

// next begins the next file, and removes those that are too old.
func (s *segments) next() error {
	name := filepath.Join(s.dir, fmt.Sprintf("%08d.log", s.number+1))
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("beginning a file: %w", err)
	}
	s.file, s.number, s.good = f, s.number+1, 0
	if s.buffered {
		s.buffer = bufio.NewWriterSize(f, bufferBytes)
	}
	names, err := s.names()
	if err != nil {
		return err
	}
	for _, old := range names[:max(0, len(names)-s.keep)] {
		if err := os.Remove(old); err != nil {
			return fmt.Errorf("removing a file that is too old: %w", err)
		}
	}
	return nil
}

// commit makes durable what was written, and ends the file when it is large enough.
func (s *segments) commit() error {
	if s.buffered {
		if err := s.buffer.Flush(); err != nil {
			return err
		}
	}
	if err := s.file.Sync(); err != nil {
		return err
	}
	end, err := s.file.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	s.bytes += end - s.good
	s.good = end
	if end < s.size {
		return nil
	}
	err = s.file.Close()
	s.file = nil
	return err
}

// rollback takes back what was written since the last commit. What is written anew afterwards is in new pages, so that
// a Sync that failed before does not matter. A file that cannot be put back is left to itself, and another begun.
func (s *segments) rollback() error {
	if s.file == nil {
		return nil
	}
	err := s.file.Truncate(s.good)
	if err == nil {
		_, err = s.file.Seek(s.good, io.SeekStart)
	}
	if err != nil {
		err = errors.Join(err, s.file.Close())
		s.file = nil
		return err
	}
	if s.buffered {
		s.buffer.Reset(s.file)
	}
	return nil
}

// close takes back what is not committed, and closes the file.
func (s *segments) close() error {
	err := s.rollback()
	if s.file == nil {
		return err
	}
	return errors.Join(err, s.file.Close())
}
