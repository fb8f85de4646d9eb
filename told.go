package casebook

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/own"
	"github.com/gocasebook/casebook/internal/room"
	"github.com/gocasebook/casebook/reporter"
)

// The tasks of a finished case are written to its folder before it gets its name (casefile.Todo), and crossed out when
// they are done: a process that is killed in between, at any moment, leaves a list for the next one. A report counts as
// delivered when the reporter has sent it, or has it in a spool on disk.
const (
	todoDiagnose = "diagnose"
	todoDraw     = casefile.TaskDraw
	todoTell     = "tell " // and the reporter's name
)

// spoolPatience limits how long the event of a case waits for the spools, which takes milliseconds.
const spoolPatience = 10 * time.Second

// tellFor is how old a case may be that a later process still reports, if a reporter without a spool gave up.
const tellFor = 7 * 24 * time.Hour

// todo lists the tasks for each case of this watch.
func (w *Watch) todo() []string {
	tasks := []string{todoDiagnose}
	if w.cfg.Draw != nil {
		tasks = append(tasks, todoDraw)
	}
	for _, r := range w.cfg.Reporters {
		tasks = append(tasks, todoTell+r.Name)
	}
	return tasks
}

// complete does the tasks of a finished case, and then announces the case. It returns when the case is diagnosed, drawn
// and in all spools; reporters without a spool continue.
func (w *Watch) complete(ctx context.Context, kind EventKind, f *casefile.Folder) {
	left, err := f.TakeTodo()
	if errors.Is(err, casefile.ErrTodoTaken) { // another watch of the same folder found it first
		return
	}
	if err == nil && left == nil { // of an older Casebook, or the disk was full
		left, err = f.AddTodo(w.todo()...)
	}
	if err != nil { // it counts as done, and is not done again
		w.fail(err)
		w.closed(kind, f, w.completeUnnoted(ctx, f))
		return
	}
	w.completeNoted(ctx, kind, f, left)
}

func (w *Watch) completeNoted(ctx context.Context, kind EventKind, f *casefile.Folder, left *casefile.Todo) {
	ctx = context.WithoutCancel(ctx)
	if left.Has(todoDiagnose) && w.diagnose(ctx, f) {
		w.done(left, todoDiagnose)
	}
	var drawn error
	if left.Has(todoDraw) && w.cfg.Draw != nil {
		if drawn = w.draw(ctx, f); drawn == nil {
			w.done(left, todoDraw)
		}
	}
	w.tell(f, left)
	w.closed(kind, f, drawn)
}

// completeUnnoted is completeNoted if nothing can be written next to the case.
func (w *Watch) completeUnnoted(ctx context.Context, f *casefile.Folder) (drawn error) {
	ctx = context.WithoutCancel(ctx)
	w.diagnose(ctx, f)
	if w.cfg.Draw != nil {
		drawn = w.draw(ctx, f)
	}
	if s := w.running(); s != nil {
		s.reports.Put(w.reportOf(f))
	}
	return drawn
}

// diagnose reports whether the case has its diagnosis: evidence that cannot be read is part of one.
func (w *Watch) diagnose(ctx context.Context, f *casefile.Folder) bool {
	err := guard("diagnosing", func() error { return diagnoseWith(ctx, f, w.cfg.Diagnose) })
	if err != nil {
		w.fail(err) // the evidence is safe; `casebook diagnose` can read it again
	}
	return err == nil || len(f.Case.Findings)+len(f.Case.Undecided) > 0
}

// reading lets all watches together read one case's evidence at a time: in memory it takes many times its size on disk.
var reading = room.NewGate()

// drawTimeout limits the time to draw a page, which takes seconds for a large case.
const drawTimeout = 2 * time.Minute

func (w *Watch) draw(ctx context.Context, f *casefile.Folder) error {
	var err error
	waited := reading.Do(ctx, func() { // drawing reads the evidence once more
		ctx, cancel := context.WithTimeout(ctx, drawTimeout)
		defer cancel()
		_, err = inTime(ctx, "drawing the page of a case", func(ctx context.Context) (struct{}, error) {
			return struct{}{}, w.cfg.Draw(ctx, f)
		})
	})
	if waited != nil {
		err = waited
	}
	if err != nil {
		w.fail(err)
	}
	return err
}

func (w *Watch) done(left *casefile.Todo, task string) {
	if err := left.Done(task); err != nil {
		w.fail(err)
	}
}

// An answer is the outcome of a report.
type answer struct {
	reporter string
	err      error
}

// tell hands the case to the reporters that have not had it, and waits for those with a spool. A goroutine that ends
// with the reporters crosses out what is delivered.
func (w *Watch) tell(f *casefile.Folder, left *casefile.Todo) {
	s := w.running()
	names, spools := w.toTell(left)
	if s == nil || len(names) == 0 {
		w.release(left)
		return
	}
	answers := make(chan answer, len(names)) // holds all: senders never wait
	kept := make(chan struct{})
	own.In(&s.telling, func() { w.crossOut(s, left, answers, len(names), spools, kept) })
	s.reports.PutFor(names, w.reportOf(f), func(name string, err error) { answers <- answer{name, err} })
	select {
	case <-kept:
	case <-s.reported:
	case <-time.After(spoolPatience):
	}
}

// toTell are the reporters of this watch that have not had the case, and those among them with a spool.
func (w *Watch) toTell(left *casefile.Todo) (names, spools []string) {
	for _, r := range w.cfg.Reporters {
		if !left.Has(todoTell + r.Name) {
			continue
		}
		names = append(names, r.Name)
		if r.Spools() {
			spools = append(spools, r.Name)
		}
	}
	return names, spools
}

// crossOut records who has the case, until all have answered or the reporters have ended, and closes kept when all
// spools have it.
func (w *Watch) crossOut(s *session, left *casefile.Todo, answers <-chan answer, wait int, spools []string,
	kept chan<- struct{}) {
	defer w.release(left)
	note := func(a answer) {
		if told(a.err) {
			w.done(left, todoTell+a.reporter)
		}
		wait--
		if i := slices.Index(spools, a.reporter); i >= 0 {
			if spools = slices.Delete(spools, i, i+1); len(spools) == 0 {
				close(kept)
			}
		}
	}
	if len(spools) == 0 {
		close(kept)
	}
	for wait > 0 {
		select {
		case a := <-answers:
			note(a)
		case <-s.reported: // and what was answered until then
			for range len(answers) {
				note(<-answers)
			}
			return
		}
	}
}

// told reports whether nothing is left to deliver: it was delivered, or will never be accepted.
func told(err error) bool {
	var e *reporter.Error
	return err == nil || errors.As(err, &e) && e.Final
}

func (w *Watch) release(left *casefile.Todo) {
	if err := left.Release(); err != nil {
		w.fail(err)
	}
}

// catchUp does the remaining tasks of a finished case of an earlier process.
func (w *Watch) catchUp(ctx context.Context, at string) {
	f, err := casefile.Open(at)
	if err != nil { // removed meanwhile, or unreadable, which `casebook case ls` shows
		return
	}
	left, err := f.TakeTodo()
	if err != nil && !errors.Is(err, casefile.ErrTodoTaken) {
		w.fail(err)
	}
	if left == nil {
		return
	}
	if time.Since(f.Case.Closed) > tellFor {
		for _, task := range left.Left() {
			w.done(left, task)
		}
	}
	if !w.can(left) {
		w.release(left)
		return
	}
	w.completeNoted(ctx, Recovered, f, left)
}

// can reports whether this watch can do any of the remaining tasks.
func (w *Watch) can(left *casefile.Todo) bool {
	mine := w.todo()
	return slices.ContainsFunc(left.Left(), func(task string) bool { return slices.Contains(mine, task) })
}
