// Package logrus stands for the module of that name.
package logrus

type Fields map[string]any

type Entry struct{}

func WithFields(Fields) *Entry                { return nil }
func WithField(string, any) *Entry            { return nil }
func Debug(...any)                            {}
func Debugf(string, ...any)                   {}
func IsLevelEnabled(int) bool                 { return false }
func (e *Entry) Debug(...any)                 {}
func (e *Entry) Debugf(string, ...any)        {}
func (e *Entry) Info(...any)                  {}
func (e *Entry) WithField(string, any) *Entry { return e }
