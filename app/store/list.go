package store

import (
	"context"
	"database/sql"
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// A Filter says which cases a list has. Its zero value lets all through.
type Filter struct {
	Service   string
	Rule      string
	Kind      string            // of any finding
	Function  string            // the place of that finding
	OfProcess bool              // that finding has no place: it is about the whole process
	Text      string            // words that all stand in ID, service, rule, trigger, verdict, titles or functions
	Label     map[string]string // all of them
	From      time.Time         // opened then or later
	To        time.Time         // opened before
	Score     int               // the worst finding has this score or more
	Pinned    bool              // those alone
	Limit     int               // of a page; zero means 50, at most 500
	After     string            // the Next of the page before
}

// A Page is a part of a list.
type Page struct {
	Cases []Summary `json:"cases"`
	Next  string    `json:"next,omitempty"` // empty at the end
}

const (
	defaultPage = 50
	maxPage     = 500
	maxTerms    = 20 // words, and labels, of a filter: each is looked for in every row
)

// terms are the words of a filter, in the form that rows have them.
func (f *Filter) terms() ([]string, error) {
	words := strings.Fields(strings.ToLower(cut(f.Text)))
	if len(words) > maxTerms || len(f.Label) > maxTerms {
		return nil, fmt.Errorf("%w: a filter may have %d words and %d labels", ErrInvalid, maxTerms, maxTerms)
	}
	return words, nil
}

func (x *index) list(ctx context.Context, f Filter) (Page, error) {
	limit := pageSize(f.Limit)
	q, err := f.query(limit+1, x.d.contains)
	if err != nil {
		return Page{}, err
	}
	rows, err := x.query(ctx, q.text(), q.args...)
	if err != nil {
		return Page{}, x.explain(err)
	}
	defer rows.Close()
	page := Page{Cases: []Summary{}}
	for rows.Next() {
		s, err := scanSummary(rows)
		if err != nil {
			return Page{}, x.explain(err)
		}
		page.Cases = append(page.Cases, s)
	}
	if err := rows.Err(); err != nil {
		return Page{}, x.explain(err)
	}
	if len(page.Cases) > limit {
		page.Cases = page.Cases[:limit]
		page.Next = cursor(page.Cases[limit-1])
	}
	return page, nil
}

func pageSize(asked int) int {
	if asked <= 0 {
		return defaultPage
	}
	return min(asked, maxPage)
}

func fromMilli(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

func scanSummary(rows *sql.Rows) (Summary, error) {
	var s Summary
	var opened, received int64
	err := rows.Scan(&s.ID, &opened, &received, &s.Service, &s.Version, &s.Rule, &s.Text, &s.Findings, &s.Kind, &s.Title,
		&s.Score, &s.Worst, &s.Verdict, &s.Proof, &s.Bytes, &s.Pinned)
	s.Opened, s.Received = fromMilli(opened), fromMilli(received)
	return s, err
}

// A query is a SELECT of cases with its arguments.
type query struct {
	where []string
	args  []any
	limit int
}

// add adds a condition. Each ? in it stands for the next of args.
func (q *query) add(condition string, args ...any) {
	for _, a := range args {
		q.args = append(q.args, a)
		condition = strings.Replace(condition, "?", "$"+strconv.Itoa(len(q.args)), 1)
	}
	q.where = append(q.where, condition)
}

func (q *query) text() string {
	return "SELECT " + summaryColumns + " FROM cases" + q.conditions() + " ORDER BY opened DESC, id DESC LIMIT " +
		strconv.Itoa(q.limit)
}

func (q *query) conditions() string {
	if len(q.where) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(q.where, " AND ")
}

// query is the statement of a list. contains is the dialect's.
func (f Filter) query(limit int, contains string) (*query, error) {
	q := &query{limit: limit}
	words, err := f.terms()
	if err != nil {
		return nil, err
	}
	if f.Service != "" {
		q.add("service = ?", cut(f.Service))
	}
	if f.Rule != "" {
		q.add("rule = ?", cut(f.Rule))
	}
	if f.Pinned {
		q.add("pinned = 1")
	}
	if f.Score > 0 {
		q.add("worst >= ?", f.Score)
	}
	if !f.From.IsZero() {
		q.add("opened >= ?", f.From.UnixMilli())
	}
	if !f.To.IsZero() {
		q.add("opened < ?", f.To.UnixMilli())
	}
	const finding = "EXISTS (SELECT 1 FROM findings WHERE case_id = cases.id AND "
	switch placed := f.Function != "" || f.OfProcess; {
	case placed && f.Kind != "":
		q.add(finding+"kind = ? AND function = ?)", cut(f.Kind), cut(f.Function))
	case placed:
		q.add(finding+"function = ?)", cut(f.Function))
	case f.Kind != "":
		q.add(finding+"kind = ?)", cut(f.Kind))
	}
	for _, name := range slices.Sorted(maps.Keys(f.Label)) {
		q.add("EXISTS (SELECT 1 FROM labels WHERE case_id = cases.id AND name = ? AND value = ?)", cut(name),
			cut(f.Label[name]))
	}
	for _, word := range words {
		q.add(contains, word)
	}
	if f.After != "" {
		opened, id, err := readCursor(f.After)
		if err != nil {
			return nil, err
		}
		q.add("(opened < ? OR (opened = ? AND id < ?))", opened, opened, id)
	}
	return q, nil
}

// cursor names the place after a case in the order of lists.
func cursor(s Summary) string {
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(s.Opened.UnixMilli(), 10) + " " + s.ID))
}

func readCursor(text string) (opened int64, id string, err error) {
	data, err := base64.RawURLEncoding.DecodeString(text)
	ms, id, ok := strings.Cut(string(data), " ")
	if err == nil && ok {
		opened, err = strconv.ParseInt(ms, 10, 64)
	}
	if err != nil || !ok || !casefile.ValidID(id) {
		return 0, "", fmt.Errorf("%w: the place to go on from is not one that a list gave", ErrInvalid)
	}
	return opened, id, nil
}

// A Service is one that has cases.
type Service struct {
	Name   string    `json:"name"`
	Cases  int       `json:"cases"`
	Newest time.Time `json:"newest"`
	Worst  int       `json:"worst"` // the highest score of all its cases
}

func (x *index) services(ctx context.Context) ([]Service, error) {
	rows, err := x.query(ctx,
		"SELECT service, COUNT(*), MAX(opened), MAX(worst) FROM cases GROUP BY service ORDER BY service")
	if err != nil {
		return nil, x.explain(err)
	}
	defer rows.Close()
	list := []Service{}
	for rows.Next() {
		var s Service
		var newest int64
		if err := rows.Scan(&s.Name, &s.Cases, &newest, &s.Worst); err != nil {
			return nil, x.explain(err)
		}
		s.Newest = fromMilli(newest)
		list = append(list, s)
	}
	return list, x.explain(rows.Err())
}
