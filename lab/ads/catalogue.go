package ads

import (
	"fmt"
	"strconv"
	"time"
)

// A catalogue is all ads, in the form in which requests need them. It is never changed.
type catalogue struct {
	version               int64
	etag                  string
	confirmed             time.Time // when the content service last said that it is current
	topics                map[int][]ad
	campaigns             campaigns
	words                 map[string]int32 // the keywords of all ads, numbered
	countries, categories flags
}

// campaigns finds the campaign of an ad; nil: there is none.
type campaigns interface {
	of(a *ad) *campaign
}

// newCatalogue checks what was published and prepares it. A catalogue with a fault in it is not taken at all.
func newCatalogue(p *published, index string) (*catalogue, error) {
	c := &catalogue{version: p.Version, topics: make(map[int][]ad, len(p.Topics)), words: map[string]int32{},
		countries: flags{}, categories: flags{}}
	var err error
	if c.campaigns, err = newIndex(index, p.Campaigns); err != nil {
		return nil, err
	}
	same := intern{}
	for _, t := range p.Topics {
		if len(t.Ads) > maxAds {
			return nil, fmt.Errorf("topic %d has %d ads, more than %d", t.ID, len(t.Ads), maxAds)
		}
		ads := make([]ad, len(t.Ads))
		for i, published := range t.Ads {
			same.texts(published.Keywords)
			if ads[i], err = c.prepare(published); err != nil {
				return nil, fmt.Errorf("ad %d: %w", published.ID, err)
			}
		}
		c.topics[t.ID] = ads
	}
	return c, nil
}

// prepare turns what requests compare into numbers.
func (c *catalogue) prepare(p publishedAd) (a ad, err error) {
	a = ad{publishedAd: p, words: c.number(p.Keywords)}
	if a.campaign, err = campaignID(p.Campaign); err != nil {
		return a, err
	}
	if a.audience.countries, err = c.countries.of("countries", p.Countries); err != nil {
		return a, err
	}
	a.audience.categories, err = c.categories.of("categories", p.Categories)
	return a, err
}

// number gives the numbers of keywords, new ones to those that are new.
func (c *catalogue) number(keywords []string) []int32 {
	out := make([]int32, len(keywords))
	for i, k := range keywords {
		n, known := c.words[k]
		if !known {
			n = int32(len(c.words))
			c.words[k] = n
		}
		out[i] = n
	}
	return out
}

// intern keeps each text once: the keywords of 15,000 ads are 180,000 strings of 3,000 words.
type intern map[string]string

func (in intern) texts(all []string) {
	for i, text := range all {
		first, known := in[text]
		if !known {
			in[text], first = text, text
		}
		all[i] = first
	}
}

func campaignID(s string) (int64, error) {
	id, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("its campaign %.40q is not a number", s)
	}
	return id, nil
}

// newIndex makes the index of campaigns that the flag -index names.
func newIndex(form string, published []publishedCampaign) (campaigns, error) {
	all := make([]campaign, len(published))
	for i, p := range published {
		id, err := campaignID(p.ID)
		if err != nil {
			return nil, err
		}
		all[i] = campaign{id, p.Advertiser, p.Paused}
	}
	if form == indexText {
		return newTextIndex(published, all), nil
	}
	return newNumberIndex(all), nil
}
