package main

import (
	"fmt"

	"github.com/casbin/casbin/v2"
	"github.com/casbin/casbin/v2/model"
)

func work() func() {
	m, err := model.NewModelFromString(`
[request_definition]
r = sub, obj, act
[policy_definition]
p = sub, obj, act
[policy_effect]
e = some(where (p.eft == allow))
[matchers]
m = r.sub == p.sub && r.obj == p.obj && r.act == p.act
`)
	check(err)
	e, err := casbin.NewEnforcer(m)
	check(err)
	var rules [][]string
	for i := 0; i < 3000; i++ {
		rules = append(rules, []string{fmt.Sprintf("user%d", i), "/data", "read"})
	}
	_, err = e.AddPolicies(rules)
	check(err)
	i := 0
	return func() { // one user leaves and comes back
		i = (i + 1) % len(rules)
		_, err := e.RemovePolicy(rules[i])
		check(err)
		_, err = e.AddPolicy(rules[i])
		check(err)
	}
}
