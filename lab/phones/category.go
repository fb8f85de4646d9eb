package phones

// A Category is what kind of thing an item is.
type Category string

// A categoryRule is what the gateway knows of a category.
type categoryRule struct {
	name      Category
	anonymous bool   // anonymous numbers may be shown
	share     uint64 // of the items, in percent; all shares add up to 100
}

// categories lists every category. The shares follow a classified-ads site on which cars and homes are the most called
// about; they decide how many requests need the anonymous check.
var categories = [...]categoryRule{
	{name: "transport", anonymous: true, share: 30},
	{name: "real-estate", anonymous: true, share: 15},
	{name: "electronics", share: 20},
	{name: "home", share: 15},
	{name: "services", share: 10},
	{name: "jobs", share: 5},
	{name: "animals", share: 5},
}

// lookupCategory finds a category by name.
func lookupCategory(name string) (categoryRule, bool) {
	for i := range categories {
		if string(categories[i].name) == name {
			return categories[i], true
		}
	}
	return categoryRule{}, false
}
