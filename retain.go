package casebook

import (
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// prune removes old cases. It reports those it removed, limits that cannot be kept, and failures, which are never
// fatal: the next case prunes again.
func (w *Watch) prune() casefile.Pruned {
	var p casefile.Pruned
	err := guard("pruning cases", func() (err error) {
		p, err = casefile.Dir(w.cfg.Dir).Prune(w.cfg.Retention, time.Now())
		return err
	})
	if err != nil {
		w.fail(err)
	} else {
		w.mu.Lock()
		w.status.Bytes = p.Bytes
		w.mu.Unlock()
	}
	if err != nil || len(p.Removed) > 0 || p.OverBytes > 0 {
		w.emit(Event{Kind: Pruned, Pruned: p, Err: err})
	}
	return p
}
