package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/glebarez/sqlite"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"
)

// A Ticket is a row of tickets.
type Ticket struct {
	ID        uint   `gorm:"primaryKey"`
	Team      string `gorm:"index:idx_team_state"`
	State     string `gorm:"index:idx_team_state"`
	Priority  int
	Subject   string
	Body      string
	Requester string
	Assignee  string
	Channel   string
	Language  string
	CreatedAt time.Time
	UpdatedAt time.Time
	DueAt     *time.Time
}

type ticketRepo struct{ db *gorm.DB }

func openRepo() (*ticketRepo, error) {
	dir, err := os.MkdirTemp("", "helpdesk-")
	if err != nil {
		return nil, err
	}
	dsn := filepath.Join(dir, "tickets.db") +
		"?_pragma=journal_mode(WAL)&_pragma=busy_timeout(5000)&_pragma=synchronous(OFF)"
	db, err := gorm.Open(sqlite.Open(dsn), &gorm.Config{Logger: logger.Discard})
	if err != nil {
		return nil, fmt.Errorf("opening tickets: %w", err)
	}
	pool, err := db.DB()
	if err != nil {
		return nil, err
	}
	pool.SetMaxOpenConns(6)
	pool.SetMaxIdleConns(6)
	r := &ticketRepo{db: db}
	return r, r.seed(9000)
}

// Get is one ticket.
func (r *ticketRepo) Get(ctx context.Context, id int) (t Ticket, err error) {
	return t, r.db.WithContext(ctx).First(&t, id).Error
}

// Close ends a ticket.
func (r *ticketRepo) Close(ctx context.Context, id int) error {
	return r.db.WithContext(ctx).Model(&Ticket{}).Where("id = ?", id).Update("state", "closed").Error
}

// CountOpen is how many tickets of a team are open, and how many of these are urgent.
func (r *ticketRepo) CountOpen(ctx context.Context, team string) (open, urgent int, err error) {
	var tickets []Ticket
	if err := r.db.WithContext(ctx).Where("team = ? AND state = ?", team, "open").Find(&tickets).Error; err != nil {
		return 0, 0, fmt.Errorf("counting tickets of %s: %w", team, err)
	}
	for _, t := range tickets {
		if t.Priority >= 4 || t.DueAt != nil && time.Until(*t.DueAt) < time.Hour {
			urgent++
		}
	}
	return len(tickets), urgent, nil
}

func (r *ticketRepo) seed(n int) error {
	if err := r.db.AutoMigrate(&Ticket{}); err != nil {
		return err
	}
	list := make([]Ticket, 0, n)
	for i := range n {
		due := time.Now().Add(time.Duration(i) * time.Minute)
		list = append(list, Ticket{Team: fmt.Sprintf("team-%d", i%8), State: "open", Priority: i % 6, DueAt: &due,
			Subject: fmt.Sprintf("Printer %d does not answer", i), Body: strings.Repeat("It worked yesterday. ", 30),
			Requester: fmt.Sprintf("user%d@example.com", i%900), Assignee: fmt.Sprintf("agent%d", i%40), Channel: "mail",
			Language: "en"})
	}
	return r.db.CreateInBatches(list, 500).Error
}
