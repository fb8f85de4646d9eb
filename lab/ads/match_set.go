package ads

// A keywordSet is the keywords of a request as a set of the dictionary's numbers, a bit each: 5,000 words take 632
// bytes.
type keywordSet []uint64

func newKeywordSet(c *catalogue, keywords []string) keywordSet {
	s := make(keywordSet, (len(c.words)+63)/64)
	for _, k := range keywords {
		if n, known := c.words[k]; known { // a word that no ad has matches none
			s[n/64] |= 1 << (n % 64)
		}
	}
	return s
}

func (s keywordSet) of(a *ad) int64 {
	var n int64
	for _, word := range a.words {
		n += int64(s[word/64] >> (word % 64) & 1)
	}
	return n
}
