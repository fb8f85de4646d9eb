package main

import "github.com/gofrs/uuid"

func work() func() {
	var ids []string
	for i := 0; i < 500; i++ {
		id, err := uuid.NewV4()
		check(err)
		ids = append(ids, id.String())
	}
	return func() {
		for _, s := range ids {
			id, err := uuid.FromString(s)
			check(err)
			sink = id
		}
	}
}
