package ads

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// setKeys gives candidates the keys of the counters of what a user has seen of their campaigns on a day.
type setKeys func(user int64, day time.Time, candidates []candidate)

// newKeys makes keys in the way that the flag -keys names.
func newKeys(form string) setKeys {
	if form == keysSprintf {
		return formatKeys
	}
	return appendKeys
}

func formatKeys(user int64, day time.Time, candidates []candidate) {
	for i := range candidates {
		c := &candidates[i]
		c.key = fmt.Sprintf("seen:%d:%04d-%02d-%02d:%d", user, day.Year(), day.Month(), day.Day(), c.campaign.id)
	}
}

// keyBytes is how long a key is at the most: two numbers of up to 19 digits and a sign, and the day.
const keyBytes = len("seen:::") + 2*20 + len(time.DateOnly)

// usualKeyBytes is how long keys are with users and campaigns of up to nine digits.
const usualKeyBytes = len("seen:::") + 2*9 + len(time.DateOnly)

// appendKeys makes all keys pieces of one string, or of a few.
func appendKeys(user int64, day time.Time, candidates []candidate) {
	var all strings.Builder
	all.Grow(len(candidates) * usualKeyBytes)
	var piece [keyBytes]byte
	begin := append(strconv.AppendInt(append(piece[:0], "seen:"...), user, 10), ':')
	begin = append(day.AppendFormat(begin, time.DateOnly), ':')
	for i := range candidates {
		from := all.Len()
		all.Write(strconv.AppendInt(begin, candidates[i].campaign.id, 10))
		candidates[i].key = all.String()[from:]
	}
}
