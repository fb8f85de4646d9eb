package feature

import (
	"net/http"
	"strconv"

	"github.com/gocasebook/casebook/lab/serve"
)

// An errorReply is the body of every answer that is not a success.
type errorReply struct {
	Error    string `json:"error"`
	Field    string `json:"field,omitempty"`    // the input at fault, of a 400
	Upstream string `json:"upstream,omitempty"` // the service at fault, of a 502 or 504
}

// writeBytes answers with JSON that is ready. A failed write means that the client has gone.
func writeBytes(w http.ResponseWriter, body []byte) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body)
}

func badInput(w http.ResponseWriter, field string, err error) outcome {
	serve.WriteJSON(w, http.StatusBadRequest, errorReply{Error: field + ": " + err.Error(), Field: field})
	return badRequest
}

// refuse answers 503: the caller may come back in a second.
func refuse(w http.ResponseWriter, why string) outcome {
	w.Header().Set("Retry-After", "1")
	serve.WriteJSON(w, http.StatusServiceUnavailable, errorReply{Error: why})
	return refused
}
