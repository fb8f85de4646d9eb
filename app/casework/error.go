package casework

import (
	"fmt"

	"github.com/gocasebook/casebook/casefile"
)

// A SettingError says which setting of a request is wrong. Setting is its name as files and flags write it:
// "http-metrics".
type SettingError struct {
	Setting string
	Err     error
}

// Error names the setting first.
func (e *SettingError) Error() string { return e.Setting + ": " + e.Err.Error() }

// Unwrap returns what is wrong with it.
func (e *SettingError) Unwrap() error { return e.Err }

func setting(name string, err error) error {
	if err == nil {
		return nil
	}
	return &SettingError{name, err}
}

// A TargetError says which target among several an error is about.
type TargetError struct {
	URL string
	Err error
}

// Error names the target first.
func (e *TargetError) Error() string { return fmt.Sprintf("target %s: %v", Shown(e.URL), e.Err) }

// Unwrap returns the target's error.
func (e *TargetError) Unwrap() error { return e.Err }

// A SilentError says that a process of this machine answered nothing: its case has what is seen from outside.
type SilentError struct {
	Err    error
	Folder *casefile.Folder
}

// Error says what it did not answer, and where its case is.
func (e *SilentError) Error() string {
	return fmt.Sprintf("%v; what is seen from outside is kept as case %s", e.Err, e.Folder.Path)
}

// Unwrap returns why there was no answer.
func (e *SilentError) Unwrap() error { return e.Err }

// An EndedError says that the process ended while its evidence was taken. The case is kept.
type EndedError struct {
	How    string // it ended
	Folder *casefile.Folder
}

// Error says how the process ended and where its case is.
func (e *EndedError) Error() string {
	return fmt.Sprintf("the process ended while its evidence was taken: %s; what was taken before is kept as case %s",
		e.How, e.Folder.Path)
}
