package ads

// A keywordList is the keywords of a request as the dictionary's numbers, in the order in which they came. Each ad is
// compared with all of it: O(n·m) over integers, as in the article. Kept as a disease; keywordSet is its cure.
type keywordList []int32

func newKeywordList(c *catalogue, keywords []string) keywordList {
	l := make(keywordList, 0, len(keywords))
	for _, k := range keywords {
		if n, known := c.words[k]; known { // a word that no ad has matches none
			l = append(l, n)
		}
	}
	return l
}

func (l keywordList) of(a *ad) int64 {
	var n int64
	for _, word := range a.words {
		for _, wanted := range l {
			if word == wanted {
				n++
				break
			}
		}
	}
	return n
}
