// Package http_reporter is the API of mosn.io/holmes/reporters/http_reporter v1.0.2: it posts every dump of package
// holmes to a URL, as a form.
//
// The form (multipart/form-data) has the file of the dump as "profile" (go-pprof-profile), and the fields token,
// profile_type, event_id and comment, which is the reason. The server answers with JSON, {"code": 1}; any other code is
// an error with its "message". What differs from holmes: a server that does not answer is given up after Timeout, a
// status of 400 and above is an error, no more than 64 KiB of the answer are read, and a redirect to another host is
// not followed, because the form has the token.
package http_reporter //nolint:revive // the name is that of mosn.io/holmes

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"time"

	"github.com/gocasebook/casebook/holmes"
	"github.com/gocasebook/casebook/internal/redirect"
)

// Timeout bounds one report. Reports wait for one another, so that holmes' lack of one stops all later ones.
const Timeout = 30 * time.Second

// maxAnswer bounds what is read of an answer, bytes.
const maxAnswer = 64 << 10

// HttpReporter posts dumps. Make it with NewReporter.
type HttpReporter struct {
	token  string
	url    string
	client *http.Client
}

// A Response is what the server answers.
type Response struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// NewReporter returns a reporter for holmes.WithProfileReporter. The token is a field of the form.
func NewReporter(token string, url string) holmes.ProfileReporter {
	client := &http.Client{Timeout: Timeout, CheckRedirect: redirect.SameHost}
	return &HttpReporter{token: token, url: url, client: client}
}

// Report posts the file of a dump. An error says what the server answered.
func (r *HttpReporter) Report(ptype string, filename string, reason holmes.ReasonType, eventID string, _ time.Time,
	_ []byte, _ holmes.Scene) error {
	if filename == "" {
		return errors.New("http reporter: the dump has no file")
	}
	data, err := os.ReadFile(filename) //nolint:gosec // it is the dump's
	if err != nil {
		return fmt.Errorf("http reporter: reading the dump: %w", err)
	}
	body, contentType, err := form(data, [][2]string{{"token", r.token}, {"profile_type", ptype},
		{"event_id", eventID}, {"comment", reason.String()}})
	if err != nil {
		return fmt.Errorf("http reporter: %w", err)
	}
	if err := r.post(body, contentType); err != nil {
		return fmt.Errorf("http reporter: %w", err)
	}
	return nil
}

func form(profile []byte, fields [][2]string) (body *bytes.Buffer, contentType string, err error) {
	body = new(bytes.Buffer)
	w := multipart.NewWriter(body)
	part, err := w.CreateFormFile("profile", "go-pprof-profile")
	if err == nil {
		_, err = part.Write(profile)
	}
	for _, f := range fields {
		err = errors.Join(err, w.WriteField(f[0], f[1]))
	}
	if err = errors.Join(err, w.Close()); err != nil {
		return nil, "", fmt.Errorf("making the form: %w", err)
	}
	return body, w.FormDataContentType(), nil
}

func (r *HttpReporter) post(body *bytes.Buffer, contentType string) error {
	req, err := http.NewRequest(http.MethodPost, r.url, body) //nolint:noctx // the client has a timeout
	if err != nil {
		return fmt.Errorf("making a request: %w", err)
	}
	req.Header.Set("Content-Type", contentType)
	resp, err := r.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil {
		return fmt.Errorf("reading the answer: %w", err)
	}
	if resp.StatusCode >= http.StatusMultipleChoices {
		return fmt.Errorf("the server answered %s", resp.Status)
	}
	var answer Response
	if err := json.Unmarshal(data, &answer); err != nil {
		return fmt.Errorf("the answer is not the JSON that was expected: %w", err)
	}
	if answer.Code != 1 {
		return fmt.Errorf("the server answered with code %d, %q", answer.Code, answer.Message)
	}
	return nil
}
