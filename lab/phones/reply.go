package phones

import (
	"errors"
	"net/http"

	"github.com/gocasebook/casebook/lab/serve"
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

func writeError(w http.ResponseWriter, status int, reply errorReply) {
	serve.WriteJSON(w, status, reply)
}
