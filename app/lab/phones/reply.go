package phones

import (
	"encoding/json"
	"errors"
	"net/http"
)

// An errorReply is the body of every answer that is not a success.
type errorReply struct {
	Error    string `json:"error"`
	Field    string `json:"field,omitempty"`    // the input at fault, of a 400
	Upstream string `json:"upstream,omitempty"` // the service at fault, of a 404, 502 or 504
}

// fieldOf is the input that err blames, if it blames one.
func fieldOf(err error) string {
	var field *fieldError
	if errors.As(err, &field) {
		return field.Field
	}
	return ""
}

func writeError(w http.ResponseWriter, status int, reply errorReply) { writeJSON(w, status, reply) }

// writeJSON answers with a value that always encodes (plain structs). A failed write means that the client has gone.
func writeJSON(w http.ResponseWriter, status int, value any) {
	body, err := json.Marshal(value)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n'))
}
