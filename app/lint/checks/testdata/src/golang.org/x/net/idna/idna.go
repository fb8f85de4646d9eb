// Package idna has the names of the real one.
package idna

type Profile struct{}

type Option func(*Profile)

func New(o ...Option) *Profile { return nil }

func MapForLookup() Option { return nil }

func StrictDomainName(on bool) Option { return nil }

func (p *Profile) ToASCII(s string) (string, error) { return s, nil }
