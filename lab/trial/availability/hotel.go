package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// A hotelClient speaks to the hotels' systems.
type hotelClient struct {
	url    string
	client *http.Client
}

func newHotelClient(url string) *hotelClient {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 64
	return &hotelClient{url: url, client: &http.Client{Transport: transport, Timeout: 10 * time.Second}}
}

func (c *hotelClient) freeRooms(hotel string) (int, error) {
	resp, err := c.client.Get(c.url + "/hotels/" + hotel)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("hotel %s answers %s", hotel, resp.Status)
	}
	var answer struct {
		Value int `json:"value"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		return 0, err
	}
	return answer.Value % 40, nil
}
