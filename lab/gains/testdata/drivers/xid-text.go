package main

import "github.com/rs/xid"

func work() func() {
	var ids []xid.ID
	for i := 0; i < 50; i++ {
		ids = append(ids, xid.New())
	}
	return func() {
		for _, id := range ids {
			back, err := xid.FromString(id.String())
			check(err)
			sink = back
		}
	}
}
