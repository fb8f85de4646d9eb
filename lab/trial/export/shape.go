package main

import (
	"encoding/json"
	"fmt"
)

type item struct {
	SKU      string            `json:"sku"`
	Name     string            `json:"name"`
	Cost     int               `json:"cost"`
	Cents    int               `json:"cents"`
	Stock    int               `json:"stock"`
	Tags     []string          `json:"tags"`
	Features map[string]string `json:"features"`
}

// A profile is how a customer wants the data.
type profile struct {
	Rename map[string]string
	Hide   []string
	Add    map[string]any
}

func sampleItems(n int) []item {
	items := make([]item, n)
	for i := range items {
		items[i] = item{SKU: fmt.Sprintf("sku-%d", i), Name: fmt.Sprintf("item number %d", i), Cost: i, Cents: i * 2,
			Stock: i % 7, Tags: []string{"new", "web"}, Features: map[string]string{"colour": "red", "size": "xl"}}
	}
	return items
}

// shape gives each item the form of the profile.
func shape(items []item, p profile) ([]map[string]any, error) {
	shaped := make([]map[string]any, 0, len(items))
	for _, it := range items {
		fields, err := toMap(it)
		if err != nil {
			return nil, err
		}
		for from, to := range p.Rename {
			fields[to] = fields[from]
			delete(fields, from)
		}
		for _, hidden := range p.Hide {
			delete(fields, hidden)
		}
		for name, value := range p.Add {
			fields[name] = value
		}
		shaped = append(shaped, fields)
	}
	return shaped, nil
}

// toMap is an item's fields by their JSON names.
func toMap(it item) (map[string]any, error) {
	data, err := json.Marshal(it) // trial:fault
	if err != nil {
		return nil, err
	}
	var fields map[string]any
	if err := json.Unmarshal(data, &fields); err != nil { // trial:fault
		return nil, err
	}
	return fields, nil
}
