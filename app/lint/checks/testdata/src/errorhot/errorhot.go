package errorhot

import (
	stderrors "errors"
	"fmt"
	"strconv"

	"github.com/pkg/errors"
)

type store struct{ m map[string]int }

func (s *store) get(k string) (int, error) {
	n, ok := s.m[k]
	if !ok {
		return 0, fmt.Errorf("no entry for %q", k) // want `return one that was made once, a bool, or a type`
	}
	return n, nil
}

func (s *store) find(k string) error {
	if _, ok := s.m[k]; !ok {
		return errors.Errorf("no entry for %q", k) // want `each time the stack is walked`
	}
	return nil
}

func parse(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0, errors.Wrap(err, "parsing") // want `each time the stack is walked`
	}
	return n, nil
}

func port(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0, fmt.Errorf("port %q: %w", s, err) // want `return one that was made once`
	}
	return n, nil
}

func traced() error {
	return errors.WithStack(errNone) // want `each time the stack is walked`
}

// What follows is fine.

var errNone = stderrors.New("none")

var errOther = errors.New("other")

func sentinel(m map[string]int, k string) error {
	if _, ok := m[k]; !ok {
		return errNone
	}
	return nil
}

func cause(err error) error { return errors.Cause(err) }

func joined(a, b error) error { return stderrors.Join(a, b) }

func text(k string) string { return fmt.Sprintf("no entry for %q", k) }

func readConfig(s string) error { return fmt.Errorf("line %s", s) }
