package main

import "fmt"

type ticket struct {
	ID, Title, Team, Assignee string
}

type user struct{ ID, Name string }

type comment struct {
	Ticket string `json:"ticket"`
	Author string `json:"author"`
	Text   string `json:"text"`
}

// A row is a line of the board.
type row struct {
	ID       string `json:"id"`
	Title    string `json:"title"`
	Assignee string `json:"assignee"`
	Comments int    `json:"comments"`
	Last     string `json:"last"`
}

// A desk has all there is, in memory.
type desk struct {
	tickets  []ticket
	users    []user
	comments []comment
}

func sampleDesk(tickets, users, comments int) desk {
	var d desk
	for i := range users {
		d.users = append(d.users, user{ID: fmt.Sprintf("user-%05d", i), Name: fmt.Sprintf("Agent %d", i)})
	}
	for i := range tickets {
		d.tickets = append(d.tickets, ticket{
			ID: fmt.Sprintf("ticket-%05d", i), Title: fmt.Sprintf("It does not work (%d)", i),
			Team: []string{"mail", "web"}[i%2], Assignee: d.users[i%users].ID,
		})
	}
	for i := range comments {
		c := comment{Ticket: d.tickets[i%tickets].ID, Author: d.users[i%users].ID, Text: "any news?"}
		d.comments = append(d.comments, c)
	}
	return d
}

// board is the tickets of a team, with who works on them and what was said last.
func (d *desk) board(team string) []row {
	var rows []row
	for _, t := range d.tickets {
		if t.Team != team {
			continue
		}
		r := row{ID: t.ID, Title: t.Title, Assignee: d.name(t.Assignee)}
		for _, c := range d.comments { // trial:fault
			if c.Ticket == t.ID { // trial:fault
				r.Comments++
				r.Last = c.Text
			}
		}
		rows = append(rows, r)
	}
	return rows
}

func (d *desk) name(id string) string {
	for _, u := range d.users {
		if u.ID == id {
			return u.Name
		}
	}
	return "nobody"
}
