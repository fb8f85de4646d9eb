package heavy

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
)

// perses keeps dashboards, in files: people open them and lists of them, and some save theirs.
func perses() Service {
	return Service{
		Name: "perses", Module: "github.com/perses/perses", Version: "v0.50.3", Main: "cmd/perses", Unseen: true,
		Args:   []string{"-config", "{dir}/perses.yaml", "-web.listen-address", "127.0.0.1:{port}"},
		Config: map[string]string{"perses.yaml": persesConfig},
		// Made by a script, with the pages that npm builds.
		Missing: map[string]string{"ui/embed.go": "package ui\n\nimport \"embed\"\n\nvar embedFS embed.FS\n"},
		Ready:   "/api/v1/projects",
		Load:    loadPerses,
	}
}

const persesConfig = `database:
  file:
    folder: "{dir}/db"
    extension: "json"
schemas:
  panels_path: "{sources}/perses/cue/schemas/panels"
  queries_path: "{sources}/perses/cue/schemas/queries"
  datasources_path: "{sources}/perses/cue/schemas/datasources"
  variables_path: "{sources}/perses/cue/schemas/variables"
frontend:
  disable: true
`

const persesProjects, persesDashboards = 8, 12

func persesProject(i int) request {
	return post("/api/v1/projects", fmt.Sprintf(`{"kind":"Project","metadata":{"name":"project-%d"},"spec":{}}`, i))
}

// persesDashboard is a dashboard with as many panels as people have on a screen or two.
func persesDashboard(r *rand.Rand, project, n int) string {
	panels, items := map[string]any{}, []any{}
	for i := range 8 {
		name := fmt.Sprintf("panel-%d", i)
		panels[name] = map[string]any{"kind": "Panel", "spec": map[string]any{"display": map[string]any{"name": text(r, 3)},
			"plugin": map[string]any{"kind": "TimeSeriesChart", "spec": map[string]any{}},
			"queries": []any{map[string]any{"kind": "TimeSeriesQuery", "spec": map[string]any{"plugin": map[string]any{
				"kind": "PrometheusTimeSeriesQuery", "spec": map[string]any{"query": fmt.Sprintf("rate(requests_total{n=%q}[5m])", name)}}}}}}}
		items = append(items, map[string]any{"x": i % 2 * 12, "y": i / 2 * 6, "width": 12, "height": 6,
			"content": map[string]any{"$ref": "#/spec/panels/" + name}})
	}
	body, _ := json.Marshal(map[string]any{"kind": "Dashboard", // texts and numbers
		"metadata": map[string]any{"name": fmt.Sprintf("dashboard-%d", n), "project": fmt.Sprintf("project-%d", project)},
		"spec": map[string]any{"duration": "1h", "panels": panels, "variables": []any{map[string]any{"kind": "TextVariable",
			"spec": map[string]any{"name": "env", "value": "prod"}}},
			"layouts": []any{map[string]any{"kind": "Grid", "spec": map[string]any{"items": items}}}}})
	return string(body)
}

func loadPerses(ctx context.Context, on Target) error {
	base, client := "http://"+on.Addr, &http.Client{}
	r := rand.New(rand.NewPCG(1, 73))
	for p := range persesProjects {
		if status, body, err := send(ctx, client, base, persesProject(p)); err != nil || status >= 400 {
			return fmt.Errorf("making a project: %d %s %w", status, body, err)
		}
		for n := range persesDashboards {
			path := fmt.Sprintf("/api/v1/projects/project-%d/dashboards", p)
			if status, body, err := send(ctx, client, base, post(path, persesDashboard(r, p, n))); err != nil || status >= 400 {
				return fmt.Errorf("making a dashboard: %d %s %w", status, body, err)
			}
		}
	}
	read := browser(on, base, func(r *rand.Rand) request {
		of := fmt.Sprintf("/api/v1/projects/project-%d/", r.IntN(persesProjects))
		switch r.IntN(10) {
		case 0:
			return get("/api/v1/projects")
		case 1:
			return get(of + "dashboards")
		case 2:
			return get("/api/v1/dashboards?metadata_only=true")
		case 3:
			return get(of + "datasources")
		}
		return get(fmt.Sprintf("%sdashboards/dashboard-%d", of, r.IntN(persesDashboards)))
	})
	save := browser(on, base, func(r *rand.Rand) request {
		p, n := r.IntN(persesProjects), r.IntN(persesDashboards)
		q := post(fmt.Sprintf("/api/v1/projects/project-%d/dashboards/dashboard-%d", p, n), persesDashboard(r, p, n))
		q.method = http.MethodPut
		return q
	})
	return together(ctx, append(times(6, read), times(1, save)...)...)
}
