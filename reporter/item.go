package reporter

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/casefile"
)

// An item is one case in a spool. Its file's name holds all that must outlive the process:
//
//	ID.SHA256.zip               waits
//	ID.SHA256.refused-401.zip   was refused, with that status
//	ID.SHA256.json              the same of what a webhook is sent
//
// SHA256 is that of the case.json inside a zip, and of the whole of a message, 64 hexadecimal digits: a case that is
// reported again after it grew a finding or a proof is another item. An ID begins with the time, so names sort by age.
type item struct {
	id, sum string
	refused int // HTTP status; 0 while it waits
	size    int64
	message bool // what a webhook is sent, and no case
}

const (
	caseSuffix    = ".zip"
	messageSuffix = ".json"
	refusedPrefix = "refused-"
)

func (it item) name() string {
	suffix := caseSuffix
	if it.message {
		suffix = messageSuffix
	}
	if it.refused == 0 {
		return it.id + "." + it.sum + suffix
	}
	return fmt.Sprintf("%s.%s.%s%d%s", it.id, it.sum, refusedPrefix, it.refused, suffix)
}

// key is the Idempotency-Key.
func (it item) key() string { return it.id + "-" + it.sum }

func (it item) refusedWith(status int) item {
	it.refused = status
	return it
}

// parseItem reads a file's name. Names that name() does not give are not ok: the file is somebody else's and stays
// untouched.
func parseItem(name string) (it item, ok bool) {
	rest, message := strings.CutSuffix(name, messageSuffix)
	rest, ok = strings.CutSuffix(rest, caseSuffix)
	if ok == message { // neither, or both
		return item{}, false
	}
	parts := strings.Split(rest, ".")
	if len(parts) < 2 || len(parts) > 3 || !casefile.ValidID(parts[0]) || !isSum(parts[1]) {
		return item{}, false
	}
	it = item{id: parts[0], sum: parts[1], message: message}
	if len(parts) == 3 {
		status, err := strconv.Atoi(strings.TrimPrefix(parts[2], refusedPrefix))
		if err != nil || status < 100 || status > 999 {
			return item{}, false
		}
		it.refused = status
	}
	return it, it.name() == name
}

func isSum(s string) bool {
	return len(s) == 64 && strings.Trim(s, "0123456789abcdef") == ""
}
