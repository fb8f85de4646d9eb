package ads

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// keysOf gives the keys of the counters of what a user has seen of campaigns on a day, in the order of the candidates.
type keysOf func(user int64, day time.Time, candidates []candidate) []string

// newKeys makes keys in the way that the flag -keys names.
func newKeys(form string) keysOf {
	if form == keysSprintf {
		return formatKeys
	}
	return appendKeys
}

func formatKeys(user int64, day time.Time, candidates []candidate) []string {
	keys := make([]string, len(candidates))
	for i, c := range candidates {
		keys[i] = fmt.Sprintf("seen:%d:%04d-%02d-%02d:%d", user, day.Year(), day.Month(), day.Day(), c.campaign.id)
	}
	return keys
}

// keyBytes is how long a key is at the most: two numbers of up to 19 digits and a sign, and the day.
const keyBytes = len("seen:::") + 2*20 + len(time.DateOnly)

// appendKeys makes all keys pieces of one string.
func appendKeys(user int64, day time.Time, candidates []candidate) []string {
	var all strings.Builder
	all.Grow(len(candidates) * keyBytes)
	var piece [keyBytes]byte
	begin := append(strconv.AppendInt(append(piece[:0], "seen:"...), user, 10), ':')
	begin = append(day.AppendFormat(begin, time.DateOnly), ':')
	keys := make([]string, len(candidates))
	for i, c := range candidates {
		from := all.Len()
		all.Write(strconv.AppendInt(begin, c.campaign.id, 10))
		keys[i] = all.String()[from:]
	}
	return keys
}
