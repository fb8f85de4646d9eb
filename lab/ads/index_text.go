package ads

// A textIndex finds campaigns by their ids as they were published.
type textIndex map[string]*campaign

func newTextIndex(published []publishedCampaign, all []campaign) textIndex {
	x := make(textIndex, len(all))
	for i := range all {
		x[published[i].ID] = &all[i]
	}
	return x
}

func (x textIndex) of(a *ad) *campaign { return x[a.Campaign] }
