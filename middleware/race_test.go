//go:build race

package middleware

// raced says that the race detector is on, under which sync.Pool drops objects at random.
const raced = true
