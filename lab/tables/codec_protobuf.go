package tables

import (
	"google.golang.org/protobuf/proto"

	"github.com/gocasebook/casebook/lab/tables/listing"
	"github.com/gocasebook/casebook/lab/tables/listing/pb"
)

func protobufCodec(l *listing.Listing) codec {
	m := messageOf(l)
	brief := proto.UnmarshalOptions{DiscardUnknown: true} // else the fields not declared are kept, as bytes
	return codec{
		name:   "Protobuf",
		encode: func() ([]byte, error) { return proto.Marshal(m) },
		readAll: func(b []byte) (uint64, error) {
			var m pb.Listing
			err := proto.Unmarshal(b, &m)
			return sumOfMessage(&m), err
		},
		readBrief: func(b []byte) (uint64, error) {
			var m pb.Brief
			err := brief.Unmarshal(b, &m)
			return listing.Number(m.GetId()) + listing.Number(m.GetPrice()) + listing.Text(m.GetSeller().GetPhone()),
				err
		},
	}
}

func messageOf(l *listing.Listing) *pb.Listing {
	m := &pb.Listing{
		Id: l.ID, Title: l.Title, Description: l.Description, Price: l.Price, Currency: l.Currency, Tags: l.Tags,
		Seller: &pb.Seller{Id: l.Seller.ID, Name: l.Seller.Name, Phone: l.Seller.Phone, Rating: l.Seller.Rating,
			Verified: l.Seller.Verified},
		Created: l.Created, Latitude: l.Latitude, Longitude: l.Longitude, Active: l.Active,
	}
	for _, p := range l.Photos {
		m.Photos = append(m.Photos, &pb.Photo{Url: p.URL, Width: p.Width, Height: p.Height})
	}
	for _, a := range l.Attributes {
		m.Attributes = append(m.Attributes, &pb.Attribute{Name: a.Name, Value: a.Value})
	}
	return m
}

// sumOfMessage is listing.Listing's Sum.
func sumOfMessage(m *pb.Listing) uint64 {
	s := m.GetSeller()
	sum := listing.Number(m.GetId()) + listing.Text(m.GetTitle()) + listing.Text(m.GetDescription()) +
		listing.Number(m.GetPrice()) +
		listing.Text(m.GetCurrency()) + listing.Number(s.GetId()) + listing.Text(s.GetName()) +
		listing.Text(s.GetPhone()) +
		listing.Fraction(s.GetRating()) + listing.Flag(s.GetVerified())
	for _, tag := range m.GetTags() {
		sum += listing.Text(tag)
	}
	for _, p := range m.GetPhotos() {
		sum += listing.Text(p.GetUrl()) + listing.Number(int64(p.GetWidth())) + listing.Number(int64(p.GetHeight()))
	}
	for _, a := range m.GetAttributes() {
		sum += listing.Text(a.GetName()) + listing.Text(a.GetValue())
	}
	return sum + listing.Number(m.GetCreated()) + listing.Fraction(m.GetLatitude()) +
		listing.Fraction(m.GetLongitude()) + listing.Flag(m.GetActive())
}
