package listing

import "math"

// Sum is a number that depends on every field, and reads the ends of every string. Whoever decodes a listing in another
// form adds up the same with Number, Fraction, Flag and Text.
func (l *Listing) Sum() uint64 {
	sum := Number(l.ID) + Text(l.Title) + Text(l.Description) + Number(l.Price) + Text(l.Currency) + l.Seller.sum()
	for _, tag := range l.Tags {
		sum += Text(tag)
	}
	for i := range l.Photos {
		p := &l.Photos[i]
		sum += Text(p.URL) + Number(int64(p.Width)) + Number(int64(p.Height))
	}
	for i := range l.Attributes {
		a := &l.Attributes[i]
		sum += Text(a.Name) + Text(a.Value)
	}
	return sum + Number(l.Created) + Fraction(l.Latitude) + Fraction(l.Longitude) + Flag(l.Active)
}

func (s *Seller) sum() uint64 {
	return Number(s.ID) + Text(s.Name) + Text(s.Phone) + Fraction(s.Rating) + Flag(s.Verified)
}

// Sum is that of the three fields.
func (b *Brief) Sum() uint64 { return Number(b.ID) + Number(b.Price) + Text(b.Seller.Phone) }

// Number is what a whole number adds to a sum.
func Number(n int64) uint64 { return 3 * uint64(n) }

// Fraction is what a floating-point number adds to a sum.
func Fraction(f float64) uint64 { return math.Float64bits(f) }

// Flag is what a boolean adds to a sum.
func Flag(b bool) uint64 {
	if b {
		return 7
	}
	return 0
}

// Text is what a string adds to a sum: its length and its ends.
func Text[T string | []byte](s T) uint64 {
	if len(s) == 0 {
		return 0
	}
	return uint64(len(s)) + uint64(s[0])<<8 + uint64(s[len(s)-1])<<16
}
