package tables

import (
	"fmt"

	"github.com/linkedin/goavro/v2"

	"github.com/gocasebook/casebook/lab/tables/listing"
)

// goavroCodec writes from maps and reads into maps, which is what this package has. For three fields it reads all.
func goavroCodec(l *listing.Listing) (codec, error) {
	schema, err := goavro.NewCodec(listing.AvroSchema)
	if err != nil {
		return codec{}, fmt.Errorf("parsing the Avro schema: %w", err)
	}
	var buf []byte
	return codec{
		name: "Avro, maps",
		encode: func() (_ []byte, err error) {
			buf, err = schema.BinaryFromNative(buf[:0], natively(l))
			return buf, err
		},
		readAll: func(b []byte) (uint64, error) {
			native, _, err := schema.NativeFromBinary(b)
			return nativeSum(native), err
		},
		readBrief: func(b []byte) (uint64, error) {
			native, _, err := schema.NativeFromBinary(b)
			if err != nil {
				return 0, err
			}
			record := native.(map[string]any) // as the schema says, and the fields below
			seller := record["seller"].(map[string]any)
			return nativeSum(record["id"]) + nativeSum(record["price"]) + nativeSum(seller["phone"]), nil
		},
	}, nil
}

// natively is a listing as the package wants it.
func natively(l *listing.Listing) map[string]any {
	tags, photos, attributes := []any{}, []any{}, []any{}
	for _, tag := range l.Tags {
		tags = append(tags, tag)
	}
	for _, p := range l.Photos {
		photos = append(photos, map[string]any{"url": p.URL, "width": p.Width, "height": p.Height})
	}
	for _, a := range l.Attributes {
		attributes = append(attributes, map[string]any{"name": a.Name, "value": a.Value})
	}
	return map[string]any{
		"id": l.ID, "title": l.Title, "description": l.Description, "price": l.Price, "currency": l.Currency,
		"seller": map[string]any{"id": l.Seller.ID, "name": l.Seller.Name, "phone": l.Seller.Phone,
			"rating": l.Seller.Rating, "verified": l.Seller.Verified},
		"tags": tags, "photos": photos, "attributes": attributes, "created": l.Created,
		"latitude": l.Latitude, "longitude": l.Longitude, "active": l.Active,
	}
}

// nativeSum is the sum of package listing of what was read, whatever it is.
func nativeSum(native any) (sum uint64) {
	switch v := native.(type) {
	case int64:
		return listing.Number(v)
	case int32:
		return listing.Number(int64(v))
	case float64:
		return listing.Fraction(v)
	case bool:
		return listing.Flag(v)
	case string:
		return listing.Text(v)
	case []any:
		for _, e := range v {
			sum += nativeSum(e)
		}
	case map[string]any:
		for _, e := range v {
			sum += nativeSum(e)
		}
	}
	return sum
}
