package rule

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// A Duration is a time.Duration that reads and writes as "5s" in JSON.
type Duration time.Duration

func (d Duration) String() string { return time.Duration(d).String() }

// MarshalJSON writes the duration as time.Duration prints it.
func (d Duration) MarshalJSON() ([]byte, error) { return json.Marshal(d.String()) }

// UnmarshalJSON reads what time.ParseDuration reads. A bare number is rejected because it has no unit, and zero because
// it could mean either none or the default.
func (d *Duration) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return fmt.Errorf("a duration is a string with a unit, such as \"5s\", not %s", b)
	}
	v, err := time.ParseDuration(s)
	if err != nil {
		return fmt.Errorf("wants a duration such as \"5s\" or \"1m30s\", not %q", s)
	}
	if v == 0 { // fields take it as the default, people as none
		return errors.New("a duration of 0s is not allowed: leave the field out for its default, or give a short one " +
			"(for no warm-up: \"-1s\")")
	}
	*d = Duration(v)
	return nil
}
