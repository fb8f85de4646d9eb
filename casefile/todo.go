package casefile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
	"unicode"

	"github.com/gocasebook/casebook/internal/flock"
)

// A Todo is what is still to be done with a finished case: diagnose it, draw its page, tell somebody. It is a file in
// the case's folder, written before the case gets its name, so that a process that dies in between leaves word for the
// next one:
//
//   - diagnose
//   - tell collector
//
// A task that is done has an "x" instead of its dash. One byte is written for it, so that a process that dies meanwhile
// leaves the old mark or the new one; and case.json, whose checksum tells a collector one version of the case from
// another, stays as it is. The file is locked while somebody works on it, and goes with the last task. It never
// travels.
//
// A Todo is for one goroutine at a time.
type Todo struct {
	file  *os.File
	root  *os.Root // the case's folder
	tasks []todoTask
}

type todoTask struct {
	name string
	at   int64 // of its mark in the file
	left bool
}

const (
	todoName     = ".todo"
	maxTodo      = 64 << 10
	taskLeft     = "- "
	taskDone     = 'x'
	maxTaskBytes = 200
)

// TaskDraw is the task of drawing a case's page.
const TaskDraw = "draw"

// ErrTodoTaken says that another process, or another part of this one, is at what is to be done with a case.
var ErrTodoTaken = errors.New("another process is working on this case")

// SetTodo says what is to be done with the case once it is finished. It is called once, before Commit; the Folder that
// Commit returns hands the Todo out. A task is one line of at most 200 bytes.
func (w *Writer) SetTodo(tasks ...string) error {
	if err := w.enter(); err != nil {
		return fmt.Errorf("saving the tasks of case %s: %w", w.id, err)
	}
	defer w.adds.Done()
	w.disk.Lock()
	defer w.disk.Unlock()
	t, err := newTodo(w.stage.root, tasks)
	if err != nil {
		return fmt.Errorf("saving the tasks of case %s: %w", w.id, explain(err))
	}
	w.todo = t
	return nil
}

// AddTodo says what is to be done with a finished case that nothing is noted of.
func (f *Folder) AddTodo(tasks ...string) (*Todo, error) {
	root, err := os.OpenRoot(f.Path)
	if err != nil {
		return nil, fmt.Errorf("saving the tasks of case %s: %w", f.Case.ID, explain(err))
	}
	t, err := newTodo(root, tasks)
	if err != nil {
		root.Close()
		return nil, fmt.Errorf("saving the tasks of case %s: %w", f.Case.ID, explain(err))
	}
	t.root = root
	return t, nil
}

// handOver gives the Todo to the folder of a case that has just got its name, with its lock: nobody else can take it in
// between. If that fails for lack of open files, TakeTodo finds the file on its own. A nil Todo means none.
func (t *Todo) handOver(f *Folder) {
	if t == nil {
		return
	}
	if root, err := os.OpenRoot(f.Path); err == nil {
		t.root, f.todo = root, t
	} else {
		t.drop()
	}
}

// beforeRename closes the file on Windows, which renames no folder with an open file in it. Then the Todo is nil: it is
// noted and not held.
func (t *Todo) beforeRename() *Todo {
	if t == nil || runtime.GOOS != "windows" {
		return t
	}
	t.drop()
	return nil
}

// drop lets go of the file and leaves it as it is.
func (t *Todo) drop() {
	if t != nil {
		t.file.Close()
	}
}

// newTodo writes the file under another name first: what has its name is whole, and locked.
func newTodo(root *os.Root, tasks []string) (*Todo, error) {
	text, err := todoText(tasks)
	if err != nil {
		return nil, err
	}
	part := partPrefix + todoName[1:]
	_ = root.Remove(part) // left by a process that died here
	f, err := root.OpenFile(part, os.O_RDWR|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return nil, err
	}
	if err := flock.Try(f); err != nil && !errors.Is(err, flock.ErrUnsupported) {
		return nil, errors.Join(err, f.Close())
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Sync()
	}
	if err == nil {
		err = root.Rename(part, todoName)
	}
	if err == nil {
		err = syncFolder(root, ".")
	}
	if err != nil {
		_ = root.Remove(part)
		return nil, errors.Join(err, f.Close())
	}
	return &Todo{file: f, tasks: parseTodo(text)}, nil
}

func todoText(tasks []string) ([]byte, error) {
	var b bytes.Buffer
	for _, task := range tasks {
		if task == "" || len(task) > maxTaskBytes || strings.ContainsFunc(task, unicode.IsControl) {
			return nil, fmt.Errorf("task %.40q is not one line of 1 to %d bytes", task, maxTaskBytes)
		}
		b.WriteString(taskLeft + task + "\n")
	}
	if b.Len() > maxTodo {
		return nil, fmt.Errorf("%d tasks are too many", len(tasks))
	}
	return b.Bytes(), nil
}

// parseTodo reads as much as makes sense: a file that somebody damaged must not keep a case from being reported.
func parseTodo(text []byte) []todoTask {
	var tasks []todoTask
	at := int64(0)
	for line := range bytes.Lines(text) {
		name := strings.TrimRight(string(line), "\n")
		if rest, left := strings.CutPrefix(name, taskLeft); left || strings.HasPrefix(name, "x ") {
			tasks = append(tasks, todoTask{name: strings.TrimPrefix(rest, "x "), at: at, left: left})
		}
		at += int64(len(line))
	}
	return tasks
}

// TakeTodo is what is to be done with the case; nil when there is nothing, ErrTodoTaken while somebody is at it. It
// must be released.
func (f *Folder) TakeTodo() (*Todo, error) {
	if t := f.todo; t != nil {
		f.todo = nil
		return t, nil
	}
	root, err := os.OpenRoot(f.Path)
	if err != nil {
		return nil, fmt.Errorf("reading the tasks of case %s: %w", f.Case.ID, explain(err))
	}
	t, err := takeTodo(root)
	if t != nil {
		t.root = root
		_ = clearLeftovers(f.Path, time.Now()) // of an earlier owner; they do no harm
		return t, nil
	}
	root.Close()
	switch {
	case errors.Is(err, flock.ErrInUse):
		err = ErrTodoTaken
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	}
	if err != nil {
		err = fmt.Errorf("reading the tasks of case %s: %w", f.Case.ID, explain(err))
	}
	return nil, err
}

// takeTodo opens and locks the file. It is nil when the file went away between the two: its owner was quicker.
func takeTodo(root *os.Root) (*Todo, error) {
	info, err := root.Lstat(todoName)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() { // opening a pipe could block forever
		return nil, fmt.Errorf("%s is not a regular file (%s)", todoName, info.Mode().Type())
	}
	file, err := root.OpenFile(todoName, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	if err := flock.Try(file); err != nil && !errors.Is(err, flock.ErrUnsupported) {
		return nil, errors.Join(err, file.Close())
	}
	text, err := io.ReadAll(io.LimitReader(file, maxTodo))
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	mine, err := file.Stat()
	if err == nil {
		info, err = root.Lstat(todoName)
	}
	if err != nil || !os.SameFile(mine, info) {
		return nil, errors.Join(err, file.Close())
	}
	return &Todo{file: file, tasks: parseTodo(text)}, nil
}

// Left lists the tasks that are still to be done, in the order in which they were given.
func (t *Todo) Left() []string {
	var left []string
	for _, task := range t.tasks {
		if task.left {
			left = append(left, task.name)
		}
	}
	return left
}

// Has reports whether a task is still to be done.
func (t *Todo) Has(task string) bool {
	for _, x := range t.tasks {
		if x.left && x.name == task {
			return true
		}
	}
	return false
}

// Done notes that a task is done. After an error it is still noted as left: it will be done once more.
func (t *Todo) Done(task string) error {
	for i := range t.tasks {
		x := &t.tasks[i]
		if !x.left || x.name != task {
			continue
		}
		if _, err := t.file.WriteAt([]byte{taskDone}, x.at); err != nil {
			return fmt.Errorf("saving that a case is done with %q: %w", task, explain(err))
		}
		x.left = false
	}
	return nil
}

// Release lets others at what is left, and removes the file if that is nothing.
func (t *Todo) Release() error {
	var err error
	if len(t.Left()) == 0 {
		err = t.root.Remove(todoName)
		if errors.Is(err, fs.ErrNotExist) { // the case was removed meanwhile
			err = nil
		}
	}
	err = errors.Join(err, t.file.Close(), t.root.Close())
	if err != nil {
		return fmt.Errorf("saving that a case is done: %w", explain(err))
	}
	return nil
}

// Untold lists the finished cases in dir that have open tasks, oldest first. Somebody may be working on some. They are
// not read.
func (d Dir) Untold() ([]Entry, error) {
	list, err := scan(string(d))
	if err != nil {
		return nil, fmt.Errorf("looking for unfinished cases in %q: %w", d, explain(err))
	}
	var left []Entry
	for i := len(list) - 1; i >= 0; i-- {
		if e := list[i]; !e.Unfinished && exists(filepath.Join(e.Path, todoName)) {
			left = append(left, Entry{ID: e.ID, Path: e.Path})
		}
	}
	return left, nil
}
