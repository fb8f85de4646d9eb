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
[role_definition]
g = _, _
[policy_effect]
e = some(where (p.eft == allow))
[matchers]
m = g(r.sub, p.sub) && r.obj == p.obj && r.act == p.act
`)
	check(err)
	e, err := casbin.NewEnforcer(m)
	check(err)
	for i := 0; i < 100; i++ {
		role := fmt.Sprintf("organisation/departments/%d/readers", i)
		_, err := e.AddPolicy(role, fmt.Sprintf("/reports/%d", i), "read")
		check(err)
		_, err = e.AddRoleForUser(fmt.Sprintf("user%d", i), role)
		check(err)
	}
	return func() {
		ok, err := e.Enforce("user99", "/reports/99", "read")
		check(err)
		sink = ok
	}
}
