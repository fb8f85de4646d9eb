package ask

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// apiVersion is the version of the protocol that is spoken here: https://docs.anthropic.com/en/api/versioning
const apiVersion = "2023-06-01"

func messages() *protocol {
	return &protocol{
		path:    "/messages",
		version: "/v1",
		authorize: func(h http.Header, key string) {
			h.Set("X-Api-Key", key)
		},
		body:     messageBody,
		whole:    messageWhole,
		event:    messageEvent,
		complete: []string{"end_turn", "stop_sequence"},
		tokens:   []string{"max_tokens", "model_context_window_exceeded"},
	}
}

func messageBody(q *question) any {
	return struct {
		Model    string        `json:"model"`
		Tokens   int           `json:"max_tokens"`
		System   string        `json:"system,omitempty"`
		Messages []chatMessage `json:"messages"`
		Stream   bool          `json:"stream,omitempty"`
	}{q.model, q.tokens, q.prompt.System, []chatMessage{{"user", q.prompt.Text}}, q.stream}
}

type messageUsage struct {
	In  int `json:"input_tokens"`
	Out int `json:"output_tokens"`
}

func messageWhole(data []byte) (piece, error) {
	var m struct {
		Type    string `json:"type"`
		Model   string `json:"model"`
		Content []struct {
			Type string `json:"type"`
			Text string `json:"text"`
		} `json:"content"`
		StopReason string          `json:"stop_reason"`
		Usage      messageUsage    `json:"usage"`
		Error      json.RawMessage `json:"error"`
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return piece{}, fmt.Errorf("the answer is not a message: %w", err)
	}
	if err := errorIn(m.Error); err != nil {
		return piece{}, err
	}
	if m.Type != "message" {
		return piece{}, errors.New("the answer is not a message: its type is another")
	}
	var text strings.Builder
	for _, c := range m.Content {
		if c.Type == "text" { // others hold what the model thought
			text.WriteString(c.Text)
		}
	}
	return piece{text: text.String(), model: m.Model, stop: m.StopReason, in: m.Usage.In, out: m.Usage.Out}, nil
}

// messageEvent reads an event by the type in its data, which is the event's name, too. The protocol asks clients to
// pass over types that they do not know.
func messageEvent(data []byte) (piece, error) {
	var e struct {
		Type    string `json:"type"`
		Message struct {
			Model string       `json:"model"`
			Usage messageUsage `json:"usage"`
		} `json:"message"`
		Delta struct {
			Type       string `json:"type"`
			Text       string `json:"text"`
			StopReason string `json:"stop_reason"`
		} `json:"delta"`
		Usage messageUsage    `json:"usage"`
		Error json.RawMessage `json:"error"`
	}
	if err := json.Unmarshal(data, &e); err != nil {
		return piece{}, fmt.Errorf("the stream is not one of messages: %w", err)
	}
	switch e.Type {
	case "error":
		return piece{}, errorIn(e.Error)
	case "message_start":
		return piece{model: e.Message.Model, in: e.Message.Usage.In}, nil
	case "content_block_delta":
		if e.Delta.Type == "text_delta" {
			return piece{text: e.Delta.Text}, nil
		}
	case "message_delta":
		return piece{stop: e.Delta.StopReason, out: e.Usage.Out}, nil
	case "message_stop":
		return piece{last: true}, nil
	}
	return piece{}, nil
}
