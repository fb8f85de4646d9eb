package kubetest

import (
	"encoding/json"
	"encoding/pem"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// known are the parameters of a list or a watch that the API has, and this server understands.
var known = []string{"limit", "continue", "fieldSelector", "labelSelector", "watch", "allowWatchBookmarks",
	"resourceVersion", "timeoutSeconds"}

// read lists pods or watches them.
func (s *Server) read(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	for name := range q {
		if !slices.Contains(known, name) {
			Refuse(w, http.StatusBadRequest, "BadRequest", "unknown parameter "+name)
			return
		}
	}
	if q.Get("watch") == "" {
		s.list(w, r)
		return
	}
	s.watch(w, r)
}

// wants reports whether a request means a pod.
func wants(r *http.Request, pod Object) bool {
	meta := pod["metadata"].(Object)
	if ns := r.PathValue("namespace"); ns != "" && meta["namespace"] != ns {
		return false
	}
	phase := fmt.Sprint(pod["status"].(Object)["phase"])
	for _, term := range terms(r.URL.Query().Get("fieldSelector")) {
		if name, not, ok := strings.Cut(term, "!="); !ok || name != "status.phase" || phase == not {
			return false
		}
	}
	labels, _ := meta["labels"].(Object)
	for _, term := range terms(r.URL.Query().Get("labelSelector")) {
		if name, value, ok := strings.Cut(term, "="); !ok || labels[name] != value {
			return false
		}
	}
	return true
}

func terms(selector string) []string {
	return strings.FieldsFunc(selector, func(r rune) bool { return r == ',' })
}

// list answers with one page. The continuation is "VERSION:NAME".
func (s *Server) list(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	limit, _ := strconv.Atoi(q.Get("limit"))
	s.mu.Lock()
	defer s.mu.Unlock()
	version, after := s.version, ""
	if token := q.Get("continue"); token != "" {
		v, name, _ := strings.Cut(token, ":")
		version, _ = strconv.Atoi(v)
		after = name
		if version < s.oldest {
			Refuse(w, http.StatusGone, "Expired", "The provided continue parameter is too old")
			return
		}
	}
	meta := Object{"resourceVersion": strconv.Itoa(version)}
	items := []Object{}
	for _, key := range slices.Sorted(maps.Keys(s.pods)) {
		if key <= after || !wants(r, s.pods[key]) {
			continue
		}
		if limit > 0 && len(items) == limit {
			last := items[limit-1]["metadata"].(Object)
			meta["continue"] = fmt.Sprintf("%d:%s/%s", version, last["namespace"], last["name"])
			break
		}
		items = append(items, s.pods[key])
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(struct {
		Kind       string   `json:"kind"`
		APIVersion string   `json:"apiVersion"`
		Metadata   Object   `json:"metadata"`
		Items      []Object `json:"items"`
	}{"PodList", "v1", meta, items})
}

// watch sends changes, a line of JSON each.
func (s *Server) watch(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	version, err := strconv.Atoi(q.Get("resourceVersion"))
	if err != nil {
		Refuse(w, http.StatusBadRequest, "BadRequest", "invalid resource version")
		return
	}
	seconds, err := strconv.Atoi(q.Get("timeoutSeconds"))
	if err != nil || seconds <= 0 {
		seconds = 1800
	}
	end := time.After(time.Duration(seconds) * time.Second)
	flush := http.NewResponseController(w)
	w.Header().Set("Content-Type", "application/json")
	for {
		s.mu.Lock()
		old := version < s.oldest
		var lines []Object
		for _, c := range s.history {
			if c.version > version {
				version = c.version
				if c.kind == "BOOKMARK" || wants(r, c.pod) {
					lines = append(lines, Object{"type": c.kind, "object": c.pod})
				}
			}
		}
		changed := s.changed
		s.mu.Unlock()
		if old {
			lines = []Object{{"type": "ERROR", "object": status(http.StatusGone, "Expired", "too old resource version")}}
		}
		for _, line := range lines {
			if json.NewEncoder(w).Encode(line) != nil {
				return
			}
		}
		if flush.Flush() != nil || old {
			return
		}
		select {
		case <-r.Context().Done():
			return
		case <-end:
			return
		case <-changed:
		}
	}
}

// Pod is one that runs, with one container that listens.
func Pod(namespace, name, ip string, annotations map[string]string, port int) Object {
	notes := Object{}
	for k, v := range annotations {
		notes[k] = v
	}
	return Object{"apiVersion": "v1", "kind": "Pod",
		"metadata": Object{"namespace": namespace, "name": name, "uid": "uid-of-" + namespace + "-" + name,
			"labels": Object{"app": name}, "annotations": notes},
		"spec": Object{"nodeName": "worker-1", "containers": []any{Object{"name": "app",
			"ports": []any{Object{"name": "pprof", "containerPort": port, "protocol": "TCP"}}}}},
		"status": Object{"phase": "Running", "podIP": ip,
			"conditions":        []any{Object{"type": "Ready", "status": "True"}},
			"containerStatuses": []any{Object{"name": "app", "state": Object{"running": Object{}}}}}}
}

func pemOf(der []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
}
