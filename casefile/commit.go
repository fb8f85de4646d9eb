package casefile

import (
	"fmt"
	"time"
)

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
