package maphint

type user struct{ id, name string }

func byID(users []user) map[string]user {
	m := make(map[string]user) // want `make it with that size`
	for _, u := range users {
		m[u.id] = u
	}
	return m
}

func set(names []string) map[string]bool {
	seen := map[string]bool{} // want `make it with that size`
	for _, n := range names {
		seen[n] = true
	}
	return seen
}

func swapped(in map[string]int) map[int]string {
	var out = make(map[int]string) // want `make it with that size`
	for k, v := range in {
		out[v] = k
	}
	return out
}

type table struct{ rows []user }

func (t *table) index() map[string]int {
	m := make(map[string]int) // want `make it with that size`
	for i, r := range t.rows {
		m[r.id] = i
	}
	return m
}

func later() map[string]bool {
	m := make(map[string]bool) // want `make it with that size`
	names := load()
	for _, n := range names {
		m[n] = true
	}
	return m
}

func filtered(names []string) map[string]bool {
	m := make(map[string]bool) // want `make it with that size`
	names = names[1:]
	for _, n := range names {
		m[n] = true
	}
	return m
}

func load() []string { return nil }

// What follows is fine.

func hinted(users []user) map[string]user {
	m := make(map[string]user, len(users))
	for _, u := range users {
		m[u.id] = u
	}
	return m
}

func some(users []user) map[string]user {
	m := make(map[string]user)
	for _, u := range users {
		if u.name != "" {
			m[u.id] = u
		}
	}
	return m
}

func skips(users []user) map[string]user {
	m := make(map[string]user)
	for _, u := range users {
		if u.name == "" {
			continue
		}
		m[u.id] = u
	}
	return m
}

func copies(in map[string]int) map[string]int {
	m := make(map[string]int)
	for k, v := range in {
		m[k] = v
	}
	return m
}

func used(users []user) map[string]user {
	m := make(map[string]user)
	m["root"] = user{}
	fill(m)
	for _, u := range users {
		m[u.id] = u
	}
	return m
}

func fill(map[string]user) {}

func received(c chan user) map[string]user {
	m := make(map[string]user)
	for u := range c {
		m[u.id] = u
	}
	return m
}

func sameKey(users []user) map[string]user {
	m := make(map[string]user)
	for _, u := range users {
		m["last"] = u
	}
	return m
}

func grouped(users []user) map[string][]user {
	m := make(map[string][]user)
	for _, u := range users {
		m[u.name] = append(m[u.name], u)
	}
	return m
}
