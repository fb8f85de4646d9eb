package ads

// relevance tells how well an ad's keywords match those of a request: how many of them it has; 0 is no match. It is
// used by several goroutines at once.
type relevance interface {
	of(a *ad) int64
}

// newRelevance prepares a request's keywords in the form that the flag -match names.
func newRelevance(form string, c *catalogue, q *query) relevance {
	if form == matchNested {
		return newKeywordList(c, q.keywords)
	}
	return newKeywordSet(c, q.keywords)
}

// search goes through ads and keeps the candidates. room is how many it makes room for.
func search(c *catalogue, q *query, keywords relevance, ads []ad, room int) []candidate {
	found := make([]candidate, 0, room)
	asking := c.audienceOf(q)
	for i := range ads {
		a := &ads[i]
		of := c.campaigns.of(a)
		if of == nil || of.paused || !a.audience.includes(asking) {
			continue
		}
		if n := keywords.of(a); n > 0 {
			found = append(found, candidate{ad: a, campaign: of, score: a.Bid * (8 + n), seen: -1})
		}
	}
	return found
}
