package ads

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// Bounds of a request.
const (
	maxSlots      = 50
	maxKeywords   = 200
	maxCategories = 20
)

// A query is a valid request for ads.
type query struct {
	user       int64
	topic      int
	slots      int
	country    string
	categories []string
	keywords   []string
}

// A fieldError says which part of the input is wrong, and what it should be.
type fieldError struct{ field, want string }

func (e *fieldError) Error() string { return e.field + ": want " + e.want }

// parseQuery reads user, topic, slots, country, categories and keywords. Its error is a *fieldError.
func parseQuery(v url.Values) (q query, err error) {
	if q.user, err = parseNumber(v, "user", 1<<62); err != nil {
		return q, err
	}
	topic, err := parseNumber(v, "topic", 1<<31)
	if err != nil {
		return q, err
	}
	slots, err := parseNumber(v, "slots", maxSlots)
	if err != nil {
		return q, err
	}
	q.topic, q.slots = int(topic), int(slots)
	if q.country = v.Get("country"); len(q.country) != 2 {
		return q, &fieldError{"country", "two letters, like DE"}
	}
	if q.categories, err = parseWords(v, "categories", maxCategories); err != nil {
		return q, err
	}
	q.keywords, err = parseWords(v, "keywords", maxKeywords)
	return q, err
}

func parseNumber(v url.Values, field string, most int64) (int64, error) {
	n, err := strconv.ParseInt(v.Get(field), 10, 64)
	if err != nil || n < 1 || n > most {
		return 0, &fieldError{field, fmt.Sprintf("a whole number from 1 to %d", most)}
	}
	return n, nil
}

// parseWords takes a list apart at its commas.
func parseWords(v url.Values, field string, most int) ([]string, error) {
	text := v.Get(field)
	if text == "" || strings.Count(text, ",") >= most {
		return nil, &fieldError{field, fmt.Sprintf("1 to %d words with commas between", most)}
	}
	return strings.Split(text, ","), nil
}
