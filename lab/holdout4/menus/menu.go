package main

import (
	"fmt"
	"time"

	"github.com/gocasebook/casebook/lab/holdout4/menus/clone"
)

type Option struct {
	Name  string `json:"name"`
	Cents int    `json:"cents"`
}

type Dish struct {
	Name      string   `json:"name"`
	Text      string   `json:"text"`
	Cents     int      `json:"cents"`
	Allergens []string `json:"allergens,omitempty"`
	Options   []Option `json:"options,omitempty"`
	Sold      bool     `json:"sold_out,omitempty"`
}

type Section struct {
	Title  string `json:"title"`
	Dishes []Dish `json:"dishes"`
}

type Opening struct {
	Day      time.Weekday `json:"day"`
	From, To int
}

type Menu struct {
	Restaurant string         `json:"restaurant"`
	Currency   string         `json:"currency"`
	Sections   []Section      `json:"sections"`
	Openings   []Opening      `json:"openings"`
	Tags       map[string]int `json:"-"`
}

// A Rule changes a menu for a while: the happy hour, a surcharge on holidays.
type Rule func(m *Menu, now time.Time)

func discount(percent, from, to int) Rule {
	return func(m *Menu, now time.Time) {
		if h := now.Hour(); h < from || h >= to {
			return
		}
		for i := range m.Sections {
			for k := range m.Sections[i].Dishes {
				d := &m.Sections[i].Dishes[k]
				d.Cents -= d.Cents * percent / 100
			}
		}
	}
}

func soldOut(names ...string) Rule {
	return func(m *Menu, _ time.Time) {
		for i := range m.Sections {
			for k := range m.Sections[i].Dishes {
				for _, n := range names {
					if d := &m.Sections[i].Dishes[k]; d.Name == n {
						d.Sold = true
					}
				}
			}
		}
	}
}

// Kitchen has the menu as the restaurant wrote it, and the rules.
type Kitchen struct {
	base  *Menu
	rules []Rule
}

// Today is the menu with the rules applied. The base stays as it is.
func (k *Kitchen) Today(now time.Time) (*Menu, error) {
	m, err := clone.Deep(k.base)
	if err != nil {
		return nil, err
	}
	for _, r := range k.rules {
		r(m, now)
	}
	return m, nil
}

// Cheapest is the cheapest dish of today.
func (m *Menu) Cheapest() (best Dish) {
	for _, s := range m.Sections {
		for _, d := range s.Dishes {
			if !d.Sold && (best.Name == "" || d.Cents < best.Cents) {
				best = d
			}
		}
	}
	return best
}

func kitchen(n int) *Kitchen {
	m := &Menu{Restaurant: fmt.Sprintf("Trattoria %d", n), Currency: "EUR", Tags: map[string]int{"pizza": n, "vegan": 1}}
	for d := range 7 {
		m.Openings = append(m.Openings, Opening{time.Weekday(d), 11, 23})
	}
	for _, title := range []string{"Starters", "Pasta", "Pizza", "Desserts"} {
		s := Section{Title: title}
		for i := range 6 + n%3 {
			s.Dishes = append(s.Dishes, Dish{Name: fmt.Sprintf("%s %d", title, i), Text: "as grandmother made it",
				Cents: 600 + i*110, Allergens: []string{"gluten", "milk"}, Options: []Option{{"large", 200}, {"small", -100}}})
		}
		m.Sections = append(m.Sections, s)
	}
	return &Kitchen{m, []Rule{discount(20, 14, 23), soldOut("Pizza 3")}}
}
