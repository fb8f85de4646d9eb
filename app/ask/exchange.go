package ask

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/gocasebook/casebook/internal/redact"
	"github.com/gocasebook/casebook/internal/redirect"
)

const (
	maxTries   = 4           // of one question, pauses in between
	firstPause = time.Second // doubled after each try
)

// An exchange is one question to an endpoint and its answer.
type exchange struct {
	agent    *Agent
	protocol *protocol
	limits   Limits
	question question
	pause    pauser
}

func newExchange(a *Agent, p Prompt, l Limits, pause pauser) *exchange {
	return &exchange{agent: a, protocol: protocolOf(a.Protocol), limits: l, pause: pause,
		question: question{model: a.Model, prompt: p, tokens: l.Tokens, stream: a.Stream}}
}

// newClient keeps no connection: a question is rare, and no goroutine is to stay. Nothing is compressed, so that an
// answer of a few words cannot unfold into gigabytes.
func newClient() *http.Client {
	return &http.Client{
		CheckRedirect: redirect.SameHost,
		Transport: &http.Transport{
			Proxy:                  http.ProxyFromEnvironment,
			TLSHandshakeTimeout:    10 * time.Second,
			MaxResponseHeaderBytes: 64 << 10,
			DisableKeepAlives:      true,
			DisableCompression:     true,
			ForceAttemptHTTP2:      true,
		},
	}
}

// run asks, and asks again what may be answered later.
func (x *exchange) run(ctx context.Context) (Reply, error) {
	for try := 0; ; try++ {
		r, err := x.once(ctx)
		var no *refusal
		if err == nil || !errors.As(err, &no) {
			return r, err
		}
		if x.renamesTokens(no) {
			continue
		}
		if !no.later || try >= maxTries-1 {
			return r, err
		}
		wait := max(no.after, firstPause<<try)
		if end, ok := ctx.Deadline(); ok && time.Until(end) < wait {
			return r, fmt.Errorf("%w; it wants to be asked again after %s, and %s are allowed for all", err,
				wait.Round(time.Second), x.limits.Time)
		}
		if err := x.pause(ctx, wait); err != nil {
			return r, err
		}
	}
}

// renamesTokens reports whether a refusal is that of OpenAI's newer models, which call the bound of tokens by another
// name. It is asked for once.
func (x *exchange) renamesTokens(no *refusal) bool {
	if x.agent.Protocol != OpenAI || x.question.newTokens || no.code != "unsupported_parameter" ||
		no.param != "max_tokens" {
		return false
	}
	x.question.newTokens = true
	return true
}

// once sends the question once and reads the answer.
func (x *exchange) once(ctx context.Context) (Reply, error) {
	req, err := x.request(ctx)
	if err != nil {
		return Reply{}, err
	}
	resp, err := newClient().Do(req)
	if err != nil {
		return Reply{}, x.unreached(ctx, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return Reply{}, x.refused(resp)
	}
	r, err := x.read(resp)
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return r, err
}

func (x *exchange) request(ctx context.Context) (*http.Request, error) {
	body, err := json.Marshal(x.protocol.body(&x.question))
	if err != nil {
		return nil, err
	}
	to, err := x.agent.endpoint()
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, to.String(), bytes.NewReader(body))
	if err != nil {
		return nil, redact.Cause(err)
	}
	req.Header.Set("User-Agent", "casebook")
	req.Header.Set("Content-Type", "application/json")
	if x.agent.Protocol == Anthropic {
		req.Header.Set("Anthropic-Version", apiVersion)
	}
	key, err := x.agent.key()
	if key != "" {
		x.protocol.authorize(req.Header, key)
	}
	return req, err
}

// unreached is the error of a question to which no answer came.
func (x *exchange) unreached(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return fmt.Errorf("%s cannot be asked: %w", x.agent.To(), redact.Cause(err))
}
