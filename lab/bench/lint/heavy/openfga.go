package heavy

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
)

// openfga says who may do what with which document: by groups within groups, folders within folders, and owners. It is
// asked over HTTP for single answers, several at once, and lists; shares are written and taken back.
func openfga() Service {
	return Service{
		Name: "openfga", Module: "github.com/openfga/openfga", Version: "v1.22.1", Main: "cmd/openfga", Unseen: true,
		Args: []string{"run", "--http-addr", "127.0.0.1:{port}", "--grpc-addr", "127.0.0.1:{other}",
			"--metrics-addr", "127.0.0.1:0", "--playground-enabled=false", "--log-level", "warn"},
		Ready: "/healthz",
		Load:  loadOpenfga,
	}
}

// fgaModel: viewers of a document are users, members of groups, owners, and viewers of its folder.
const fgaModel = `{"schema_version": "1.1", "type_definitions": [
{"type": "user"},
{"type": "group", "relations": {"member": {"this": {}}},
 "metadata": {"relations": {"member": {"directly_related_user_types": [{"type": "user"},
  {"type": "group", "relation": "member"}]}}}},
{"type": "folder", "relations": {"parent": {"this": {}}, "owner": {"this": {}}, "viewer": {"union": {"child": [{"this": {}},
  {"computedUserset": {"relation": "owner"}},
  {"tupleToUserset": {"tupleset": {"relation": "parent"}, "computedUserset": {"relation": "viewer"}}}]}}},
 "metadata": {"relations": {"parent": {"directly_related_user_types": [{"type": "folder"}]},
  "owner": {"directly_related_user_types": [{"type": "user"}]},
  "viewer": {"directly_related_user_types": [{"type": "user"}, {"type": "group", "relation": "member"}]}}}},
{"type": "document", "relations": {"parent": {"this": {}}, "owner": {"this": {}}, "banned": {"this": {}},
  "editor": {"union": {"child": [{"this": {}}, {"computedUserset": {"relation": "owner"}}]}},
  "viewer": {"difference": {"base": {"union": {"child": [{"this": {}}, {"computedUserset": {"relation": "editor"}},
   {"tupleToUserset": {"tupleset": {"relation": "parent"}, "computedUserset": {"relation": "viewer"}}}]}},
   "subtract": {"computedUserset": {"relation": "banned"}}}}},
 "metadata": {"relations": {"parent": {"directly_related_user_types": [{"type": "folder"}]},
  "owner": {"directly_related_user_types": [{"type": "user"}]},
  "banned": {"directly_related_user_types": [{"type": "user"}]},
  "editor": {"directly_related_user_types": [{"type": "user"}, {"type": "group", "relation": "member"}]},
  "viewer": {"directly_related_user_types": [{"type": "user"}, {"type": "group", "relation": "member"}]}}}}]}`

const fgaUsers, fgaGroups, fgaFolders, fgaDocuments = 200, 20, 30, 400

type fgaTuple struct {
	User     string `json:"user"`
	Relation string `json:"relation"`
	Object   string `json:"object"`
}

// fgaTuples are who belongs where at first.
func fgaTuples(r *rand.Rand) []fgaTuple {
	var all []fgaTuple
	user := func() string { return fmt.Sprintf("user:u%d", r.IntN(fgaUsers)) }
	for i := range fgaUsers {
		all = append(all, fgaTuple{fmt.Sprintf("user:u%d", i), "member", fmt.Sprintf("group:g%d", i%fgaGroups)})
	}
	for i := 1; i < fgaGroups; i += 2 {
		all = append(all, fgaTuple{fmt.Sprintf("group:g%d#member", i), "member", fmt.Sprintf("group:g%d", i/2)})
	}
	for i := range fgaFolders {
		folder := fmt.Sprintf("folder:f%d", i)
		all = append(all, fgaTuple{user(), "owner", folder},
			fgaTuple{fmt.Sprintf("group:g%d#member", r.IntN(fgaGroups)), "viewer", folder})
		if i > 0 {
			all = append(all, fgaTuple{fmt.Sprintf("folder:f%d", (i-1)/3), "parent", folder})
		}
	}
	for i := range fgaDocuments {
		document := fmt.Sprintf("document:d%d", i)
		all = append(all, fgaTuple{user(), "owner", document},
			fgaTuple{fmt.Sprintf("folder:f%d", r.IntN(fgaFolders)), "parent", document})
		if i%10 == 0 {
			all = append(all, fgaTuple{user(), "banned", document})
		}
	}
	return all
}

func loadOpenfga(ctx context.Context, on Target) error {
	base := "http://" + on.Addr
	create := func(q request, into any) error {
		status, got, err := send(ctx, http.DefaultClient, base, q)
		if err == nil && status >= 300 {
			err = fmt.Errorf("openfga: %s: %d: %s", q.path, status, got)
		}
		if err == nil && into != nil {
			err = json.Unmarshal(got, into)
		}
		return err
	}
	var store struct{ ID string }
	if err := create(post("/stores", `{"name":"drive"}`), &store); err != nil {
		return err
	}
	path := "/stores/" + store.ID
	var model struct {
		ID string `json:"authorization_model_id"`
	}
	if err := create(post(path+"/authorization-models", fgaModel), &model); err != nil {
		return err
	}
	all := fgaTuples(rand.New(rand.NewPCG(1, 73)))
	for len(all) > 0 {
		n := min(50, len(all))
		if err := create(fgaWrite(path, model.ID, "writes", all[:n]...), nil); err != nil {
			return err
		}
		all = all[n:]
	}
	clients := times(8, browser(on, base, func(r *rand.Rand) request { return fgaRequest(r, path, model.ID) }))
	clients = append(clients, times(2, func(ctx context.Context, i int) error { // shares something, and takes it back
		n := 0
		shared := fgaTuple{Relation: "editor"}
		return browser(on, base, func(r *rand.Rand) request {
			if n++; n%2 == 0 {
				return fgaWrite(path, model.ID, "deletes", shared)
			}
			shared.User = fmt.Sprintf("user:u%d", r.IntN(fgaUsers))
			shared.Object = fmt.Sprintf("document:d%d", r.IntN(fgaDocuments/2)*2+i)
			return fgaWrite(path, model.ID, "writes", shared)
		})(ctx, i)
	})...)
	return together(ctx, clients...)
}

// fgaWrite does something with tuples.
func fgaWrite(path, model, what string, tuples ...fgaTuple) request {
	body, _ := json.Marshal(map[string]any{"authorization_model_id": model, // texts
		what: map[string]any{"tuple_keys": tuples}})
	return post(path+"/write", string(body))
}

// fgaRequest is mostly whether one may read a document.
func fgaRequest(r *rand.Rand, path, model string) request {
	user, document := fmt.Sprintf("user:u%d", r.IntN(fgaUsers)), fmt.Sprintf("document:d%d", r.IntN(fgaDocuments))
	relation := pick(r, []string{"viewer", "viewer", "viewer", "editor", "owner"})
	what, body := "", map[string]any{"authorization_model_id": model}
	switch r.IntN(20) {
	case 0:
		what, body["type"], body["relation"], body["user"] = "/list-objects", "document", relation, user
	case 1:
		what, body["relation"] = "/list-users", relation
		body["object"] = map[string]string{"type": "document", "id": document[len("document:"):]}
		body["user_filters"] = []any{map[string]string{"type": "user"}}
	case 2:
		what, body["tuple_key"] = "/expand", map[string]string{"relation": relation, "object": document}
	case 3:
		delete(body, "authorization_model_id")
		what, body["tuple_key"] = "/read", map[string]string{"object": document}
	case 4, 5:
		var checks []any
		for i := range 20 {
			checks = append(checks, map[string]any{"correlation_id": fmt.Sprint(i),
				"tuple_key": fgaTuple{user, relation, fmt.Sprintf("document:d%d", r.IntN(fgaDocuments))}})
		}
		what, body["checks"] = "/batch-check", checks
	default:
		what, body["tuple_key"] = "/check", fgaTuple{user, relation, document}
	}
	q, _ := json.Marshal(body) // texts
	return post(path+what, string(q))
}
