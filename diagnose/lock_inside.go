package diagnose

import (
	"fmt"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A caller cannot split a lock inside a library or shorten the time for which it is held. It can only call less often,
// or differently.

// A libraryLock is what to do about a lock of a known library.
type libraryLock struct{ prefix, title, text, price string }

func libraryLocks() []libraryLock {
	return []libraryLock{
		{"log.(*Logger)", "Write lines through a buffer",
			"At %s: log.New(bufio.NewWriterSize(file, 64<<10), …) that is flushed once a second, or a goroutine that " +
				"writes: the logger's lock is held while the line is written.",
			"the last lines are lost in a crash"},
		{"log/slog.", "Write lines through a buffer",
			"At %s: a handler over a buffered writer that is flushed once a second: the handler's lock is held while " +
				"the line is written.",
			"the last lines are lost in a crash"},
		{"go.uber.org/zap", "Write lines through a buffer",
			"At %s: zapcore.BufferedWriteSyncer below the core: the lock is held while the line is written.",
			"the last lines are lost in a crash"},
		{"github.com/sirupsen/logrus", "Use a logger that does not format under its lock",
			"At %s: log/slog or zap, through a buffer.", "other log calls"},
		{"gopkg.in/natefinch/lumberjack", "Write lines through a buffer",
			"At %s: a bufio.Writer in front of it, flushed once a second: its lock is held while the line is " +
				"written, and while files are rotated.", "the last lines are lost in a crash"},
		{"math/rand.", "Take math/rand/v2", "At %s: its top-level functions have no lock; a shared rand.Rand of " +
			"math/rand needs one.", "another sequence of numbers"},
		{"database/sql.", "Ask the pool less",
			"At %s: fewer, larger statements; SetMaxIdleConns as high as SetMaxOpenConns, so that connections are " +
				"not closed and opened all the time.",
			"connections stay open"},
		{"net/http.(*Transport)", "Keep more idle connections per host",
			"At %s: Transport.MaxIdleConnsPerHost as high as the number of concurrent requests (2 by default).",
			"connections stay open"},
		{"github.com/prometheus/client_golang", "Give the labels few values, and keep the metric",
			"At %s: label values that a vector has not seen take its lock for writing, and a scrape that reads all " +
				"of them holds it: leave users, paths and addresses out of labels; " +
				"call WithLabelValues once, and keep the Counter or Observer that it returns.", "less detail"},
		{"go.etcd.io/bbolt", "Write several at a time", "At %s: DB.Batch, or one Update for many keys: bbolt has one " +
			"writer, which syncs the disk.", "a write waits for others"},
	}
}

// insideLockRemedies are for a lock of fn's, reached at a line of the user's.
func insideLockRemedies(fn *stacks.Func, at string) []casefile.Remedy {
	var out []casefile.Remedy
	for _, l := range libraryLocks() {
		if strings.HasPrefix(fn.Name, l.prefix) {
			out = append(out, doChange(l.title, fmt.Sprintf(l.text, at), l.price))
			break
		}
	}
	return append(out,
		doChange("Call it less", fmt.Sprintf("At %s: the lock is inside %s. Keep its results, pass it many items at "+
			"once, or call it outside the code that runs in parallel.", at, short(fn.Name)), "none"),
		doChange("Have several of it", fmt.Sprintf("If %s has its own state, use one instance per worker or shard: "+
			"each has its own lock.", short(fn.Name)), "memory, and there is no consistent view of all of them"),
	)
}
