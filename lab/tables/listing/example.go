package listing

// Example is the listing that is encoded. Nothing in it needs to be escaped in JSON.
func Example() Listing {
	return Listing{
		ID:    4_815_162_342,
		Title: "City bicycle, 28 inches, hub gears, almost new",
		Description: "Bought in spring and ridden on four Sundays. Aluminium frame of 54 cm, eight gears in the hub, " +
			"lights that run from a dynamo, a basket in front and a rack behind. The tyres have most of their tread " +
			"left. There is a scratch on the rear mudguard, see the third photo. With it come the manual, a pump and " +
			"two keys for the lock. To be fetched in the evenings or at the weekend; a test ride is welcome.",
		Price:    1_849_900,
		Currency: "RUB",
		Seller:   Seller{ID: 1_000_117, Name: "Aleksandra K.", Phone: "79161234567", Rating: 4.87, Verified: true},
		Tags:     []string{"bicycle", "city", "hub gears", "28 inches", "used"},
		Photos: []Photo{
			{"https://img.example.org/4815162342/front.jpg", 1280, 960},
			{"https://img.example.org/4815162342/side.jpg", 1280, 960},
			{"https://img.example.org/4815162342/mudguard.jpg", 960, 1280},
			{"https://img.example.org/4815162342/hub.jpg", 1280, 960},
		},
		Attributes: []Attribute{
			{"frame", "aluminium"}, {"size", "54 cm"}, {"wheels", "28 inches"}, {"gears", "8"}, {"brakes", "rim"},
			{"condition", "used"},
		},
		Created:   1_795_000_000_123,
		Latitude:  55.751244,
		Longitude: 37.618423,
		Active:    true,
	}
}
