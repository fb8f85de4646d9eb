package heavy

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// pocketbase is the backend of an application with projects, tasks and comments, in SQLite: the application's users
// list, search and edit them, and are told of what others change. Below /tmp it takes itself for a program of go run,
// whose development mode prints each query; --dev=false is what a server has.
func pocketbase() Service {
	return Service{
		Name: "pocketbase", Module: "github.com/pocketbase/pocketbase", Version: "v0.36.8", Main: "examples/base",
		Unseen: true,
		Args: []string{"serve", "--dev=false", "--http=127.0.0.1:{port}", "--dir={dir}/data", "--migrationsDir={dir}",
			"--hooksWatch=false", "--automigrate=false"},
		Config: map[string]string{"1800000000_application.js": `migrate((app) => {
  const own = "@request.auth.id != ''"
  const rules = {listRule: own, viewRule: own, createRule: own, updateRule: own, deleteRule: own}
  const stamp = [{name: "created", type: "autodate", onCreate: true},
    {name: "updated", type: "autodate", onCreate: true, onUpdate: true}]
  const users = app.findCollectionByNameOrId("users")
  const projects = new Collection({...rules, type: "base", name: "projects", fields: [
    {name: "title", type: "text", required: true, max: 200}, {name: "about", type: "editor"},
    {name: "members", type: "relation", collectionId: users.id, maxSelect: 20}, ...stamp]})
  app.save(projects)
  const tasks = new Collection({...rules, type: "base", name: "tasks",
    listRule: "@request.auth.id != '' && project.members.id ?= @request.auth.id",
    fields: [
      {name: "title", type: "text", required: true}, {name: "body", type: "editor"}, {name: "points", type: "number"},
      {name: "state", type: "select", values: ["open", "doing", "done"], maxSelect: 1}, {name: "due", type: "date"},
      {name: "labels", type: "json"}, {name: "urgent", type: "bool"}, {name: "link", type: "url"},
      {name: "project", type: "relation", collectionId: projects.id, maxSelect: 1, cascadeDelete: true},
      {name: "owner", type: "relation", collectionId: users.id, maxSelect: 1}, ...stamp],
    indexes: ["create index tasks_project on tasks (project, created)"]})
  app.save(tasks)
  app.save(new Collection({...rules, type: "base", name: "comments", fields: [
    {name: "text", type: "text", required: true},
    {name: "task", type: "relation", collectionId: tasks.id, maxSelect: 1, cascadeDelete: true},
    {name: "author", type: "relation", collectionId: users.id, maxSelect: 1}, ...stamp],
    indexes: ["create index comments_task on comments (task, created)"]}))
})
`},
		Ready: "/api/health",
		Load:  loadPocketbase,
	}
}

// A pocketbaseClient is one user of the application.
type pocketbaseClient struct {
	on       Target
	client   http.Client
	id, auth string
	projects []string
}

// ask sends a request and reads the answer into v.
func (c *pocketbaseClient) ask(ctx context.Context, q request, v any) error {
	q.header = map[string]string{"Content-Type": "application/json", "Authorization": c.auth,
		"User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"}
	status, body, err := send(ctx, &c.client, "http://"+c.on.Addr, q)
	if err == nil && status >= 400 {
		err = fmt.Errorf("pocketbase: %s %s: %d: %s", q.method, q.path, status, body)
	}
	if err == nil && v != nil && len(body) > 0 {
		err = json.Unmarshal(body, v)
	}
	return err
}

// pocketbasePassword is of users who live for two minutes, on loopback.
const pocketbasePassword = "a-password-of-two-minutes"

const pocketbaseRecords = "/api/collections/%s/records"

// login makes a user and gets a token.
func (c *pocketbaseClient) login(ctx context.Context, i int) error {
	mail := fmt.Sprintf("user%d@example.com", i)
	var made struct{ ID string }
	user := fmt.Sprintf(`{"email":%q,"name":"User %d","password":%q,"passwordConfirm":%q}`, mail, i, pocketbasePassword,
		pocketbasePassword)
	if err := c.ask(ctx, post(fmt.Sprintf(pocketbaseRecords, "users"), user), &made); err != nil {
		return err
	}
	c.id = made.ID
	var in struct{ Token string }
	err := c.ask(ctx, post("/api/collections/users/auth-with-password",
		fmt.Sprintf(`{"identity":%q,"password":%q}`, mail, pocketbasePassword)), &in)
	c.auth = in.Token
	return err
}

func loadPocketbase(ctx context.Context, on Target) error {
	users := make([]*pocketbaseClient, 24)
	var ids []string
	for i := range users {
		users[i] = &pocketbaseClient{on: on}
		if err := users[i].login(ctx, i); err != nil {
			return err
		}
		ids = append(ids, users[i].id)
	}
	r := rand.New(rand.NewPCG(1, 19))
	var projects []string
	for range 12 {
		body, _ := json.Marshal(map[string]any{"title": text(r, 3), "about": "<p>" + text(r, 40) + "</p>", // texts
			"members": ids[r.IntN(3):][:20]})
		var made struct{ ID string }
		if err := users[0].ask(ctx, post(fmt.Sprintf(pocketbaseRecords, "projects"), string(body)), &made); err != nil {
			return err
		}
		projects = append(projects, made.ID)
	}
	clients := times(16, func(ctx context.Context, i int) error {
		users[i].projects = projects
		return users[i].work(ctx, rand.New(rand.NewPCG(uint64(i), 20)))
	})
	clients = append(clients, times(len(users)-16, func(ctx context.Context, i int) error {
		return users[i+16].listen(ctx)
	})...)
	return together(ctx, clients...)
}

// work opens a project, reads some of its tasks, and comments on, changes, makes and deletes some.
func (c *pocketbaseClient) work(ctx context.Context, r *rand.Rand) error {
	tasks, comments := fmt.Sprintf(pocketbaseRecords, "tasks"), fmt.Sprintf(pocketbaseRecords, "comments")
	do := func(q request, v any) {
		err := c.ask(ctx, q, v)
		c.on.Seen.Is(err == nil || ctx.Err() != nil)
	}
	for ctx.Err() == nil {
		project := pick(r, c.projects)
		filters := []string{"project='" + project + "'", "project='" + project + "' && state!='done'",
			"project.title~'river' && points>3", "owner='" + c.id + "' && (urgent=true || due<@now)",
			"title~'" + pick(r, words[:20]) + "'"}
		list := url.Values{"filter": {pick(r, filters)},
			"sort":   {pick(r, []string{"-created", "state,-points", "title"})},
			"expand": {"owner,project"}, "perPage": {"30"}, "page": {fmt.Sprint(1 + r.IntN(2))}}
		if r.IntN(3) == 0 {
			list.Set("skipTotal", "1")
			list.Set("fields", "id,title,state,owner,expand.owner.name")
		}
		var found struct{ Items []struct{ ID string } }
		do(get(tasks+"?"+list.Encode()), &found)
		for range 3 {
			if len(found.Items) == 0 {
				break
			}
			id := pick(r, found.Items).ID
			do(get(tasks+"/"+id+"?expand=owner,project.members"), nil)
			do(get(comments+"?"+url.Values{"filter": {"task='" + id + "'"}, "sort": {"created"},
				"expand": {"author"}}.Encode()), nil)
			switch r.IntN(5) {
			case 0:
				body, _ := json.Marshal(map[string]any{"text": text(r, 25), "task": id, "author": c.id}) // texts
				do(post(comments, string(body)), nil)
			case 1:
				do(request{method: http.MethodPatch, path: tasks + "/" + id,
					body: `{"state":"` + pick(r, []string{"open", "doing", "done"}) + `","points+":1}`}, nil)
			}
		}
		body, _ := json.Marshal(map[string]any{"title": text(r, 5), "body": "<p>" + text(r, 60) + "</p>",
			"points": r.IntN(9), "state": "open", "urgent": r.IntN(5) == 0,
			"due":    time.Now().Add(time.Hour).UTC().Format(time.RFC3339),
			"labels": []string{pick(r, words), pick(r, words)}, "link": "https://example.com/" + fmt.Sprint(r.IntN(99)),
			"project": project, "owner": c.id}) // texts and numbers
		do(post(tasks, string(body)), nil)
		switch r.IntN(40) {
		case 0:
			do(post("/api/collections/users/auth-refresh", ""), nil)
		case 1:
			do(get(fmt.Sprintf(pocketbaseRecords, "projects")+"?expand=members"), nil)
		case 2, 3, 4:
			if len(found.Items) > 0 {
				c.ask(ctx, request{method: http.MethodDelete, path: tasks + "/" + pick(r, found.Items).ID}, nil)
			}
		}
	}
	return nil
}

// listen subscribes to what changes.
func (c *pocketbaseClient) listen(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+c.on.Addr+"/api/realtime", nil)
	if err != nil {
		return err
	}
	res, err := c.client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	in := bufio.NewScanner(res.Body)
	for in.Scan() { // "id:", "event:PB_CONNECT", "data:{...}"
		data, ok := strings.CutPrefix(in.Text(), "data:")
		if !ok {
			continue
		}
		var hello struct{ ClientID string }
		if err := json.Unmarshal([]byte(data), &hello); err != nil {
			return err
		}
		want := `{"clientId":"` + hello.ClientID + `","subscriptions":["tasks/*","comments/*"]}`
		if err := c.ask(ctx, post("/api/realtime", want), nil); err != nil {
			return err
		}
		break
	}
	_, err = io.Copy(io.Discard, res.Body)
	return err
}
