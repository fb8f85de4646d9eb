// Package errors stands for the module of that name.
package errors

func New(string) error            { return nil }
func Errorf(string, ...any) error { return nil }
func Wrap(error, string) error    { return nil }
func WithStack(error) error       { return nil }
func Cause(error) error           { return nil }
