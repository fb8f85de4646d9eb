package tables

import (
	"testing"

	"github.com/gocasebook/casebook/lab/tables/listing"
)

// TestCodecs: what is written and read back adds up as the listing itself does, also where parts of it are absent.
func TestCodecs(t *testing.T) {
	example := listing.Example()
	bare := listing.Listing{ID: 1}
	for name, l := range map[string]listing.Listing{"example": example, "bare": bare} {
		brief := listing.Brief{ID: l.ID, Price: l.Price, Seller: listing.Contact{Phone: l.Seller.Phone}}
		cs, err := codecs(l)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cs {
			t.Run(c.name+"/"+name, func(t *testing.T) {
				b, err := c.encode()
				if err != nil {
					t.Fatal(err)
				}
				if got, err := c.readAll(b); err != nil || got != l.Sum() {
					t.Errorf("all of it: %d, %v, want %d", got, err, l.Sum())
				}
				if got, err := c.readBrief(b); err != nil || got != brief.Sum() {
					t.Errorf("three fields: %d, %v, want %d", got, err, brief.Sum())
				}
			})
		}
	}
}

// TestCodecsRefuse: bytes that are not a listing are an error.
func TestCodecsRefuse(t *testing.T) {
	cs, err := codecs(listing.Example())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cs {
		t.Run(c.name, func(t *testing.T) {
			for name, b := range map[string][]byte{"nothing": {}, "noise": []byte(
				"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff")} {
				// An empty input is a message with all fields zero.
				if _, err := c.readAll(b); err == nil && !(c.name == "Protobuf" && len(b) == 0) {
					t.Errorf("reading %s was no error", name)
				}
			}
		})
	}
}

// TestSumSeesEveryField: a change of any field changes the sum. Otherwise the contestants could skip it.
func TestSumSeesEveryField(t *testing.T) {
	whole := listing.Example()
	for name, change := range map[string]func(*listing.Listing){
		"id":          func(l *listing.Listing) { l.ID++ },
		"title":       func(l *listing.Listing) { l.Title += "!" },
		"description": func(l *listing.Listing) { l.Description = l.Description[1:] },
		"price":       func(l *listing.Listing) { l.Price++ },
		"currency":    func(l *listing.Listing) { l.Currency = "EUR" },
		"seller":      func(l *listing.Listing) { l.Seller.ID++ },
		"name":        func(l *listing.Listing) { l.Seller.Name = "" },
		"phone":       func(l *listing.Listing) { l.Seller.Phone = "" },
		"rating":      func(l *listing.Listing) { l.Seller.Rating++ },
		"verified":    func(l *listing.Listing) { l.Seller.Verified = false },
		"tags":        func(l *listing.Listing) { l.Tags = l.Tags[1:] },
		"photos":      func(l *listing.Listing) { l.Photos = l.Photos[1:] },
		"attributes":  func(l *listing.Listing) { l.Attributes = l.Attributes[1:] },
		"created":     func(l *listing.Listing) { l.Created++ },
		"latitude":    func(l *listing.Listing) { l.Latitude++ },
		"longitude":   func(l *listing.Listing) { l.Longitude++ },
		"active":      func(l *listing.Listing) { l.Active = false },
	} {
		t.Run(name, func(t *testing.T) {
			l := listing.Example()
			change(&l)
			if l.Sum() == whole.Sum() {
				t.Error("the sum stayed as it was")
			}
		})
	}
}
