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
m = r.sub == p.sub && keyMatch2(r.obj, p.obj) && r.act == p.act
`)
	check(err)
	e, err := casbin.NewEnforcer(m)
	check(err)
	for i := 0; i < 20; i++ {
		_, err := e.AddPolicy("alice", fmt.Sprintf("/shop%d/:id/items/:item", i), "GET")
		check(err)
	}
	return func() {
		ok, err := e.Enforce("alice", "/shop17/42/items/7", "GET")
		check(err)
		sink = ok
	}
}
