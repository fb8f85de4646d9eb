// Package expr stands for github.com/expr-lang/expr.
package expr

type Program struct{}

func Compile(text string) (*Program, error)           { return &Program{}, nil }
func Run(p *Program, env map[string]any) (any, error) { return nil, nil }
