package casefile

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// A Writer fills the folder of a new case. Until Commit the folder is named ".tmp-" and the case's ID, holds a
// readable case.json that lists what has been added so far, and can be finished by Recover should this process die.
// Its methods may be called at the same time. A Writer that is not committed keeps its files open.
type Writer struct {
	id    string
	stage *stage
	adds  sync.WaitGroup // running Adds; raised only under mu while open

	mu    sync.Mutex // guards names and open; taken last
	names nameSet
	open  bool // false from the start of Commit

	// disk orders the writes of case.json, so that an older one never replaces a newer. It is held while the disk
	// works, on purpose: every waiter has something to write there. It guards c, reserve and todo.
	disk    sync.Mutex
	c       Case
	reserve reserve
	todo    *Todo // nil without SetTodo
}

// Create opens a new case in the folder dir, which is made if needed (0700). An empty c.ID is filled in by NewID, a
// zero c.Opened with the present time. The error says why the place cannot be written to and what to do.
func (d Dir) Create(c Case) (*Writer, error) {
	if c.Opened.IsZero() {
		c.Opened = time.Now()
	}
	c.Schema, c.Opened = Schema, c.Opened.UTC()
	if c.ID == "" {
		c.ID = NewID(c.Opened, c.Trigger.Rule)
	}
	w, err := create(string(d), c)
	if err != nil {
		return nil, fmt.Errorf("creating case %s in %q: %w", c.ID, d, explain(err))
	}
	return w, nil
}

func create(dir string, c Case) (*Writer, error) {
	if len(c.Evidence) > 0 {
		return nil, errors.New("a new case has no evidence yet: Add writes it")
	}
	own, err := clone(&c)
	if err != nil {
		return nil, err
	}
	if dir, err = makeFolder(dir); err != nil {
		return nil, err
	}
	if _, err := os.Lstat(filepath.Join(dir, c.ID)); err == nil {
		return nil, errors.New("a case of this ID already exists")
	}
	s, err := newStage(dir)
	if err != nil {
		return nil, err
	}
	w := &Writer{id: c.ID, stage: s, names: newNameSet(), open: true, c: own, reserve: reserve{root: s.root}}
	if err := w.begin(); err != nil {
		return nil, errors.Join(err, s.discard())
	}
	return w, nil
}

// begin makes the scratch folder an unfinished case: only one that has its reserve and a case.json gets the name.
func (w *Writer) begin() error {
	if err := w.reserve.take(); err != nil {
		return err
	}
	if err := w.write(&w.c); err != nil {
		return err
	}
	if err := w.reserve.take(); err != nil { // write may have spent it
		return err
	}
	if err := w.stage.move(tmpPrefix + w.id); err != nil {
		return err
	}
	w.reserve.root = w.stage.root
	return nil
}

// ID is the case's ID.
func (w *Writer) ID() string { return w.id }

// Path is the folder that the case is being written to: the temporary one, and the final one after Commit.
func (w *Writer) Path() string {
	w.disk.Lock()
	defer w.disk.Unlock()
	return w.stage.path()
}

// Add writes data as the file e.File and lists it in the case. It fills in e.Bytes and e.SHA256. When it returns nil,
// both the file and a case.json that lists it are on the disk. When it fails, no part of the file remains, everything
// added before does, and the case lists e as missing with the reason. Empty data is such a failure.
func (w *Writer) Add(e Evidence, data []byte) error {
	if err := w.enter(); err != nil {
		return fmt.Errorf("adding %s to case %s: %w", e.File, w.id, err)
	}
	defer w.adds.Done()
	if err := w.add(e, data); err != nil {
		err = explain(err)
		w.Missing(e.Kind, e.Phase, err.Error())
		return fmt.Errorf("adding %s to case %s: %w", e.File, w.id, err)
	}
	return nil
}

func (w *Writer) add(e Evidence, data []byte) error {
	if len(data) == 0 || len(data) > MaxFileBytes {
		return fmt.Errorf("it has %d bytes, want 1 to %d", len(data), MaxFileBytes)
	}
	sum := sha256.Sum256(data)
	e.Bytes, e.SHA256 = int64(len(data)), hex.EncodeToString(sum[:])
	if err := w.takeName(e.File); err != nil {
		return err
	}
	err := w.keepReserve()
	if err == nil {
		err = replaceFile(w.stage.root, e.File, data)
	}
	if err == nil {
		err = w.change(func(c *Case) { c.Evidence = append(c.Evidence, e) })
	}
	if err != nil {
		_ = w.stage.root.Remove(filepath.FromSlash(e.File)) // most often it is not there
		w.freeName(e.File)
	}
	return err
}

// Missing records evidence that was requested but not available.
func (w *Writer) Missing(kind string, phase Phase, reason string) {
	missing := Missing{Kind: kind, Phase: phase, Reason: reason}
	w.disk.Lock()
	defer w.disk.Unlock()
	next := w.c
	next.Missing = append(next.Missing[:len(next.Missing):len(next.Missing)], missing)
	if _, err := encode(&next); err != nil {
		return // too large for any reader: one reason less is the smaller loss
	}
	w.c = next
	_ = w.write(&w.c) // kept in memory, so the next write carries it
}

// Update changes what case.json says besides the evidence: the ID, the schema and the files must stay. change gets a
// copy; it must not call the Writer. On an error the case is as it was.
func (w *Writer) Update(change func(*Case)) error {
	if err := w.enter(); err != nil {
		return fmt.Errorf("updating case %s: %w", w.id, err)
	}
	defer w.adds.Done()
	err := w.change(func(c *Case) { change(c) }, sameFiles)
	if err != nil {
		return fmt.Errorf("updating case %s: %w", w.id, explain(err))
	}
	return nil
}

// change applies fn to a copy of the case, which becomes the case once it is on the disk.
func (w *Writer) change(fn func(*Case), allowed ...func(old, next *Case) error) error {
	w.disk.Lock()
	defer w.disk.Unlock()
	next, err := clone(&w.c)
	if err != nil {
		return err
	}
	fn(&next)
	for _, allow := range allowed {
		if err := allow(&w.c, &next); err != nil {
			return err
		}
	}
	if next, err = clone(&next); err != nil { // what fn put in may be shared with its caller
		return err
	}
	if err := w.write(&next); err != nil {
		return err
	}
	w.c = next
	return nil
}

// write puts c on the disk as case.json, on a full disk in the room of the reserve.
func (w *Writer) write(c *Case) error {
	data, err := encode(c)
	if err != nil {
		return err
	}
	err = replaceFile(w.stage.root, caseName, data)
	if err != nil && w.reserve.release() {
		err = replaceFile(w.stage.root, caseName, data)
	}
	return err
}

// keepReserve refuses to take more from the disk once the reserve is spent and cannot be restored.
func (w *Writer) keepReserve() error {
	w.disk.Lock()
	defer w.disk.Unlock()
	return w.reserve.take()
}

// enter counts a running change, for Commit to wait for.
func (w *Writer) enter() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.open {
		return errors.New("the case is already committed")
	}
	w.adds.Add(1)
	return nil
}

func (w *Writer) takeName(name string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.names.take(name)
}

func (w *Writer) freeName(name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.names.free(name)
}

// sameFiles refuses a change of what a case is and which files it has.
func sameFiles(old, next *Case) error {
	if next.ID != old.ID || next.Schema != old.Schema {
		return fmt.Errorf("the ID and the schema of a case never change")
	}
	same := len(next.Evidence) == len(old.Evidence)
	for i := 0; same && i < len(old.Evidence); i++ {
		a, b := &old.Evidence[i], &next.Evidence[i]
		same = a.File == b.File && a.Bytes == b.Bytes && a.SHA256 == b.SHA256
	}
	if !same {
		return errors.New("an update cannot change which files of evidence a case has, or their sizes and checksums")
	}
	return nil
}
