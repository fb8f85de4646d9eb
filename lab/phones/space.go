package phones

import "github.com/gocasebook/casebook/lab/draw"

// maxID is the largest user or item id of the made-up world: a phone has nine digits that tell items apart.
const maxID = 999_999_999

// Multipliers that permute the ids below 10^9, because they share no factor with it (odd, not ending in 5).
const (
	realStep      = 618_033_989
	trackingStep  = 414_213_563
	anonymousStep = 732_050_807
)

// A Space is a made-up world of users and items. Ids start at 1. Everything about an item or a user follows from its
// id, so that the load generator, the warm-up and the upstreams agree.
//
// Users 1 to Tracking are businesses with call tracking; they own the items with odd ids, the other users those with
// even ids. So half of the listings are shown with a call-tracking number and half with a real one.
type Space struct {
	Users    uint64 // all users, at least 2
	Items    uint64 // all items, at least 1
	Tracking uint64 // users with call tracking, at least 1 and fewer than Users
}

// NewSpace makes a space, moving numbers that make none to the nearest that do.
func NewSpace(users, items, tracking int) Space {
	u := clamp(users, 2, maxID)
	return Space{
		Users:    uint64(u),
		Items:    uint64(clamp(items, 1, maxID)),
		Tracking: uint64(clamp(tracking, 1, u-1)),
	}
}

func clamp(n, low, high int) int { return min(max(n, low), high) }

// owner is the user who sells an item.
func (s Space) owner(item uint64) uint64 {
	h := draw.Mix(item)
	if byBusiness(item) {
		return 1 + h%s.Tracking
	}
	return 1 + s.Tracking + h%(s.Users-s.Tracking)
}

// byBusiness reports whether an item is sold by a user with call tracking.
func byBusiness(item uint64) bool { return item%2 == 1 }

// categoryOf is the category of an item.
func categoryOf(item uint64) Category {
	percent := draw.Mix(item^0xca7e) % 100
	for _, c := range categories {
		if percent < c.share {
			return c.name
		}
		percent -= c.share
	}
	return categories[len(categories)-1].name
}

// realPhone is the seller's own number in a listing: another one for each item, as agencies have.
func realPhone(item uint64) Phone {
	return 79_000_000_000 + Phone(item%(maxID+1)*realStep%(maxID+1))
}

// trackingPhone is the call-tracking number that stands for a real one.
func trackingPhone(real Phone) Phone {
	return 78_000_000_000 + Phone(uint64(real)%(maxID+1)*trackingStep%(maxID+1))
}

// anonymousPhone is the number that hides a user.
func anonymousPhone(user uint64) Phone {
	return 77_000_000_000 + Phone(user%(maxID+1)*anonymousStep%(maxID+1))
}

// hasAnonymous reports whether a user has an anonymous number connected: one in four.
func hasAnonymous(user uint64) bool { return draw.Mix(user^0xa707)%4 == 0 }
