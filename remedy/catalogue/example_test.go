package catalogue_test

import (
	"fmt"

	"github.com/gocasebook/casebook/remedy/catalogue"
)

func ExampleFor() {
	for _, r := range catalogue.For("regexp-compile") {
		fmt.Println("-", r.Do)
		if p, ok := catalogue.Lookup(r.Use); ok && p.Version != "" {
			fmt.Printf("  %s %s, %s, brings %d modules\n", p.Path, p.Version, p.Licence, p.Brings)
		}
		fmt.Println("  price:", r.Price)
	}
	// Output:
	// - Compile at start-up, into a package variable
	//   price: none
	// - Do without: HasPrefix, Contains, Cut
	//   price: more code
	// - If patterns vary, a bounded cache of compiled ones
	//   github.com/maypok86/otter/v2 v2.4.0, Apache-2.0, brings 2 modules
	//   price: memory for the patterns
}
