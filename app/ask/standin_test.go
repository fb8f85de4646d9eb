package ask

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gocasebook/casebook/internal/leaktest"
)

// modeEnv makes this test binary a command that answers.
const modeEnv = "ASK_TEST_MODE"

func TestMain(m *testing.M) {
	if mode := os.Getenv(modeEnv); mode != "" {
		os.Exit(beCommand(mode))
	}
	os.Exit(leaktest.Check(m.Run(), "casebook/app/ask."))
}

// key is the endpoints' key, and keyEnv has it.
const (
	key    = "sk-test-0123456789abcdef"
	keyEnv = "ASK_TEST_KEY"
)

// prompt is what the tests send.
func prompt() Prompt {
	return Prompt{System: "Answer in JSON.", Text: "W1: 472 goroutines wait at main.go:34"}
}

// A standIn is an endpoint of one of the protocols on loopback, which keeps what it received.
type standIn struct {
	*httptest.Server

	mu       sync.Mutex // guards what follows
	requests []received
}

type received struct {
	path   string
	header http.Header
	body   string
}

// newStandIn answers the n-th request, counted from 0, by answer.
func newStandIn(t *testing.T, answer func(w http.ResponseWriter, r *http.Request, n int)) *standIn {
	t.Helper()
	s := &standIn{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		n := len(s.requests)
		s.requests = append(s.requests, received{r.URL.RequestURI(), r.Header.Clone(), string(body)})
		s.mu.Unlock()
		answer(w, r, n)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *standIn) got() []received {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]received(nil), s.requests...)
}

// agent is one that asks the stand-in.
func (s *standIn) agent(t *testing.T, p Protocol) Agent {
	t.Helper()
	t.Setenv(keyEnv, key)
	return Agent{Name: "stand-in", Protocol: p, URL: s.URL, Model: "model-1", KeyEnv: keyEnv}
}

// both runs a test with each protocol.
func both(t *testing.T, test func(t *testing.T, p Protocol)) {
	t.Helper()
	for _, p := range []Protocol{OpenAI, Anthropic} {
		t.Run(string(p), func(t *testing.T) { test(t, p) })
	}
}

// send asks without waiting between tries.
func send(t *testing.T, a Agent, l Limits) (Reply, error) {
	t.Helper()
	return askWith(t.Context(), a, prompt(), l, pauses(new([]time.Duration)))
}

// pauses notes what is waited for, and does not wait.
func pauses(waited *[]time.Duration) pauser {
	return func(_ context.Context, d time.Duration) error { *waited = append(*waited, d); return nil }
}

// whole is an answer in one piece, as the protocol's documentation has it.
func whole(p Protocol, text, stop string) string {
	if p == OpenAI {
		return fmt.Sprintf(`{"id":"chatcmpl-1","object":"chat.completion","created":1741569952,"model":"model-1-2026",
			"choices":[{"index":0,"message":{"role":"assistant","content":%s,"refusal":null,"annotations":[]},
			"logprobs":null,"finish_reason":%s}],
			"usage":{"prompt_tokens":19,"completion_tokens":10,"total_tokens":29}}`, quoted(text), quoted(stop))
	}
	return fmt.Sprintf(`{"id":"msg_1","type":"message","role":"assistant","model":"model-1-2026",
		"content":[{"type":"thinking","thinking":"hm","signature":"x"},{"type":"text","text":%s}],
		"stop_reason":%s,"stop_sequence":null,"usage":{"input_tokens":19,"output_tokens":10}}`, quoted(text),
		quoted(stop))
}

// streamed are the events of the same answer.
func streamed(p Protocol, text, stop string) []string {
	a, b := text[:len(text)/2], text[len(text)/2:]
	if p == OpenAI {
		chunk := func(delta, finish, usage string) string {
			return fmt.Sprintf("data: "+`{"id":"chatcmpl-1","object":"chat.completion.chunk","model":"model-1-2026",`+
				`"choices":[%s],"usage":%s}`+"\n\n", choice(delta, finish), usage)
		}
		return []string{chunk(`{"role":"assistant","content":""}`, "null", "null"),
			chunk(`{"content":`+quoted(a)+`}`, "null", "null"), chunk(`{"content":`+quoted(b)+`}`, "null", "null"),
			chunk(`{}`, quoted(stop), "null"), chunk("", "", `{"prompt_tokens":19,"completion_tokens":10}`),
			"data: [DONE]\n\n"}
	}
	event := func(kind, rest string) string {
		return fmt.Sprintf("event: %s\ndata: {\"type\":%q%s}\n\n", kind, kind, rest)
	}
	delta := func(text string) string {
		return event("content_block_delta", `,"index":0,"delta":{"type":"text_delta","text":`+quoted(text)+`}`)
	}
	return []string{
		event("message_start", `,"message":{"type":"message","model":"model-1-2026","content":[],"stop_reason":null,`+
			`"usage":{"input_tokens":19,"output_tokens":1}}`),
		event("content_block_start", `,"index":0,"content_block":{"type":"text","text":""}`), event("ping", ""),
		delta(a), delta(b), event("content_block_stop", `,"index":0`), event("something_new", `,"text":"no"`),
		event("message_delta", `,"delta":{"stop_reason":`+quoted(stop)+`,"stop_sequence":null},`+
			`"usage":{"output_tokens":10}`),
		event("message_stop", ""),
	}
}

// half is the number of events with the first half of the text.
func half(p Protocol) int {
	if p == OpenAI {
		return 2
	}
	return 4
}

func choice(delta, finish string) string {
	if delta == "" {
		return ""
	}
	return fmt.Sprintf(`{"index":0,"delta":%s,"finish_reason":%s}`, delta, finish)
}

// quoted is a text as JSON.
func quoted(text string) string {
	b, _ := json.Marshal(text)
	return string(b)
}

// done is the protocol's reason of an answer that is whole; cut is that of one that is not.
func done(p Protocol) string {
	if p == OpenAI {
		return "stop"
	}
	return "end_turn"
}

func cut(p Protocol) string {
	if p == OpenAI {
		return "length"
	}
	return "max_tokens"
}

func writeJSON(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}

func writeStream(w http.ResponseWriter, events ...string) {
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	for _, e := range events {
		_, _ = io.WriteString(w, e)
		w.(http.Flusher).Flush()
	}
}

// refusalOf is an error as both protocols write it.
func refusalOf(kind, message string) string {
	return fmt.Sprintf(`{"type":"error","error":{"type":%s,"message":%s,"param":null,"code":null}}`, quoted(kind),
		quoted(message))
}

// wantError wants an error that has texts in it, and neither the key nor anything that a terminal obeys.
func wantError(t *testing.T, err error, texts ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("want an error with %q, got none", texts)
	}
	for _, text := range texts {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("want %q in %v", text, err)
		}
	}
	if strings.Contains(err.Error(), key) || strings.ContainsAny(err.Error(), "\x1b\x07\r") || len(err.Error()) > 3000 {
		t.Errorf("an error with the key, with controls or of %d bytes: %.200q", len(err.Error()), err)
	}
}
