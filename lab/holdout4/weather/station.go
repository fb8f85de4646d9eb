package main

import (
	"math"
	"time"
)

type Reading struct {
	Temperature float32
	Humidity    float32
	Wind        float32
	Pressure    float32
}

type Position struct{ Lat, Lon float64 }

// Station has its readings of the last two days, hour by hour.
type Station struct {
	Code     string
	Name     string
	Country  string
	Position Position
	Height   int
	Active   bool
	Since    time.Time
	Hours    [48]Reading
}

// Covers says whether the station may speak for a point at all.
func (s Station) Covers(p Position) bool {
	return s.Active && math.Abs(s.Position.Lat-p.Lat) < 20
}

// Distance is in kilometres.
func (s Station) Distance(p Position) float64 {
	const earth = 6371
	a, b := s.Position.Lat*math.Pi/180, p.Lat*math.Pi/180
	x := (p.Lon - s.Position.Lon) * math.Pi / 180 * math.Cos((a+b)/2)
	return earth * math.Sqrt(x*x+(b-a)*(b-a))
}

func (s Station) Latest() Reading { return s.Hours[len(s.Hours)-1] }

// Network is all stations.
type Network struct{ stations []Station }

// Nearest is the station closest to a point.
func (n *Network) Nearest(p Position) (Station, float64) {
	var best Station
	near := math.Inf(1)
	for _, s := range n.stations {
		if !s.Covers(p) {
			continue
		}
		if d := s.Distance(p); d < near {
			best, near = s, d
		}
	}
	return best, near
}

// Country is the number of stations of a country and their mean temperature.
func (n *Network) Country(code string) (count int, mean float64) {
	for i := range n.stations {
		if s := &n.stations[i]; s.Country == code {
			count++
			mean += float64(s.Hours[len(s.Hours)-1].Temperature)
		}
	}
	if count > 0 {
		mean /= float64(count)
	}
	return count, mean
}
