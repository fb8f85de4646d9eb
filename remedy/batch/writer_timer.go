package batch

import "time"

// arm sets the timer for the oldest byte gathered, unless it is set: if that is for an earlier time, wakeUp sets it
// again.
func (w *Writer) arm(now time.Time) {
	if w.armed {
		return
	}
	w.armed, w.alarm = true, w.late.due(w.oldest)
	if w.timer == nil {
		w.timer = time.AfterFunc(w.alarm.Sub(now), w.wakeUp)
	} else {
		w.timer.Reset(w.alarm.Sub(now))
	}
}

// wakeUp is what the timer calls, in a goroutine of its own.
func (w *Writer) wakeUp() {
	w.mu.Lock()
	defer w.mu.Unlock()
	defer w.rearm() // also when the io.Writer ends the goroutine
	now := time.Now()
	w.late.fired(now.Sub(w.alarm))
	if len(w.buf) > 0 && !w.writing && !now.Before(w.late.due(w.oldest)) {
		w.writeFull(w.swap())
	}
}

// rearm ends the timer's work, and sets it for what is gathered. A running write sets it when it ends.
func (w *Writer) rearm() {
	w.armed = false
	if len(w.buf) > 0 && !w.writing {
		w.arm(time.Now())
	}
	w.changed.Broadcast()
}
