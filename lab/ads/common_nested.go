package ads

// commonNested compares each with each: O(n·m), as in the article. That both lists ascend does not help it. Kept as a
// disease; commonSearched is its cure.
func commonNested(ids, allowed []int64) []int {
	var found []int
	for i, id := range ids {
		for _, other := range allowed {
			if id == other {
				found = append(found, i)
				break
			}
		}
	}
	return found
}
