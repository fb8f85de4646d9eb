package tables

import (
	"fmt"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/gocasebook/casebook/lab/tables/listing"
	"github.com/gocasebook/casebook/lab/tables/listing/fb"
)

// flatCodec builds with one builder that is used again, as the package advises. Its reader trusts the bytes: what is
// not a listing panics, which becomes an error here.
func flatCodec(l *listing.Listing) codec {
	b := flatbuffers.NewBuilder(1024)
	return codec{
		name: "FlatBuffers",
		encode: func() ([]byte, error) {
			b.Reset()
			b.Finish(buildListing(b, l))
			return b.FinishedBytes(), nil
		},
		readAll:   careful(sumOfFlat),
		readBrief: careful(sumOfFlatBrief),
	}
}

// careful makes an error of a panic of the reader.
func careful(sum func([]byte) uint64) func([]byte) (uint64, error) {
	return func(b []byte) (_ uint64, err error) {
		defer func() {
			if r := recover(); r != nil {
				err = fmt.Errorf("no FlatBuffers listing: %v", r)
			}
		}()
		return sum(b), nil
	}
}

// buildListing writes from the leaves to the root: a table cannot be built while another is.
func buildListing(b *flatbuffers.Builder, l *listing.Listing) flatbuffers.UOffsetT {
	title, description, currency := b.CreateString(l.Title), b.CreateString(l.Description), b.CreateString(l.Currency)
	seller := buildSeller(b, &l.Seller)
	tags := buildVector(b, l.Tags, fb.ListingStartTagsVector,
		func(tag *string) flatbuffers.UOffsetT { return b.CreateString(*tag) })
	photos := buildVector(b, l.Photos, fb.ListingStartPhotosVector,
		func(p *listing.Photo) flatbuffers.UOffsetT { return buildPhoto(b, p) })
	attributes := buildVector(b, l.Attributes, fb.ListingStartAttributesVector,
		func(a *listing.Attribute) flatbuffers.UOffsetT { return buildAttribute(b, a) })
	fb.ListingStart(b)
	fb.ListingAddId(b, l.ID)
	fb.ListingAddTitle(b, title)
	fb.ListingAddDescription(b, description)
	fb.ListingAddPrice(b, l.Price)
	fb.ListingAddCurrency(b, currency)
	fb.ListingAddSeller(b, seller)
	fb.ListingAddTags(b, tags)
	fb.ListingAddPhotos(b, photos)
	fb.ListingAddAttributes(b, attributes)
	fb.ListingAddCreated(b, l.Created)
	fb.ListingAddLatitude(b, l.Latitude)
	fb.ListingAddLongitude(b, l.Longitude)
	fb.ListingAddActive(b, l.Active)
	return fb.ListingEnd(b)
}

func buildSeller(b *flatbuffers.Builder, s *listing.Seller) flatbuffers.UOffsetT {
	name, phone := b.CreateString(s.Name), b.CreateString(s.Phone)
	fb.SellerStart(b)
	fb.SellerAddId(b, s.ID)
	fb.SellerAddName(b, name)
	fb.SellerAddPhone(b, phone)
	fb.SellerAddRating(b, s.Rating)
	fb.SellerAddVerified(b, s.Verified)
	return fb.SellerEnd(b)
}

func buildPhoto(b *flatbuffers.Builder, p *listing.Photo) flatbuffers.UOffsetT {
	url := b.CreateString(p.URL)
	fb.PhotoStart(b)
	fb.PhotoAddUrl(b, url)
	fb.PhotoAddWidth(b, p.Width)
	fb.PhotoAddHeight(b, p.Height)
	return fb.PhotoEnd(b)
}

func buildAttribute(b *flatbuffers.Builder, a *listing.Attribute) flatbuffers.UOffsetT {
	name, value := b.CreateString(a.Name), b.CreateString(a.Value)
	fb.AttributeStart(b)
	fb.AttributeAddName(b, name)
	fb.AttributeAddValue(b, value)
	return fb.AttributeEnd(b)
}

// maxVector is the longest list that is built, so that the offsets of its elements stay on the stack.
const maxVector = 16

// buildVector builds the elements and then the vector of their offsets, which grows from its end.
func buildVector[T any](b *flatbuffers.Builder, vs []T, start func(*flatbuffers.Builder, int) flatbuffers.UOffsetT,
	build func(*T) flatbuffers.UOffsetT) flatbuffers.UOffsetT {
	var space [maxVector]flatbuffers.UOffsetT
	offsets := space[:0]
	for i := range vs {
		offsets = append(offsets, build(&vs[i]))
	}
	start(b, len(vs))
	for i := len(offsets) - 1; i >= 0; i-- {
		b.PrependUOffsetT(offsets[i])
	}
	return b.EndVector(len(vs))
}

// sumOfFlat is listing.Listing's Sum, read in place.
func sumOfFlat(b []byte) uint64 {
	l := fb.GetRootAsListing(b, 0)
	sum := listing.Number(l.Id()) + listing.Text(l.Title()) + listing.Text(l.Description()) +
		listing.Number(l.Price()) + listing.Text(l.Currency())
	if s := l.Seller(nil); s != nil {
		sum += listing.Number(s.Id()) + listing.Text(s.Name()) + listing.Text(s.Phone()) +
			listing.Fraction(s.Rating()) + listing.Flag(s.Verified())
	}
	for i := range l.TagsLength() {
		sum += listing.Text(l.Tags(i))
	}
	var p fb.Photo
	for i := range l.PhotosLength() {
		if l.Photos(&p, i) {
			sum += listing.Text(p.Url()) + listing.Number(int64(p.Width())) + listing.Number(int64(p.Height()))
		}
	}
	var a fb.Attribute
	for i := range l.AttributesLength() {
		if l.Attributes(&a, i) {
			sum += listing.Text(a.Name()) + listing.Text(a.Value())
		}
	}
	return sum + listing.Number(l.Created()) + listing.Fraction(l.Latitude()) + listing.Fraction(l.Longitude()) +
		listing.Flag(l.Active())
}

func sumOfFlatBrief(b []byte) uint64 {
	l := fb.GetRootAsListing(b, 0)
	sum := listing.Number(l.Id()) + listing.Number(l.Price())
	if s := l.Seller(nil); s != nil {
		sum += listing.Text(s.Phone())
	}
	return sum
}
