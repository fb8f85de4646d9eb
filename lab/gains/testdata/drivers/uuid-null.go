package main

import (
	"encoding/json"

	"github.com/gofrs/uuid"
)

type order struct {
	ID     uuid.UUID     `json:"id"`
	Parent uuid.NullUUID `json:"parent"`
	Agent  uuid.NullUUID `json:"agent"`
	Total  int           `json:"total"`
}

func work() func() {
	id, err := uuid.NewV4()
	check(err)
	body, err := json.Marshal(order{ID: id, Parent: uuid.NullUUID{UUID: id, Valid: true}, Total: 17})
	check(err)
	return func() {
		var o order
		check(json.Unmarshal(body, &o))
		text, err := json.Marshal(o)
		check(err)
		sink = text
	}
}
