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
//
// SHA256 is that of the case.json inside, 64 hexadecimal digits: a case that is reported again after it grew a finding
// or a proof is another item. An ID begins with the time, so names sort by age.
type item struct {
	id, sum string
	refused int // HTTP status; 0 while it waits
	size    int64
}

const (
	itemSuffix    = ".zip"
	refusedPrefix = "refused-"
)

func (it item) name() string {
	if it.refused == 0 {
		return it.id + "." + it.sum + itemSuffix
	}
	return fmt.Sprintf("%s.%s.%s%d%s", it.id, it.sum, refusedPrefix, it.refused, itemSuffix)
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
	rest, ok := strings.CutSuffix(name, itemSuffix)
	if !ok {
		return item{}, false
	}
	parts := strings.Split(rest, ".")
	if len(parts) < 2 || len(parts) > 3 || !casefile.ValidID(parts[0]) || !isSum(parts[1]) {
		return item{}, false
	}
	it = item{id: parts[0], sum: parts[1]}
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
