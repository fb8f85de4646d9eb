package known

// A LibraryLock is what to do about a lock of a known library.
type LibraryLock struct{ Prefix, Title, Text, Price string }

// LibraryLocks are the locks of libraries for which there is a better word than to call less.
func LibraryLocks() []LibraryLock {
	return []LibraryLock{
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
				"of them holds it. Leave users, paths and addresses out of labels; " +
				"call WithLabelValues once, and keep the Counter or Observer that it returns.", "less detail"},
		{"golang.org/x/oauth2.", "Have tokens that last", "At %s: a token is asked for anew from 10 seconds before it " +
			"expires, while all others wait: tokens that live longer, or oauth2.ReuseTokenSourceWithExpiry with less " +
			"than their life.", "none"},
		{"go.etcd.io/bbolt", "Write several at a time", "At %s: DB.Batch, or one Update for many keys: bbolt has one " +
			"writer, which syncs the disk.", "a write waits for others"},
	}
}
