package phones

import (
	"net/url"
	"testing"
)

// TestRequests: the requests of the load are valid, repeatable and as popular as documented.
func TestRequests(t *testing.T) {
	const n, users, items = 50_000, 30_000, 10_000
	load, again, other := Requests(7, users, items, "http://h:1"), Requests(7, users, items, "http://h:1"),
		Requests(8, users, items, "http://h:1")
	count := map[uint64]int{}
	anonymous, tracked, differ := 0, 0, 0
	for i := range uint64(n) {
		u, err := url.Parse(load(i))
		if err != nil {
			t.Fatal(err)
		}
		q, err := parseQuery(u.Query())
		if err != nil || u.Host != "h:1" || u.Path != "/phone" {
			t.Fatalf("%s: %v", load(i), err)
		}
		if load(i) != again(i) {
			t.Fatalf("request %d differs between two loads of one seed", i)
		}
		if load(i) != other(i) {
			differ++
		}
		if q.User > users || q.Item > items || q.Phone != realPhone(q.Item) {
			t.Fatalf("%+v is not of the world", q)
		}
		count[q.Item]++
		if q.Category.anonymous {
			anonymous++
		}
		if q.User <= DefaultTracking {
			tracked++
		}
	}
	if differ < n*9/10 {
		t.Errorf("another seed asks %d of %d times the same", n-differ, n)
	}
	wantShare(t, "of requests for the most popular 1 %", popular(count, items/100), n, 0.22)
	wantShare(t, "of requests for the most popular 10 %", popular(count, items/10), n, 0.46)
	wantShare(t, "of requests that may be anonymous", anonymous, n, 0.45)
	wantShare(t, "of requests for users with call tracking", tracked, n, 0.50)
}

// popular counts the requests for the items of the first ranks.
func popular(count map[uint64]int, ranks uint64) int {
	space, sum := NewSpace(30_000, 10_000, DefaultTracking), 0
	for rank := range ranks {
		sum += count[1+rank*rankStep%space.Items]
	}
	return sum
}

func wantShare(t *testing.T, what string, n, of int, want float64) {
	t.Helper()
	if got := float64(n) / float64(of); got < want-0.05 || got > want+0.05 {
		t.Errorf("%.3f %s, want %.2f", got, what, want)
	}
}

// TestWorldIsDistinct: items and real phones are told apart everywhere.
func TestWorldIsDistinct(t *testing.T) {
	const n = 100_000
	real, tracking, ranks := map[Phone]bool{}, map[Phone]bool{}, map[uint64]bool{}
	for i := range uint64(n) {
		p := realPhone(i + 1)
		real[p], tracking[trackingPhone(p)], ranks[1+i*rankStep%n] = true, true, true
		for _, p := range []Phone{p, trackingPhone(p), anonymousPhone(i + 1)} {
			if got, err := ParsePhone(p.String()); err != nil || got != p {
				t.Fatalf("ParsePhone(%q) = %v, %v", p.String(), got, err)
			}
		}
	}
	if len(real) != n || len(tracking) != n || len(ranks) != n {
		t.Errorf("%d items have %d real phones, %d call-tracking phones and %d places, want as many", n, len(real),
			len(tracking), len(ranks))
	}
}

func TestSpaceTakesAnyNumbers(t *testing.T) {
	for _, s := range []Space{NewSpace(0, 0, 0), NewSpace(-5, -5, -5), NewSpace(1, 1, 1<<40),
		NewSpace(1<<40, 1<<40, 1<<40)} {
		for _, u := range []float64{1e-16, 0.5, 1 - 1e-16} {
			item := s.pick(u)
			if owner := s.owner(item); item < 1 || item > s.Items || owner < 1 || owner > s.Users ||
				(owner <= s.Tracking) != byBusiness(item) {
				t.Errorf("%+v: pick(%v) is item %d of user %d", s, u, item, owner)
			}
		}
	}
}

func TestCategorySharesAddUp(t *testing.T) {
	sum := uint64(0)
	for _, c := range categories {
		sum += c.share
	}
	if sum != 100 {
		t.Errorf("the categories' shares add up to %d %%, want 100", sum)
	}
}
