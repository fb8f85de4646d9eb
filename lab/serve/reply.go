package serve

import (
	"encoding/json"
	"net/http"
)

// WriteJSON answers with a value that always encodes (plain structs). A failed write means that the client has gone.
func WriteJSON(w http.ResponseWriter, status int, value any) {
	body, err := json.Marshal(value)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n'))
}

// Health answers GET /healthz: the process answers.
func Health(w http.ResponseWriter, _ *http.Request) {
	WriteJSON(w, http.StatusOK, map[string]string{"status": "ok"})
}

// WriteReady answers GET /readyz with the state of a service: 200 when it is ready, else 503.
func WriteReady(w http.ResponseWriter, ready bool, state any) {
	status := http.StatusOK
	if !ready {
		status = http.StatusServiceUnavailable
	}
	WriteJSON(w, status, state)
}
