package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
)

// A carrier is the service of the company that ships.
type carrier struct{ url string }

// shipping asks what a parcel to a country costs, in cents.
func (c *carrier) shipping(country string, grams int) (int, error) {
	query := url.Values{"country": {country}, "grams": {strconv.Itoa(grams)}}
	resp, err := http.Get(c.url + "/tariff?" + query.Encode()) // trial:fault
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("the carrier answers %s", resp.Status)
	}
	var tariff struct {
		Value int `json:"value"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&tariff); err != nil {
		return 0, fmt.Errorf("decoding the tariff: %w", err)
	}
	return tariff.Value, nil
}
