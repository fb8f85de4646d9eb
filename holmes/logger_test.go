package holmes

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/internal/settings"
)

func TestFileLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "logs", "holmes.log")
	l := NewFileLog(path, LevelWarn)
	l.Infof("too quiet")
	l.Warnf("%d %s", 7, "warnings")
	l.Alertf("holmes.cpu", "alert")
	l.Toggle(true)
	if !l.Disable() {
		t.Error("Disable is false after Toggle(true)")
	}
	l.Errorf("while disabled")
	l.Toggle(false)
	l.Fatalf("fatal, and still here")
	data, err := os.ReadFile(path)
	must(t, err)
	var tags []string
	for line := range strings.Lines(string(data)) {
		tags = append(tags, strings.TrimSpace(line[len(lineTime):]))
	}
	want := "[WARN] 7 warnings|[ERROR] [holmes.cpu] alert|[FATAL] fatal, and still here"
	if got := strings.Join(tags, "|"); got != want {
		t.Errorf("the file holds %q, want %q", got, want)
	}
}

func TestFileLogIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "holmes.log")
	f := &logFile{path: path}
	block := bytes.Repeat([]byte("x"), 1<<20)
	for range 3 * maxLogFile / len(block) {
		if _, err := f.Write(block); err != nil {
			t.Fatal(err)
		}
		f.tryAt = f.tryAt.Add(-settings.Interval.Most) // a second has passed
	}
	for _, name := range []string{path, path + ".1"} {
		info, err := os.Stat(name)
		must(t, err)
		if info.Size() > maxLogFile+int64(len(block)) {
			t.Errorf("%s has %d bytes, want %d and one line at most", name, info.Size(), maxLogFile)
		}
	}
	must(t, f.file.Close())
}

func TestFileLogWithoutItsFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, nil, 0o600))
	l := NewFileLog(filepath.Join(file, "holmes.log"), 3) // a number is accepted, too
	l.Errorf("lost")                                      // and nothing worse
	if info, err := os.Stat(file); err != nil || info.Size() != 0 {
		t.Errorf("the file in the way has become %v (%v)", info, err)
	}
}

// holmes prints to stdout, which may carry a protocol.
func TestNothingIsPrintedToStdout(t *testing.T) {
	r, w, err := os.Pipe()
	must(t, err)
	devNull, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	must(t, err)
	stdout, stderr := os.Stdout, os.Stderr
	os.Stdout, os.Stderr = w, devNull
	NewStdLogger().Infof("to stderr, please")
	NewFileLog("stdout", LevelDebug).Infof("to stderr, too")
	h := mustNew(t)
	h.Stop() // holmes prints here even with a logger
	os.Stdout, os.Stderr = stdout, stderr
	must(t, devNull.Close())
	must(t, w.Close())
	if got, err := io.ReadAll(r); err != nil || len(got) > 0 {
		t.Errorf("stdout got %q (%v)", got, err)
	}
}

// A logger whose every method panics.
type bomb struct{ lineLogger }

func (*bomb) Infof(string, ...interface{})          { panic("Infof") }
func (*bomb) Debugf(string, ...interface{})         { panic("Debugf") }
func (*bomb) Warnf(string, ...interface{})          { panic("Warnf") }
func (*bomb) Errorf(string, ...interface{})         { panic("Errorf") }
func (*bomb) Alertf(string, string, ...interface{}) { panic("Alertf") }

func TestLoggerPanic(t *testing.T) {
	t.Parallel()
	told := make(keeper, 10)
	h := fast(t, WithLogger(&bomb{}), WithProfileReporter(told), always(0))
	h.EnableGoroutineDump().Start()
	told.next(t, "goroutine")
	h.Stop()
	h.Stop()
}
