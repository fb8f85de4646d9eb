package heavy

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"time"
)

// graphqlGo is a backend for GraphQL, with the release's own example of films: pages ask for a few fields or for many,
// some send one text for all with variables, and tools ask for the schema. It is a library: the main is ours, and does
// what its example does on a port that is given.
func graphqlGo() Service {
	return Service{
		Name: "graphql-go", Module: "github.com/graph-gophers/graphql-go", Version: "v1.11.0", Main: "cmd/films",
		Unseen:  true,
		Args:    []string{"127.0.0.1:{port}"},
		Missing: map[string]string{"cmd/films/main.go": graphqlMain},
		Load: func(ctx context.Context, on Target) error {
			return together(ctx, times(6, browser(on, "http://"+on.Addr, graphqlQuery))...)
		},
	}
}

const graphqlMain = `package main

import (
	"log"
	"net/http"
	"os"

	graphql "github.com/graph-gophers/graphql-go"
	"github.com/graph-gophers/graphql-go/example/starwars"
	"github.com/graph-gophers/graphql-go/relay"
)

func main() {
	schema := graphql.MustParseSchema(starwars.Schema, &starwars.Resolver{})
	mux := http.NewServeMux()
	mux.Handle("/query", &relay.Handler{Schema: schema})
	log.Fatal(http.ListenAndServe(os.Args[1], mux))
}
`

// graphqlFields is what a page shows of a person or droid.
const graphqlFields = `fragment shown on Character { id name appearsIn __typename
	friendsConnection(first: 10) { totalCount pageInfo { startCursor endCursor hasNextPage }
		edges { cursor node { id name ... on Human { height(unit: FOOT) } ... on Droid { primaryFunction } } } } }`

// graphqlSchema is what tools ask first.
const graphqlSchema = `query IntrospectionQuery { __schema { queryType { name } mutationType { name }
	types { ...FullType } directives { name description locations args { ...InputValue } } } }
fragment FullType on __Type { kind name description fields(includeDeprecated: true) { name description
	args { ...InputValue } type { ...TypeRef } isDeprecated deprecationReason } inputFields { ...InputValue }
	interfaces { ...TypeRef } enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason }
	possibleTypes { ...TypeRef } }
fragment InputValue on __InputValue { name description type { ...TypeRef } defaultValue }
fragment TypeRef on __Type { kind name ofType { kind name ofType { kind name ofType { kind name }}}}}
`

func graphqlQuery(r *rand.Rand) request {
	time.Sleep(time.Millisecond)
	query, variables := "", map[string]any{}
	switch n := r.IntN(100); {
	case n < 25:
		query = `query Hero($episode: Episode) { hero(episode: $episode) { ...shown friends { ...shown } } } ` + graphqlFields
		variables["episode"] = pick(r, []string{"NEWHOPE", "EMPIRE", "JEDI"})
	case n < 45:
		query = `query Person($id: ID!) { human(id: $id) { ...shown mass height(unit: METER) starships { id name
			length(unit: METER) } friends { id name friends { id name friends { id name appearsIn } } } } } ` + graphqlFields
		variables["id"] = pick(r, []string{"1000", "1001", "1002", "1003", "1004"})
	case n < 60:
		query = fmt.Sprintf(`{ search(text: %q) { __typename ... on Human { id name mass } ... on Droid { id name
			primaryFunction } ... on Starship { id name length } } }`, pick(r, []string{"an", "o", "Luke", "Falcon", "x"}))
	case n < 75:
		query = fmt.Sprintf(`{ a: character(id: "%d") { ...shown } b: droid(id: "%d") { ...shown primaryFunction }
			c: starship(id: "3000") { id name length(unit: FOOT) } d: hero { name } } `, 1000+r.IntN(5), 2000+r.IntN(2)) +
			graphqlFields
	case n < 90:
		query = `query Page($id: ID!, $with: Boolean!) { character(id: $id) { name friends @include(if: $with) { name
			appearsIn friends { name } } friendsConnection { totalCount friends { name id } } } }`
		variables["id"], variables["with"] = pick(r, []string{"1000", "1002", "2000", "2001"}), r.IntN(2) == 0
	case n < 92:
		query = `mutation Add($review: ReviewInput!) { createReview(episode: JEDI, review: $review) { stars commentary } }`
		variables["review"] = map[string]any{"stars": r.IntN(6), "commentary": text(r, 10)}
	case n < 94:
		query = `{ reviews(episode: EMPIRE) { stars commentary } }`
	default:
		query = graphqlSchema
	}
	body, _ := json.Marshal(map[string]any{"query": query, "variables": variables}) // texts
	return post("/query", string(body))
}
