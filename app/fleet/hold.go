package fleet

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"
)

// holdTime is how long a target is this process's without a word of it: three refreshes, of which two may fail. Of a
// process that died on this machine it is known at once.
func (f *Fleet) holdTime() time.Duration { return max(3*f.cfg.Refresh, 45*time.Second) }

// hold says which of the wanted targets are for this process to watch. While the store gives no answer, they are those
// that were: of a server that alone has lost the store, another may watch the same meanwhile. Without a store all are.
func (f *Fleet) hold(ctx context.Context, wanted map[string]wish) map[string]bool {
	ids := make([]string, 0, len(wanted))
	for id := range wanted {
		ids = append(ids, id)
	}
	if f.cfg.Store == nil {
		held := make(map[string]bool, len(ids))
		for _, id := range ids {
			held[id] = true
		}
		return held
	}
	held, err := f.cfg.Store.HoldTargets(ctx, f.cfg.Holder, ids, f.holdTime(), endedHere)
	if err == nil {
		return held
	}
	f.log.Warn("who watches which target is not known", "error", err)
	held = make(map[string]bool)
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, id := range ids {
		held[id] = f.members[id] == nil || f.members[id].held
	}
	return held
}

// free lets other servers watch at once what this one had.
func (f *Fleet) free() {
	if f.cfg.Store == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), freeTime)
	defer cancel()
	if err := f.cfg.Store.FreeTargets(ctx, f.cfg.Holder); err != nil {
		f.log.Warn("targets are free for other servers later", "after", f.holdTime(), "error", err)
	}
}

const freeTime = 5 * time.Second

// thisProcess names the process. A container that is begun again has the name that it had.
func thisProcess() string {
	host, _ := os.Hostname()
	return fmt.Sprintf("%s/%d", host, os.Getpid())
}

// endedHere reports whether a holder was a process of this machine that is not there any more.
func endedHere(holder string) bool {
	host, _ := os.Hostname()
	var pid int
	if rest, ok := strings.CutPrefix(holder, host+"/"); !ok || host == "" {
		return false
	} else if _, err := fmt.Sscanf(rest, "%d", &pid); err != nil || pid <= 0 {
		return false
	}
	return !alive(pid)
}
