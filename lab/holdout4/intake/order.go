package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

type Address struct {
	Name    string `json:"name"`
	Street  string `json:"street"`
	Zip     string `json:"zip"`
	Country string `json:"country"`
}

type Item struct {
	SKU   string            `json:"sku"`
	Count int               `json:"count"`
	Cents int               `json:"cents"`
	Attrs map[string]string `json:"attrs"`
}

type Order struct {
	Number  string  `json:"number"`
	Ship    Address `json:"ship_to"`
	Bill    Address `json:"bill_to"`
	Items   []Item  `json:"items"`
	Comment string  `json:"comment"`
}

// Event is what partners send: a type and, below data, something that depends on it.
type Event struct {
	Type    string
	Partner string
	Data    any
}

// An adapter changes what a partner sends into what we understand.
type adapter func(m map[string]any) map[string]any

var adapters = map[string]adapter{
	"oldmart": func(m map[string]any) map[string]any {
		if n, ok := m["order_no"]; ok {
			m["number"] = n
			delete(m, "order_no")
		}
		return m
	},
	"fastshop": func(m map[string]any) map[string]any { return m },
}

// bind turns anything into a value of a type.
func bind(from, into any) error {
	b, err := json.Marshal(from)
	if err != nil {
		return fmt.Errorf("binding: %w", err)
	}
	return json.Unmarshal(b, into)
}

// parse reads the body of a webhook.
func parse(body []byte) (*Event, error) {
	var m map[string]any
	if err := json.Unmarshal(body, &m); err != nil {
		return nil, err
	}
	e := &Event{}
	e.Type, _ = m["type"].(string)
	e.Partner, _ = m["partner"].(string)
	if a, ok := adapters[e.Partner]; ok {
		if data, ok := m["data"].(map[string]any); ok {
			e.Data = a(data)
		}
	}
	if e.Data == nil {
		return nil, errors.New("no data, or a partner that is unknown")
	}
	return e, nil
}

// order is the order in an event.
func (e *Event) order() (*Order, error) {
	if !strings.HasPrefix(e.Type, "order.") {
		return nil, fmt.Errorf("%s is no order", e.Type)
	}
	o := new(Order)
	if err := bind(e.Data, o); err != nil {
		return nil, err
	}
	return o, nil
}

// validate says what is wrong with an order.
func (o *Order) validate() error {
	if o.Number == "" || len(o.Items) == 0 {
		return errors.New("an order has a number and items")
	}
	for i, it := range o.Items {
		if it.Count <= 0 || it.Cents < 0 {
			return fmt.Errorf("item %d: count %d, cents %d", i, it.Count, it.Cents)
		}
	}
	return nil
}
