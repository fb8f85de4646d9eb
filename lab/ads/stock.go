package ads

import (
	"fmt"
	"strconv"
)

// A stock is what a version of the catalogue offers, by topic. It is never changed.
type stock map[int]*shelf

// A shelf is the ads of a topic whose campaigns are not paused, by ascending ids.
type shelf struct {
	ids    []int64
	offers []offer
}

// An offer is what the content service knows of an ad.
type offer struct {
	id, campaign, bid int64
	advertiser        int64
	owner             string // its advertiser, as other systems have it
	creative          string
}

func newStock(p *published) (stock, error) {
	campaigns := make(map[string]*publishedCampaign, len(p.Campaigns))
	for i := range p.Campaigns {
		campaigns[p.Campaigns[i].ID] = &p.Campaigns[i]
	}
	s := make(stock, len(p.Topics))
	for _, t := range p.Topics {
		on := &shelf{}
		for i := range t.Ads {
			c := campaigns[t.Ads[i].Campaign]
			if c == nil || c.Paused {
				continue
			}
			o, err := newOffer(&t.Ads[i], c)
			if err != nil {
				return nil, fmt.Errorf("ad %d: %w", t.Ads[i].ID, err)
			}
			on.ids, on.offers = append(on.ids, o.id), append(on.offers, o)
		}
		s[t.ID] = on
	}
	return s, nil
}

func newOffer(a *publishedAd, of *publishedCampaign) (offer, error) {
	campaign, err := campaignID(of.ID)
	return offer{id: a.ID, campaign: campaign, bid: a.Bid, advertiser: of.Advertiser,
		owner: "advertiser-" + strconv.FormatInt(of.Advertiser, 10), creative: a.Creative}, err
}

// shelf is that of a topic, an empty one when there is none.
func (s stock) shelf(topic int) *shelf {
	if on := s[topic]; on != nil {
		return on
	}
	return &shelf{}
}

// groups is how many audiences there are. A user belongs to one.
const groups = 200

// audiences are the ads that each group of users may see: reach of all ads, more or less, by ascending ids.
func (w World) audiences(reach int) [][]int64 {
	out := make([][]int64, groups)
	for g := range out {
		r := random(audienceKind, uint64(g))
		for topic := 1; topic <= w.Topics; topic++ {
			for i := range w.Ads {
				if r.IntN(w.Topics*w.Ads) < reach {
					out[g] = append(out[g], adID(topic, i))
				}
			}
		}
	}
	return out
}
