package wait

import (
	"strings"

	"github.com/gocasebook/casebook/diagnose/known"
)

// A Role is what is known of a function by its name: a row of package known. Without a row a wait is still seen; a row
// adds a better word and the setting that governs it.
type Role = known.Row

// awaited is what a goroutine waits for inside of a function with a role.
func awaited(r *Role) For {
	for _, of := range []struct {
		role known.Role
		what For
	}{{known.AwaitsPlace, Place}, {known.AwaitsTurn, Limiter}, {known.AwaitsBatch, Gather}, {known.AwaitsOutput, Pipe},
		{known.AwaitsChild, Child}, {known.AwaitsReader, Unread}, {known.AwaitsAnswer, Answer}} {
		if r.Roles&of.role != 0 {
			return of.what
		}
	}
	return Unknown
}

// roleOf is the row of a function that says what is awaited inside of it; nil without one.
func roleOf(name string) *Role {
	row, _ := known.Awaits(withoutTypes(name))
	return row
}

// begins reports whether a request is answered below a function.
func begins(name string) bool { return known.Of(name).Is(known.BeginsRequest) }

// withoutTypes drops type arguments: "(*Pool[go.shape.*uint8]).Acquire" is "(*Pool).Acquire".
func withoutTypes(name string) string {
	if !strings.Contains(name, "[") {
		return name
	}
	var b strings.Builder
	depth := 0
	for _, r := range name {
		switch r {
		case '[':
			depth++
		case ']':
			depth--
		default:
			if depth == 0 {
				b.WriteRune(r)
			}
		}
	}
	return b.String()
}
