package phones

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// A query is a valid question: which number may a buyer see?
type query struct {
	User     uint64 // the seller
	Item     uint64
	Category categoryRule
	Phone    Phone // of the listing
}

// A fieldError says which part of the input is wrong, and what it should be.
type fieldError struct {
	Field string
	Want  string
}

func (e *fieldError) Error() string { return e.Field + ": " + e.Want }

// parseQuery reads user, item, category and phone. Its error is a *fieldError.
func parseQuery(values url.Values) (query, error) {
	var q query
	var err error
	if q.User, err = parseID("user", values.Get("user")); err != nil {
		return query{}, err
	}
	if q.Item, err = parseID("item", values.Get("item")); err != nil {
		return query{}, err
	}
	var ok bool
	if q.Category, ok = lookupCategory(values.Get("category")); !ok {
		return query{}, &fieldError{"category", "want one of " + categoryNames()}
	}
	if q.Phone, err = ParsePhone(values.Get("phone")); err != nil {
		return query{}, &fieldError{"phone", err.Error()}
	}
	return q, nil
}

// parseID reads the id of a user or an item: a whole number from 1 to 2⁶³−1 without leading zeros, so that one id has
// one spelling.
func parseID(field, s string) (uint64, error) {
	id, err := strconv.ParseUint(s, 10, 63)
	if err != nil || s[0] == '0' {
		return 0, &fieldError{field, fmt.Sprintf("want a whole number from 1 to %d", uint64(1)<<63-1)}
	}
	return id, nil
}

func categoryNames() string {
	names := make([]string, len(categories))
	for i, c := range categories {
		names[i] = string(c.name)
	}
	return strings.Join(names, ", ")
}
