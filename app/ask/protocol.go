package ask

import (
	"net/http"
	"slices"
)

// A Protocol is how an endpoint is spoken to.
type Protocol string

// The protocols, as their makers describe them.
const (
	// OpenAI is the protocol of chat completions, which many servers speak:
	// https://platform.openai.com/docs/api-reference/chat
	OpenAI Protocol = "openai"
	// Anthropic is the protocol of messages: https://docs.anthropic.com/en/api/messages
	Anthropic Protocol = "anthropic"
)

// A protocol is what differs between the two.
type protocol struct {
	path      string // of the endpoint below the base
	version   string // a folder of the path that a base may leave out
	authorize func(h http.Header, key string)
	body      func(q *question) any
	whole     func(data []byte) (piece, error) // of an answer in one piece
	event     func(data []byte) (piece, error) // of an event of a stream
	complete  []string                         // reasons to stop that mean that the answer is whole
	tokens    []string                         // and that it was cut at the bound of tokens
}

// A question is what a request says.
type question struct {
	model     string
	prompt    Prompt
	tokens    int
	stream    bool
	newTokens bool // call the bound of tokens as newer models of OpenAI want it
}

// A piece is what one event, or an answer as a whole, tells.
type piece struct {
	text    string
	model   string
	stop    string // why the answer ends here
	in, out int    // tokens so far
	last    bool   // nothing follows
}

func protocolOf(p Protocol) *protocol {
	switch p {
	case OpenAI:
		return chatCompletions()
	case Anthropic:
		return messages()
	}
	return nil
}

// stopped says why an answer that stopped for a reason is not all of it; "" if it is.
func (p *protocol) stopped(reason string) string {
	switch {
	case slices.Contains(p.complete, reason):
		return ""
	case slices.Contains(p.tokens, reason):
		return "it was cut at the bound of tokens"
	}
	return "the endpoint stopped it: " + short(reason)
}
