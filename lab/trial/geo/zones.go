package main

import (
	"fmt"
	"math"
)

type point struct{ Lat, Lon float64 }

// A zone is an answer: where it is, and when the vans come by.
type zone struct {
	Name    string   `json:"name"`
	Minutes int      `json:"minutes"`
	Outline []point  `json:"outline"`
	Slots   []string `json:"slots"`
}

type zones struct{ centres []point }

func newZones() *zones {
	z := &zones{}
	for i := range 200 {
		z.centres = append(z.centres, point{Lat: 47 + float64(i%20)*0.25, Lon: 6 + float64(i/20)*0.5})
	}
	return z
}

// find is the zone of the nearest centre, with its outline and slots as seen from there.
func (z *zones) find(lat, lon float64) *zone {
	best, distance := 0, math.Inf(1)
	for i, c := range z.centres {
		if d := math.Hypot(c.Lat-lat, c.Lon-lon); d < distance {
			best, distance = i, d
		}
	}
	found := &zone{Name: fmt.Sprintf("zone-%d", best), Minutes: int(20 + distance*100)}
	for i := range 180 {
		angle := float64(i) * math.Pi / 90
		centre := z.centres[best]
		found.Outline = append(found.Outline, point{centre.Lat + math.Sin(angle), centre.Lon + math.Cos(angle)})
	}
	for hour := 8; hour < 20; hour++ {
		found.Slots = append(found.Slots, fmt.Sprintf("%02d:%02d", hour, found.Minutes%60))
	}
	return found
}
