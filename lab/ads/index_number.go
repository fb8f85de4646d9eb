package ads

// A numberIndex finds campaigns by their ids as numbers: hashing and comparing eight bytes takes no pointer to them.
type numberIndex map[int64]*campaign

func newNumberIndex(all []campaign) numberIndex {
	x := make(numberIndex, len(all))
	for i := range all {
		x[all[i].id] = &all[i]
	}
	return x
}

func (x numberIndex) of(a *ad) *campaign { return x[a.campaign] }
