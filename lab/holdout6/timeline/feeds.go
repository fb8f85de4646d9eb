package main

import (
	"fmt"
	"sort"
	"time"
)

// An Event is what a system saw, with the time as it was sent.
type Event struct {
	Source string `json:"source"`
	At     string `json:"at"`
	What   string `json:"what"`
	Place  string `json:"place,omitempty"`
}

// feeds are the systems' events by parcel.
type feeds struct {
	scans, customs, messages map[string][]Event
}

func newFeeds(parcels int) *feeds {
	f := &feeds{scans: map[string][]Event{}, customs: map[string][]Event{}, messages: map[string][]Event{}}
	start := time.Date(2026, 3, 2, 6, 0, 0, 0, time.FixedZone("", 3600))
	for i := range parcels {
		id := fmt.Sprintf("p%d", i)
		for j := range 240 {
			at := start.Add(time.Duration(i*97+j*j*53%4001) * time.Minute)
			f.scans[id] = append(f.scans[id], Event{"scanner", at.Format(time.RFC3339), "scanned",
				fmt.Sprintf("hub %d", j%9)})
			if j%2 == 0 {
				f.customs[id] = append(f.customs[id], Event{"customs", at.Add(7 * time.Second).UTC().Format(time.RFC3339),
					"declared", ""})
			}
			if j%3 == 0 {
				f.messages[id] = append(f.messages[id], Event{"mail", at.Add(time.Minute).Format(time.RFC1123Z),
					"customer told", ""})
			}
		}
	}
	return f
}

func (f *feeds) scanner(parcel string, n int) []Event {
	list := f.scans[parcel]
	return list[max(0, len(list)-n):]
}

// merged is all of a parcel, latest first.
func (f *feeds) merged(parcel string) []Event {
	var all []Event
	for _, feed := range []map[string][]Event{f.scans, f.customs, f.messages} {
		all = append(all, feed[parcel]...)
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].time().After(all[j].time()) })
	return all
}

// time is when it was: the mail system has a format of its own.
func (e Event) time() time.Time {
	if t, err := time.Parse(time.RFC3339, e.At); err == nil {
		return t
	}
	t, err := time.Parse(time.RFC1123Z, e.At)
	if err != nil {
		return time.Time{}
	}
	return t
}

func page(list []Event, n int) []Event { return list[:min(n, len(list))] }
