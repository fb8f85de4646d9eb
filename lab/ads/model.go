package ads

// maxAds is how many ads a topic may have: what the makers of the catalogue agreed on.
const maxAds = 10_000

// A published catalogue is what the content service answers at GET /catalogue.
type published struct {
	Version   int64               `json:"version"`
	Campaigns []publishedCampaign `json:"campaigns"`
	Topics    []publishedTopic    `json:"topics"`
}

type publishedCampaign struct {
	ID         string `json:"id"` // a number, as text: other systems have other ids
	Advertiser int64  `json:"advertiser"`
	Paused     bool   `json:"paused,omitempty"`
}

type publishedTopic struct {
	ID  int           `json:"id"`
	Ads []publishedAd `json:"ads"`
}

type publishedAd struct {
	ID         int64    `json:"id"`
	Campaign   string   `json:"campaign"`
	Bid        int64    `json:"bid"` // for a thousand impressions, in cents
	Countries  []string `json:"countries,omitempty"`
	Categories []string `json:"categories,omitempty"`
	Keywords   []string `json:"keywords"`
	Cap        int64    `json:"cap,omitempty"` // impressions for one user in a day; 0: no cap
	Creative   string   `json:"creative"`
}

// An ad is what delivery knows of one.
type ad struct {
	publishedAd
	campaign int64 // Campaign as a number
	audience audience
	words    []int32 // Keywords as numbers of the catalogue's dictionary
}

// A campaign is what delivery knows of one.
type campaign struct {
	id         int64
	advertiser int64
	paused     bool
}

// A candidate is an ad that may fill a slot of a request.
type candidate struct {
	ad       *ad
	campaign *campaign
	key      string // of the counter of what the user has seen of the campaign today
	score    int64
	seen     int64 // impressions of its campaign that the user has had today; unknown: -1
	slot     int   // that it fills, from 1; 0: none
}
