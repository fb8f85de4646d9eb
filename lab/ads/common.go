package ads

// common finds the places in ids of those that are in allowed, too. Both lists ascend.
type common func(ids, allowed []int64) []int

// newCommon compares lists in the way that the flag -match names.
func newCommon(form string) common {
	if form == matchNested {
		return commonNested
	}
	return commonSearched
}
