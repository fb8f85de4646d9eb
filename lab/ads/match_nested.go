package ads

// A keywordList is the keywords of a request as they came.
type keywordList []string

func (l keywordList) of(a *ad) int64 {
	var n int64
	for _, word := range a.Keywords {
		for _, wanted := range l {
			if word == wanted {
				n++
				break
			}
		}
	}
	return n
}
