// Mapwalks records CPU profiles of handlers that go through a map, in ways that are common in services: of the first
// five nothing but a part of the map is needed, of the others all of it, or the map is small. It is run by hand, for
// TestMapWalks:
//
//	cd diagnose/testdata/mapwalks; for way in $(go run .); do go run . $way $way.pb.gz; done
package main

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime/pprof"
	"slices"
	"strconv"
	"sync"
	"time"
)

type visitor struct {
	seen time.Time
	hits int
}

type session struct {
	token string
	user  string
	room  int
	used  int64
	cents int64
}

type service struct {
	mu       sync.Mutex
	visitors map[string]*visitor
	sessions map[string]session
	clients  map[chan string]int
	tags     []map[string]string
	count    int64
}

// expired forgets visitors that have been idle, in each request.
func (s *service) expired(i int) string {
	for ip, v := range s.visitors {
		if time.Since(v.seen) > time.Hour {
			delete(s.visitors, ip)
		}
	}
	return strconv.Itoa(len(s.visitors))
}

// byToken finds the user with a token, which is not the key.
func (s *service) byToken(i int) string {
	token := "token-" + strconv.Itoa(i%len(s.sessions))
	for _, one := range s.sessions {
		if one.token == token {
			return one.user
		}
	}
	return ""
}

// online counts who is in a room.
func (s *service) online(i int) string {
	n := 0
	for _, one := range s.sessions {
		if one.room == i%100 {
			n++
		}
	}
	return strconv.Itoa(n)
}

// oldest makes room for an entry by looking for the one that was not used for longest.
func (s *service) oldest(i int) string {
	var key string
	least := int64(1 << 62)
	for k, one := range s.sessions {
		if one.used < least {
			key, least = k, one.used
		}
	}
	one := s.sessions[key]
	s.count++
	one.used = s.count
	s.sessions[key] = one
	return key
}

// balance adds up what all have.
func (s *service) balance(int) string {
	var sum int64
	for _, one := range s.sessions {
		sum += one.cents
	}
	return strconv.FormatInt(sum, 10)
}

// listing shows all, sorted.
func (s *service) listing(int) string {
	var names []string
	for k := range s.sessions {
		names = append(names, k)
	}
	slices.Sort(names)
	return strconv.Itoa(len(names))
}

// cloned hands out a copy.
func (s *service) cloned(int) string {
	own := make(map[string]session)
	for k, one := range s.sessions {
		own[k] = one
	}
	return strconv.Itoa(len(own))
}

// broadcast tells all who listen.
func (s *service) broadcast(i int) string {
	text := strconv.Itoa(i)
	for c := range s.clients {
		select {
		case c <- text:
		default:
			<-c
		}
	}
	return text
}

// tagged looks at the few tags of each of a page's items.
func (s *service) tagged(int) string {
	n := 0
	for _, tags := range s.tags {
		for k, v := range tags {
			if len(k) > len(v) {
				n++
			}
		}
	}
	return strconv.Itoa(n)
}

// rendered writes a line for each.
func (s *service) rendered(int) string {
	for k, one := range s.sessions {
		fmt.Fprintf(io.Discard, "%s %s %d\n", k, one.user, one.cents)
	}
	return ""
}

// swept is quick; a goroutine beside the requests sweeps.
func (s *service) swept(int) string { return strconv.Itoa(len(s.visitors)) }

func (s *service) sweep() {
	for range time.Tick(20 * time.Millisecond) {
		s.mu.Lock()
		s.forget()
		s.mu.Unlock()
	}
}

func (s *service) forget() {
	for ip, v := range s.visitors {
		if time.Since(v.seen) > time.Hour {
			delete(s.visitors, ip)
		}
	}
}

func newService() *service {
	s := &service{visitors: map[string]*visitor{}, sessions: map[string]session{}, clients: map[chan string]int{}}
	for i := range 20_000 {
		id := strconv.Itoa(i)
		s.visitors["10.0."+id] = &visitor{seen: time.Now()}
		s.sessions["key-"+id] = session{token: "token-" + id, user: "user-" + id, room: i % 100, cents: int64(i)}
	}
	for range 500 {
		s.clients[make(chan string, 4)] = 0
	}
	for i := range 2000 {
		id := strconv.Itoa(i)
		s.tags = append(s.tags, map[string]string{"colour": "red", "size": id, "of": "shop"})
	}
	return s
}

func main() {
	s := newService()
	ways := map[string]func(int) string{
		"search-expired": s.expired, "search-token": s.byToken, "search-online": s.online, "search-oldest": s.oldest,
		"search-balance": s.balance,
		"needs-listing":  s.listing, "needs-cloned": s.cloned, "needs-broadcast": s.broadcast,
		"needs-tagged": s.tagged, "needs-rendered": s.rendered, "needs-swept": s.swept,
	}
	if len(os.Args) < 3 {
		for _, way := range slices.Sorted(maps.Keys(ways)) {
			fmt.Println(way)
		}
		return
	}
	if err := record(s, ways[os.Args[1]], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// record serves requests for five seconds of CPU profile.
func record(s *service, way func(int) string, file string) error {
	if file == "needs-swept.pb.gz" {
		go s.sweep()
	}
	i := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		i++
		io.WriteString(w, way(i))
	}))
	defer server.Close()
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return err
	}
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); {
		for range 10 {
			res, err := http.Get(server.URL)
			if err != nil {
				return err
			}
			io.Copy(io.Discard, res.Body)
			res.Body.Close()
		}
		time.Sleep(2 * time.Millisecond)
	}
	pprof.StopCPUProfile()
	return f.Close()
}
