package holmes

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"
)

// An ErrorLogger gets messages about what happens. It is the part of mosn.io/pkg/log.ErrorLogger that can be named
// without importing it, so every logger of mosn's is one. Nothing here calls Fatalf.
type ErrorLogger interface {
	Alertf(alert string, format string, args ...interface{})
	Infof(format string, args ...interface{})
	Debugf(format string, args ...interface{})
	Warnf(format string, args ...interface{})
	Errorf(format string, args ...interface{})
	Tracef(format string, args ...interface{})
	Fatalf(format string, args ...interface{})
	// Toggle disables or enables the logger.
	Toggle(disable bool)
	// Disable reports whether it is disabled.
	Disable() bool
}

// A Level is how much a logger writes; the numbers are mosn.io/pkg/log's.
type Level uint8

// The levels, from little to much.
const (
	LevelFatal Level = iota
	LevelError
	LevelWarn
	LevelInfo
	LevelDebug
	LevelTrace
)

// NewStdLogger returns a logger of all levels that writes to stderr. holmes' wrote to stdout, which belongs to the
// service.
func NewStdLogger() ErrorLogger { return &lineLogger{out: os.Stderr, level: LevelDebug} }

// NewFileLog returns a logger that appends to a file, which is made with its folder at the first line. When it exceeds
// 16 MiB it is renamed to path.1 and a new one begun. What cannot be written is lost, and tried again a second later.
// The paths "", "stderr" and "stdout" mean stderr. A level of mosn.io/pkg/log will do as well as one of Level.
func NewFileLog[L ~uint8 | ~int](path string, level L) ErrorLogger {
	l := &lineLogger{out: os.Stderr, level: Level(min(max(level, 0), L(LevelTrace)))}
	if path != "" && path != "stderr" && path != "stdout" {
		l.out = &logFile{path: path}
	}
	return l
}

// A lineLogger writes a line for each message up to its level.
type lineLogger struct {
	level    Level
	disabled atomic.Bool

	mu  sync.Mutex // guards out
	out io.Writer
}

func (l *lineLogger) Alertf(alert string, format string, args ...interface{}) {
	l.write(LevelError, "[ERROR] ["+alert+"] ", format, args)
}

func (l *lineLogger) Infof(format string, args ...interface{}) {
	l.write(LevelInfo, "[INFO] ", format, args)
}

func (l *lineLogger) Debugf(format string, args ...interface{}) {
	l.write(LevelDebug, "[DEBUG] ", format, args)
}

func (l *lineLogger) Warnf(format string, args ...interface{}) {
	l.write(LevelWarn, "[WARN] ", format, args)
}

func (l *lineLogger) Errorf(format string, args ...interface{}) {
	l.write(LevelError, "[ERROR] ", format, args)
}

func (l *lineLogger) Tracef(format string, args ...interface{}) {
	l.write(LevelTrace, "[TRACE] ", format, args)
}

// Fatalf writes the line. It does not end the process, which is not ours to end.
func (l *lineLogger) Fatalf(format string, args ...interface{}) {
	l.write(LevelFatal, "[FATAL] ", format, args)
}

func (l *lineLogger) Toggle(disable bool) { l.disabled.Store(disable) }
func (l *lineLogger) Disable() bool       { return l.disabled.Load() }

// lineTime is how mosn.io/pkg/log writes the time.
const lineTime = "2006-01-02 15:04:05,000 "

func (l *lineLogger) write(level Level, tag, format string, args []any) {
	if level > l.level || l.disabled.Load() {
		return
	}
	line := time.Now().Format(lineTime) + tag + fmt.Sprintf(format, args...) + "\n"
	l.mu.Lock()
	defer l.mu.Unlock()
	_, _ = io.WriteString(l.out, line) // there is nobody to tell
}

// A logFile is a file that is opened when it is written to.
type logFile struct {
	path  string
	file  *os.File
	size  int64
	tryAt time.Time // when opening may be tried again
}

const maxLogFile = 16 << 20

func (f *logFile) Write(p []byte) (int, error) {
	if err := f.open(); err != nil {
		return 0, err
	}
	n, err := f.file.Write(p)
	f.size += int64(n)
	if f.size > maxLogFile {
		_ = f.file.Close()
		f.file = nil
		_ = os.Rename(f.path, f.path+".1")
	}
	return n, err
}

func (f *logFile) open() error {
	if f.file != nil {
		return nil
	}
	if time.Now().Before(f.tryAt) {
		return os.ErrNotExist
	}
	f.tryAt = time.Now().Add(time.Second)
	if err := os.MkdirAll(filepath.Dir(f.path), 0o750); err != nil {
		return err
	}
	file, err := os.OpenFile(f.path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	f.file = file
	if info, err := file.Stat(); err == nil {
		f.size = info.Size()
	}
	return nil
}
