// Package presize fills slices.
package presize

type row struct {
	name string
	n    int
}

func names(rows []row) []string {
	var out []string
	for _, r := range rows {
		out = append(out, r.name)
	}
	return out
}

func empty(rows map[string]int) []string {
	out := []string{}
	for k := range rows {
		out = append(out, k)
	}
	return out
}

func made(rows []row) []int {
	out := make([]int, 0)
	total := 0
	for _, r := range rows {
		total += r.n
		out = append(out, total)
	}
	return out
}

// some does not append in each turn.
func some(rows []row) []string {
	var out []string
	for _, r := range rows {
		if r.n > 0 {
			out = append(out, r.name)
		}
	}
	return out
}

// skips leaves some out.
func skips(rows []row) []string {
	var out []string
	for _, r := range rows {
		if r.n == 0 {
			continue
		}
		out = append(out, r.name)
	}
	return out
}

// later learns how many there are when the slice exists.
func later(read func() []row) []string {
	var out []string
	rows := read()
	for _, r := range rows {
		out = append(out, r.name)
	}
	return out
}

// before has elements already.
func before(rows []row) []string {
	out := []string{"head"}
	for _, r := range rows {
		out = append(out, r.name)
	}
	return out
}

// channel has no length that tells.
func channel(rows chan row) []string {
	var out []string
	for r := range rows {
		out = append(out, r.name)
	}
	return out
}
