package main

import "github.com/cockroachdb/apd/v3"

func work() func() {
	var ds []*apd.Decimal
	for _, s := range []string{"12.34", "-0.0051", "12345678901234567890.12", "1E+30", "7"} {
		d, _, err := apd.NewFromString(s)
		check(err)
		ds = append(ds, d)
	}
	return func() {
		for _, d := range ds {
			sink = d.String()
		}
	}
}
