package invariantcall

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	"golang.org/x/net/idna"
)

type user struct {
	Name  string
	Email string
	tags  []string
}

func find(users []user, name string) *user {
	for i := range users {
		if strings.ToLower(users[i].Name) == strings.ToLower(name) { // want `the same at each turn of the loop: do it once, before`
			return &users[i]
		}
	}
	return nil
}

func inNet(nets []*net.IPNet, addr string) bool {
	for _, n := range nets {
		if n.Contains(net.ParseIP(addr)) { // want `the same at each turn`
			return true
		}
	}
	return false
}

func broadcast(out []io.Writer, event *user) {
	for _, w := range out {
		data, err := json.Marshal(event) // want `the same at each turn`
		if err != nil {
			continue
		}
		w.Write(data)
	}
}

func send(out []io.Writer, text string) {
	for _, w := range out {
		w.Write([]byte(text)) // want `the same at each turn`
	}
}

func split(object string) (kind, id string) {
	parts := strings.Split(object, ":")
	return parts[0], parts[len(parts)-1]
}

func match(stored, wanted *user) bool {
	kind, _ := split(wanted.Name) // want `the same at each turn of the loop that calls match`
	have, _ := split(stored.Name)
	return kind == have
}

func filter(all []*user, wanted *user) (out []*user) {
	for _, u := range all {
		if match(u, wanted) {
			out = append(out, u)
		}
	}
	return out
}

type prefix struct{ text, delimiter string }

func (p prefix) matches(key string) bool {
	want := strings.Split(p.text, p.delimiter) // want `the same at each turn of the loop that calls matches`
	got := strings.Split(key, p.delimiter)
	return len(got) >= len(want)
}

func list(keys []string, p prefix) (n int) {
	for _, k := range keys {
		if p.matches(k) {
			n++
		}
	}
	return n
}

func keys(users []user, tenant, shop string) (out []string) {
	for _, u := range users {
		out = append(out, fmt.Sprintf("%s/%s/", tenant, shop)+u.Name) // want `the same at each turn`
	}
	return out
}

// What follows is fine.

func before(users []user, name string) *user {
	name = strings.ToLower(name)
	for i := range users {
		if strings.ToLower(users[i].Name) == name {
			return &users[i]
		}
	}
	return nil
}

func changes(lines []string, sep string) (out []string) {
	for _, l := range lines {
		sep = sep + l[:1]
		out = append(out, strings.Split(sep, ",")...)
	}
	return out
}

func eachTime(out []io.Writer, event *user) {
	for i, w := range out {
		event.Name = fmt.Sprint(i)
		data, _ := json.Marshal(event)
		w.Write(data)
	}
}

func leaves(users []user, name string) string {
	for i := range users {
		if users[i].Name == "" {
			return strings.ToUpper(name)
		}
	}
	return ""
}

func failing(all []string, name string) error {
	for _, s := range all {
		if s == "" {
			return fmt.Errorf("%s: %s", strings.ToLower(name), s)
		}
	}
	return nil
}

func retry(addr string) {
	for {
		host, _, _ := net.SplitHostPort(addr)
		if host == "" {
			break
		}
		time.Sleep(time.Second)
		addr = next(addr)
	}
}

func next(addr string) string { return addr + "0" }

func pointers(names []*string, name *string) (n int) {
	for _, s := range names {
		rename(&n, name)
		if strings.ToLower(*s) == strings.ToLower(*name) {
			n++
		}
	}
	return n
}

func rename(n *int, s *string) { *n, *s = *n+1, *s+"x" }

var table = "a,b"

func global(users []user) (n int) {
	for range users {
		n += len(strings.Split(table, ","))
		table += ","
	}
	return n
}

func perElement(hosts []string) (out []string) {
	for _, h := range hosts {
		p := idna.New()
		s, _ := p.ToASCII(h)
		out = append(out, s)
	}
	return out
}

func init() {
	for _, s := range []string{"a", "b"} {
		table += s + strings.ToLower(table)
	}
}
