package main

import (
	"fmt"
	"sort"
	"time"
)

// Meeting has its times in UTC.
type Meeting struct {
	ID        int
	Title     string
	Start     time.Time
	Length    time.Duration
	Attendees []*Person
}

type Person struct {
	Name string
	Zone string // of the IANA database
	// Meetings are sorted by their start.
	Meetings []*Meeting
}

// Entry is a meeting as one person sees it.
type Entry struct {
	Title string   `json:"title"`
	Day   string   `json:"day"`
	From  string   `json:"from"`
	To    string   `json:"to"`
	Late  []string `json:"outside_working_hours,omitempty"`
}

// local is a time on somebody's watch.
func (p *Person) local(t time.Time) (time.Time, error) {
	loc, err := time.LoadLocation(p.Zone)
	if err != nil {
		return t, fmt.Errorf("zone of %s: %w", p.Name, err)
	}
	return t.In(loc), nil
}

// works says whether somebody is at work.
func (p *Person) works(t time.Time) (bool, error) {
	t, err := p.local(t)
	if err != nil {
		return false, err
	}
	return t.Weekday() != time.Saturday && t.Weekday() != time.Sunday && t.Hour() >= 8 && t.Hour() < 19, nil
}

// Agenda is the meetings of a person from a day on.
func (p *Person) Agenda(from time.Time, n int) ([]Entry, error) {
	first := sort.Search(len(p.Meetings), func(i int) bool { return !p.Meetings[i].Start.Before(from) })
	var out []Entry
	for _, m := range p.Meetings[first:min(first+n, len(p.Meetings))] {
		start, err := p.local(m.Start)
		if err != nil {
			return nil, err
		}
		e := Entry{Title: m.Title, Day: start.Format("Mon 2 Jan"), From: start.Format("15:04"),
			To: start.Add(m.Length).Format("15:04")}
		for _, a := range m.Attendees {
			ok, err := a.works(m.Start)
			if err != nil {
				return nil, err
			}
			if !ok {
				e.Late = append(e.Late, a.Name)
			}
		}
		out = append(out, e)
	}
	return out, nil
}
