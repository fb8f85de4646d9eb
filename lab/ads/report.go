package ads

import "time"

// A reportLine says what became of one candidate of one request. The tags are the names in the report, one JSON object
// a line.
type reportLine struct {
	Time       int64  `report:"time"` // ms since 1970
	User       int64  `report:"user"`
	Topic      int    `report:"topic"`
	Country    string `report:"country"`
	Rank       int    `report:"rank"` // among the candidates, from 1
	Ad         int64  `report:"ad"`
	Campaign   int64  `report:"campaign"`
	Advertiser int64  `report:"advertiser"`
	Creative   string `report:"creative"`
	Bid        int64  `report:"bid"`
	Score      int64  `report:"score"`
	Cap        int64  `report:"cap"`
	Seen       int64  `report:"seen"` // -1: not known
	Slot       int    `report:"slot"` // 0: not shown
	Shown      bool   `report:"shown"`
}

// appendLine appends a line with its newline.
type appendLine func(to []byte, l *reportLine) []byte

// newReport makes lines in the way that the flag -report-by names.
func newReport(form string) appendLine {
	if form == reportReflect {
		return appendReflected
	}
	return appendDirect
}

// lines appends what became of the candidates of a request; of those that are not shown, too, if lost.
func (f appendLine) lines(to []byte, now time.Time, q *query, candidates []candidate, lost bool) []byte {
	l := reportLine{Time: now.UnixMilli(), User: q.user, Topic: q.topic, Country: q.country}
	for i, c := range candidates {
		if c.slot == 0 && !lost {
			continue
		}
		l.Rank, l.Ad, l.Campaign, l.Advertiser, l.Creative = i+1, c.ad.ID, c.campaign.id, c.campaign.advertiser,
			c.ad.Creative
		l.Bid, l.Score, l.Cap, l.Seen, l.Slot, l.Shown = c.ad.Bid, c.score, c.ad.Cap, c.seen, c.slot, c.slot > 0
		to = f(to, &l)
	}
	return to
}
