// Access says who may do what with a document.
package main

import (
	"flag"
	"fmt"
	"log"
	"net/http"

	"github.com/casbin/casbin/v2"
	"github.com/casbin/casbin/v2/model"

	"github.com/gocasebook/casebook/lab/unseen/third/form"
	"github.com/gocasebook/casebook/lab/unseen/third/web"
)

const rules = `
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
`

type enforcer interface {
	Enforce(request ...any) (bool, error)
	AddPolicies(rules [][]string) (bool, error)
	AddGroupingPolicies(rules [][]string) (bool, error)
}

type access struct{ e enforcer }

func (a *access) may(user, document, act string) (bool, error) {
	return a.e.Enforce(user, document, act)
}

func (a *access) document(w http.ResponseWriter, r *http.Request) {
	user, document := r.FormValue("user"), r.PathValue("document")
	for _, act := range []string{"read", "write"} {
		ok, err := a.may(user, document, act)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		fmt.Fprintln(w, act, ok)
	}
}

// load reads the rules: 200 teams, each with 20 documents, and five users.
func (a *access) load() error {
	var policies, groups [][]string
	for team := range 200 {
		name := fmt.Sprintf("team%d", team)
		for d := range 20 {
			policies = append(policies, []string{name, fmt.Sprintf("d%d", team*20+d), "read"})
		}
		for u := range 5 {
			groups = append(groups, []string{fmt.Sprintf("u%d", team*5+u), name})
		}
	}
	if _, err := a.e.AddPolicies(policies); err != nil {
		return err
	}
	_, err := a.e.AddGroupingPolicies(groups)
	return err
}

func open() (enforcer, error) {
	m, err := model.NewModelFromString(rules)
	if err != nil {
		return nil, err
	}
	if form.Fixed {
		return casbin.NewSyncedCachedEnforcer(m)
	}
	return casbin.NewSyncedEnforcer(m)
}

func main() {
	flag.Parse()
	e, err := open()
	if err != nil {
		log.Fatal(err)
	}
	a := &access{e}
	if err := a.load(); err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /documents/{document}/rights", a.document)
	mux.HandleFunc("GET /ready", func(w http.ResponseWriter, r *http.Request) { fmt.Fprintln(w, "ready") })
	web.Serve(mux)
}
