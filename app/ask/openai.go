package ask

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
)

func chatCompletions() *protocol {
	return &protocol{
		path: "/chat/completions",
		authorize: func(h http.Header, key string) {
			h.Set("Authorization", "Bearer "+key)
		},
		body:     chatBody,
		whole:    chatWhole,
		event:    chatEvent,
		complete: []string{"stop"},
		tokens:   []string{"length"},
	}
}

type chatMessage struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// chatBody bounds tokens by max_tokens, which all servers know but OpenAI's own for its newer models.
func chatBody(q *question) any {
	body := struct {
		Model         string         `json:"model"`
		Messages      []chatMessage  `json:"messages"`
		Tokens        int            `json:"max_tokens,omitempty"`
		NewTokens     int            `json:"max_completion_tokens,omitempty"`
		Stream        bool           `json:"stream,omitempty"`
		StreamOptions map[string]any `json:"stream_options,omitempty"`
	}{
		Model:    q.model,
		Messages: []chatMessage{{"system", q.prompt.System}, {"user", q.prompt.Text}},
		Stream:   q.stream,
	}
	if q.newTokens {
		body.NewTokens = q.tokens
	} else {
		body.Tokens = q.tokens
	}
	if q.stream {
		body.StreamOptions = map[string]any{"include_usage": true}
	}
	return body
}

// A chatAnswer is a chat completion, or a chunk of one.
type chatAnswer struct {
	Model   string `json:"model"`
	Choices []struct {
		Message struct {
			Content string `json:"content"`
			Refusal string `json:"refusal"`
		} `json:"message"`
		Delta struct {
			Content string `json:"content"`
		} `json:"delta"`
		FinishReason string `json:"finish_reason"`
	} `json:"choices"`
	Usage struct {
		Prompt     int `json:"prompt_tokens"`
		Completion int `json:"completion_tokens"`
	} `json:"usage"`
	Error json.RawMessage `json:"error"` // also of a stream that began well
}

// piece is what both forms have in common.
func (a *chatAnswer) piece() (piece, error) {
	if err := errorIn(a.Error); err != nil {
		return piece{}, err
	}
	p := piece{model: a.Model, in: a.Usage.Prompt, out: a.Usage.Completion}
	if len(a.Choices) > 0 {
		p.stop = a.Choices[0].FinishReason
	}
	return p, nil
}

func chatWhole(data []byte) (piece, error) {
	var a chatAnswer
	if err := json.Unmarshal(data, &a); err != nil {
		return piece{}, fmt.Errorf("the answer is not a chat completion: %w", err)
	}
	p, err := a.piece()
	if err != nil {
		return p, err
	}
	if len(a.Choices) == 0 {
		return p, errors.New("the answer is not a chat completion: it has no choices")
	}
	m := a.Choices[0].Message
	if m.Content == "" && m.Refusal != "" {
		return p, fmt.Errorf("the model refuses to answer: %s", short(m.Refusal))
	}
	p.text = m.Content
	return p, nil
}

func chatEvent(data []byte) (piece, error) {
	if bytes.Equal(bytes.TrimSpace(data), []byte("[DONE]")) {
		return piece{last: true}, nil
	}
	var a chatAnswer
	if err := json.Unmarshal(data, &a); err != nil {
		return piece{}, fmt.Errorf("the stream is not one of chat completions: %w", err)
	}
	p, err := a.piece()
	if err == nil && len(a.Choices) > 0 {
		p.text = a.Choices[0].Delta.Content
	}
	return p, err
}
