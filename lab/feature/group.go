package feature

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A Feature is one number of a user, of so many events.
type Feature struct {
	Count int64   `json:"count"`
	Name  string  `json:"name"`
	Value float64 `json:"value"`
}

// A Group is the features of a user that are computed together, from one kind of events. Fields stand in the order of
// their names, here and in Feature, so that every way to write them as JSON gives the same bytes.
type Group struct {
	Features []*Feature `json:"features"`
	Group    string     `json:"group"`
	User     uint64     `json:"user"`
}

// A groupID is a group's place in groupNames.
type groupID uint8

// groupNames are the kinds of events, in the order of their names.
var groupNames = [...]string{"clicks", "orders", "searches", "views"}

// Each group has a feature for each measure in each window: 64.
var (
	measures = [...]string{"amount", "baskets", "categories", "discount", "items", "sellers", "sessions", "visits"}
	windows  = [...]string{"1h", "6h", "1d", "3d", "7d", "14d", "30d", "90d"}
)

const perGroup = len(measures) * len(windows)

// windowHours are the windows' lengths.
var windowHours = [len(windows)]uint64{1, 6, 24, 72, 168, 336, 720, 2160}

// featureName names the feature of a measure in a window: "amount_7d".
func featureName(measure, window int) string { return measures[measure] + "_" + windows[window] }

// A key is a group of a user, with the period that its features are of where keys have one. It has no pointers, so that
// caches can keep it as it is.
type key struct {
	id     uint64 // user and group
	period uint64 // its start, ns since 1970; 0: keys have none
}

// maxUser leaves room for the group in a key.
const maxUser = 1<<53 - 1 // what a number of JSON holds in every language: 2⁵³−1

func newKey(user uint64, g groupID, period uint64) key { return key{user<<8 | uint64(g), period} }

func (k key) user() uint64   { return k.id >> 8 }
func (k key) group() groupID { return groupID(k.id) }

func (g groupID) String() string { return groupNames[g] }

// parseGroups reads names that commas part, each at most once. None is all.
func parseGroups(s string) ([]groupID, error) {
	if s == "" {
		return allGroups(), nil
	}
	var out []groupID
	for name := range strings.SplitSeq(s, ",") {
		i := slices.Index(groupNames[:], name)
		if i < 0 {
			return nil, fmt.Errorf("want names out of %s, not %.32q", strings.Join(groupNames[:], ", "), name)
		}
		if slices.Contains(out, groupID(i)) {
			return nil, errors.New("want each name once")
		}
		out = append(out, groupID(i))
	}
	slices.Sort(out)
	return out, nil
}

func allGroups() []groupID {
	out := make([]groupID, len(groupNames))
	for i := range out {
		out[i] = groupID(i)
	}
	return out
}
