package ask

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
)

const answer = `{"place": [{"function": "main.load"}], "cause": "ein Schloß, ❄"}`

// Both protocols, in one piece and as a stream: the request is as their documentation has it, and of the environment
// only the key is in it.
func TestAsk(t *testing.T) {
	t.Setenv("ASK_TEST_OTHER", "another-secret-of-this-machine")
	both(t, func(t *testing.T, p Protocol) {
		for _, stream := range []bool{false, true} {
			s := newStandIn(t, func(w http.ResponseWriter, _ *http.Request, _ int) {
				if stream {
					writeStream(w, streamed(p, answer, done(p))...)
					return
				}
				writeJSON(w, http.StatusOK, whole(p, answer, done(p)))
			})
			a := s.agent(t, p)
			a.Stream = stream
			r, err := send(t, a, Limits{Tokens: 1234})
			if err != nil || r.Text != answer || r.Cut != "" || r.Model != "model-1-2026" || r.In != 19 || r.Out != 10 {
				t.Errorf("stream %v: %+v, %v", stream, r, err)
			}
			wantRequest(t, p, s.got(), stream)
		}
	})
}

func wantRequest(t *testing.T, p Protocol, all []received, stream bool) {
	t.Helper()
	if len(all) != 1 {
		t.Fatalf("%d requests, want one", len(all))
	}
	got := all[0]
	path, secret := "/chat/completions", got.header.Get("Authorization")
	if p == Anthropic {
		path, secret = "/v1/messages", "Bearer "+got.header.Get("X-Api-Key")
		if v := got.header.Get("Anthropic-Version"); v != "2023-06-01" {
			t.Errorf("version %q", v)
		}
	}
	if got.path != path || secret != "Bearer "+key || got.header.Get("Content-Type") != "application/json" {
		t.Errorf("asked at %s with %v", got.path, got.header)
	}
	var body struct {
		Model    string
		Tokens   int `json:"max_tokens"`
		System   string
		Stream   bool
		Messages []struct{ Role, Content string }
	}
	if err := json.Unmarshal([]byte(got.body), &body); err != nil {
		t.Fatal(err)
	}
	system, last := body.System, body.Messages[len(body.Messages)-1]
	if p == OpenAI && len(body.Messages) == 2 && body.Messages[0].Role == "system" {
		system = body.Messages[0].Content
	}
	if body.Model != "model-1" || body.Tokens != 1234 || body.Stream != stream || system != prompt().System ||
		last.Role != "user" || last.Content != prompt().Text {
		t.Errorf("asked %s", got.body)
	}
	for name, values := range got.header {
		if strings.Contains(strings.Join(values, " "), "another-secret") {
			t.Errorf("the header %s has what nobody configured", name)
		}
	}
	if strings.Contains(got.body, "another-secret") || strings.Contains(got.body, key) {
		t.Errorf("the body has a secret: %s", got.body)
	}
}

// A base of either form, with and without a slash, leads to the same endpoint.
func TestEndpoint(t *testing.T) {
	for _, c := range []struct {
		protocol  Protocol
		url, want string
	}{
		{OpenAI, "https://a/v1", "https://a/v1/chat/completions"},
		{OpenAI, "https://a/v1/", "https://a/v1/chat/completions"},
		{OpenAI, "https://a/v1/chat/completions", "https://a/v1/chat/completions"},
		{OpenAI, "https://a/x?api-version=1#f", "https://a/x/chat/completions?api-version=1"},
		{Anthropic, "https://a", "https://a/v1/messages"},
		{Anthropic, "https://a/v1", "https://a/v1/messages"},
		{Anthropic, "https://a/v1/messages", "https://a/v1/messages"},
		{Anthropic, "https://a/proxy/", "https://a/proxy/v1/messages"},
	} {
		a := Agent{Protocol: c.protocol, URL: c.url}
		if got, err := a.endpoint(); err != nil || got.String() != c.want {
			t.Errorf("%s %s: %v, %v, want %s", c.protocol, c.url, got, err, c.want)
		}
	}
}

// The form of an answer is that in which it comes, and not the one that was asked for: some servers know one alone.
func TestOtherForm(t *testing.T) {
	both(t, func(t *testing.T, p Protocol) {
		s := newStandIn(t, func(w http.ResponseWriter, _ *http.Request, _ int) {
			writeStream(w, streamed(p, answer, done(p))...)
		})
		if r, err := send(t, s.agent(t, p), Limits{}); err != nil || r.Text != answer {
			t.Errorf("%+v, %v", r, err)
		}
	})
}

// What is cut says so: at the bound of tokens, by the endpoint, by a connection that breaks.
func TestCut(t *testing.T) {
	both(t, func(t *testing.T, p Protocol) {
		events := streamed(p, answer, done(p))
		for name, c := range map[string]struct {
			answer func(w http.ResponseWriter)
			want   string
		}{
			"tokens": {func(w http.ResponseWriter) { writeJSON(w, 200, whole(p, answer, cut(p))) }, "bound of tokens"},
			"tokens, streamed": {func(w http.ResponseWriter) { writeStream(w, streamed(p, answer, cut(p))...) },
				"bound of tokens"},
			"a filter": {func(w http.ResponseWriter) { writeJSON(w, 200, whole(p, answer, "content_filter")) },
				"content_filter"},
			"the stream ends": {func(w http.ResponseWriter) { writeStream(w, events[:half(p)]...) }, "broke off"},
			"the stream ends within an event": {func(w http.ResponseWriter) {
				writeStream(w, append(slices.Clone(events[:half(p)]), events[half(p)][:20])...)
			}, "broke off"},
			"the connection breaks": {func(w http.ResponseWriter) {
				writeStream(w, events[:half(p)]...)
				panic(http.ErrAbortHandler)
			}, "broke off"},
		} {
			t.Run(name, func(t *testing.T) {
				s := newStandIn(t, func(w http.ResponseWriter, _ *http.Request, _ int) { c.answer(w) })
				r, err := send(t, s.agent(t, p), Limits{})
				if err != nil || !strings.Contains(r.Cut, c.want) || r.Text == "" ||
					!strings.HasPrefix(answer, r.Text) {
					t.Errorf("%+v, %v; want a cut answer: %s", r, err, c.want)
				}
			})
		}
	})
}

// An endpoint that is busy is asked again, as late as it wishes; not for ever, and not beyond the bound of time.
func TestLater(t *testing.T) {
	both(t, func(t *testing.T, p Protocol) {
		for name, c := range map[string]struct {
			status int
			after  string
			want   time.Duration
		}{
			"429":      {429, "7", 7 * time.Second},
			"503":      {503, "", time.Second},
			"529":      {529, "2", 2 * time.Second},
			"at once":  {429, "0", time.Second},
			"nonsense": {429, "soon", time.Second},
		} {
			t.Run(name, func(t *testing.T) {
				s := newStandIn(t, func(w http.ResponseWriter, _ *http.Request, n int) {
					if n < 2 {
						w.Header().Set("Retry-After", c.after)
						writeJSON(w, c.status, refusalOf("rate_limit_error", "slow down"))
						return
					}
					writeJSON(w, 200, whole(p, answer, done(p)))
				})
				var waited []time.Duration
				r, err := askWith(t.Context(), s.agent(t, p), prompt(), Limits{}, pauses(&waited))
				if err != nil || r.Text != answer || len(waited) != 2 || waited[0] != c.want {
					t.Errorf("%+v, %v after pauses of %v; want %v first", r, err, waited, c.want)
				}
			})
		}
	})
}

func TestNeverLater(t *testing.T) {
	both(t, func(t *testing.T, p Protocol) {
		busy := func(after string) *standIn {
			return newStandIn(t, func(w http.ResponseWriter, _ *http.Request, _ int) {
				w.Header().Set("Retry-After", after)
				writeJSON(w, 429, refusalOf("rate_limit_error", "slow down"))
			})
		}
		s := busy("1")
		_, err := send(t, s.agent(t, p), Limits{})
		wantError(t, err, "429 Too Many Requests", "slow down")
		if n := len(s.got()); n != maxTries {
			t.Errorf("asked %d times, want %d", n, maxTries)
		}
		s = busy("3600")
		_, err = send(t, s.agent(t, p), Limits{Time: time.Minute})
		wantError(t, err, "asked again after 1h0m0s", "1m0s are allowed")
		if n := len(s.got()); n != 1 {
			t.Errorf("asked %d times, want once", n)
		}
	})
}

// A stream may break with an error after it began well; one that says "later" is asked for again.
func TestErrorInStream(t *testing.T) {
	both(t, func(t *testing.T, p Protocol) {
		s := newStandIn(t, func(w http.ResponseWriter, _ *http.Request, n int) {
			if n == 0 {
				writeStream(w, append(streamed(p, answer, done(p))[:3:3],
					"event: error\ndata: "+refusalOf("overloaded_error", "Overloaded")+"\n\n")...)
				return
			}
			writeStream(w, "event: error\ndata: "+refusalOf("api_error", "it\x1b[2J broke "+key)+"\n\n")
		})
		_, err := send(t, s.agent(t, p), Limits{})
		wantError(t, err, "broke off", "it\uFFFD[2J broke redacted")
		if n := len(s.got()); n != 2 {
			t.Errorf("asked %d times, want twice", n)
		}
	})
}

// OpenAI's newer models refuse max_tokens by a code, and are asked with the other name.
func TestNewTokens(t *testing.T) {
	s := newStandIn(t, func(w http.ResponseWriter, r *http.Request, n int) {
		if n == 0 {
			writeJSON(w, 400, `{"error":{"message":"Unsupported parameter","type":"invalid_request_error",`+
				`"param":"max_tokens","code":"unsupported_parameter"}}`)
			return
		}
		writeJSON(w, 200, whole(OpenAI, answer, "stop"))
	})
	if r, err := send(t, s.agent(t, OpenAI), Limits{Tokens: 77}); err != nil || r.Text != answer {
		t.Fatalf("%+v, %v", r, err)
	}
	got := s.got()
	if len(got) != 2 || !strings.Contains(got[1].body, `"max_completion_tokens":77`) ||
		strings.Contains(got[1].body, `"max_tokens"`) {
		t.Errorf("asked %+v", got)
	}
}

// What an endpoint refuses is quoted in short, with what to look at, and without the key that it repeats.
func TestRefused(t *testing.T) {
	both(t, func(t *testing.T, p Protocol) {
		for name, c := range map[string]struct {
			status int
			body   string
			want   []string
		}{
			"a bad key": {401, refusalOf("authentication_error", "bad key "+key),
				[]string{"401 Unauthorized: bad key redacted", keyEnv}},
			"no such model": {404, refusalOf("not_found_error", "no model"),
				[]string{"404 Not Found: no model", "url, protocol and model"}},
			"too large": {413, "", []string{"413", "(without a word)", "fewer tokens"}},
			"a page": {400, "<html>\x1b]0;title\x07" + strings.Repeat("<p>no</p>", 100_000),
				[]string{"400 Bad Request: <html>", "…"}},
			"a text as error": {400, `{"error":"no such thing"}`, []string{"400 Bad Request: no such thing"}},
			"a message alone": {400, `{"message":"go away","code":7}`, []string{"go away"}},
			"codes as numbers": {400, `{"error":{"message":"context too long","code":400,"type":"x"}}`,
				[]string{"context too long"}},
			"nothing that is known": {418, `{"error":[1,2]}`, []string{"418", "[1,2]"}},
		} {
			t.Run(name, func(t *testing.T) {
				s := newStandIn(t, func(w http.ResponseWriter, _ *http.Request, _ int) {
					writeJSON(w, c.status, c.body)
				})
				_, err := send(t, s.agent(t, p), Limits{})
				wantError(t, err, append(c.want, "asking stand-in: ")...)
				if n := len(s.got()); n != 1 {
					t.Errorf("asked %d times, want once", n)
				}
			})
		}
	})
}

// What is no answer is an error that says what came.
func TestNoAnswer(t *testing.T) {
	both(t, func(t *testing.T, p Protocol) {
		reply := func(kind, body string) func(http.ResponseWriter, *http.Request, int) {
			return func(w http.ResponseWriter, _ *http.Request, _ int) {
				w.Header().Set("Content-Type", kind)
				_, _ = io.WriteString(w, body)
			}
		}
		for name, c := range map[string]struct {
			answer func(http.ResponseWriter, *http.Request, int)
			want   string
		}{
			"empty":              {reply("application/json", whole(p, "", done(p))), "no text"},
			"white":              {reply("application/json", whole(p, " \n", done(p))), "no text"},
			"cut before a word":  {reply("application/json", whole(p, "", cut(p))), "bound of tokens"},
			"no body":            {reply("application/json", ""), "is not a"},
			"another type":       {reply("text/html", "<html>"), `"text/html", and not with JSON`},
			"no type":            {reply("", "{}"), "are url and protocol right?"},
			"broken JSON":        {reply("application/json", whole(p, answer, "stop")[:99]), "is not a"},
			"JSON of other form": {reply("application/json", `{"a": 1}`), "is not a"},
			"a list":             {reply("application/json", `[]`), "is not a"},
			"deep":               {reply("application/json", strings.Repeat("[", 50_000)), "is not a"},
			"an error with 200":  {reply("application/json", refusalOf("x", "not today")), "not today"},
			"broken events":      {reply("text/event-stream", "data: {\"type\":\n\n"), "the stream is not one of"},
			"no event":           {reply("text/event-stream", ""), "the stream broke off"},
			"comments alone":     {reply("text/event-stream", ": ping\n\n: ping\n\n"), "the stream broke off"},
		} {
			t.Run(name, func(t *testing.T) {
				s := newStandIn(t, c.answer)
				_, err := send(t, s.agent(t, p), Limits{})
				wantError(t, err, c.want)
			})
		}
	})
}

// A refusal of the model, in OpenAI's field for it.
func TestModelRefuses(t *testing.T) {
	s := newStandIn(t, func(w http.ResponseWriter, _ *http.Request, _ int) {
		writeJSON(w, 200, `{"choices":[{"message":{"content":null,"refusal":"I cannot help"},"finish_reason":"stop"}]}`)
	})
	_, err := send(t, s.agent(t, OpenAI), Limits{})
	wantError(t, err, "refuses to answer: I cannot help")
}

// Answers of 10 MB, in one piece, as a stream of text and as one that tells nothing, are not read to their end.
func TestTooLarge(t *testing.T) {
	const size = 10 << 20
	both(t, func(t *testing.T, p Protocol) {
		many := func(w io.Writer, piece string) {
			piece = strings.Repeat(piece, max(1, 4096/len(piece)))
			for n := 0; n < size; n += len(piece) {
				if _, err := io.WriteString(w, piece); err != nil {
					return
				}
			}
		}
		stream := func(w http.ResponseWriter) { w.Header().Set("Content-Type", "text/event-stream") }
		for name, fill := range map[string]func(w http.ResponseWriter){
			"in one piece": func(w http.ResponseWriter) {
				writeJSON(w, 200, whole(p, strings.Repeat("x", size), done(p)))
			},
			"white space": func(w http.ResponseWriter) {
				writeJSON(w, 200, "")
				many(w, " ")
			},
			"a stream of text": func(w http.ResponseWriter) {
				stream(w)
				many(w, streamed(p, answer+answer, done(p))[half(p)])
			},
			"a stream of comments": func(w http.ResponseWriter) {
				stream(w)
				many(w, ": ping\n\n")
			},
			"an event without end": func(w http.ResponseWriter) {
				stream(w)
				many(w, "data: xxxxxxxxxxxxxxxxxxx\n")
			},
			"a line without end": func(w http.ResponseWriter) {
				stream(w)
				_, _ = io.WriteString(w, "data: ")
				many(w, "x")
			},
		} {
			t.Run(name, func(t *testing.T) {
				s := newStandIn(t, func(w http.ResponseWriter, _ *http.Request, _ int) { fill(w) })
				_, err := send(t, s.agent(t, p), Limits{Bytes: 64 << 10})
				wantError(t, err, "longer than ")
			})
		}
	})
}

// An endpoint that says nothing, or one thing for ever, is left when the time is up; so is one when the caller ends.
func TestTime(t *testing.T) {
	both(t, func(t *testing.T, p Protocol) {
		ends := make(chan struct{})
		for name, begin := range map[string]func(w http.ResponseWriter){
			"nothing":     func(http.ResponseWriter) {},
			"a beginning": func(w http.ResponseWriter) { writeStream(w, streamed(p, answer, done(p))[:3]...) },
		} {
			t.Run(name, func(t *testing.T) {
				s := newStandIn(t, func(w http.ResponseWriter, r *http.Request, _ int) {
					begin(w)
					select {
					case <-r.Context().Done():
					case <-ends:
					}
				})
				_, err := send(t, s.agent(t, p), Limits{Time: 50 * time.Millisecond})
				wantError(t, err, "it has not answered within 50ms")

				ctx, cancel := context.WithCancel(t.Context())
				cancel()
				if _, err := Ask(ctx, s.agent(t, p), prompt(), Limits{}); !errors.Is(err, context.Canceled) {
					t.Errorf("after the caller has ended: %v", err)
				}
			})
		}
		close(ends)
	})
}

// A redirect to another host is not followed: it would get the brief and the key. On the same host it is.
func TestRedirect(t *testing.T) {
	both(t, func(t *testing.T, p Protocol) {
		other := newStandIn(t, func(w http.ResponseWriter, _ *http.Request, _ int) {
			writeJSON(w, 200, whole(p, answer, done(p)))
		})
		for _, status := range []int{301, 302, 303, 307, 308} {
			s := newStandIn(t, func(w http.ResponseWriter, r *http.Request, _ int) {
				http.Redirect(w, r, other.URL+"/v1/messages?"+key, status)
			})
			_, err := send(t, s.agent(t, p), Limits{})
			wantError(t, err, "sends us to "+other.URL, "make it the url")
		}
		if got := other.got(); len(got) != 0 {
			t.Fatalf("the other host was asked: %+v", got)
		}
		s := newStandIn(t, func(w http.ResponseWriter, r *http.Request, n int) {
			if n == 0 {
				http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
				return
			}
			writeJSON(w, 200, whole(p, answer, done(p)))
		})
		if r, err := send(t, s.agent(t, p), Limits{}); err != nil || r.Text != answer {
			t.Errorf("on the same host: %+v, %v", r, err)
		}
	})
}

// The key is in no answer either.
func TestKeyComesBack(t *testing.T) {
	both(t, func(t *testing.T, p Protocol) {
		for _, stream := range []bool{false, true} {
			s := newStandIn(t, func(w http.ResponseWriter, r *http.Request, _ int) {
				sent := r.Header.Get("Authorization") + r.Header.Get("X-Api-Key")
				text := "your key is " + strings.TrimPrefix(sent, "Bearer ")
				if stream {
					writeStream(w, streamed(p, text, done(p))...) // in two halves
					return
				}
				writeJSON(w, 200, whole(p, text, key))
			})
			r, err := send(t, s.agent(t, p), Limits{})
			if err != nil || r.Text != "your key is redacted" || strings.Contains(r.Cut, key) {
				t.Errorf("stream %v: %+v, %v", stream, r, err)
			}
		}
	})
}

// A certificate that nobody vouches for is refused before anything is sent.
func TestCertificate(t *testing.T) {
	asked := false
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	t.Setenv(keyEnv, key)
	_, err := send(t, Agent{Name: "a", Protocol: OpenAI, URL: s.URL, Model: "m", KeyEnv: keyEnv}, Limits{})
	wantError(t, err, "certificate")
	if asked {
		t.Error("it was asked nevertheless")
	}
}

// What cannot work is said before anything is sent.
func TestCheck(t *testing.T) {
	t.Setenv(keyEnv, key)
	t.Setenv("ASK_TEST_EMPTY", "  ")
	t.Setenv("ASK_TEST_BROKEN", "two\nlines-of-a-key")
	endpoint := Agent{Name: "a", Protocol: OpenAI, URL: "https://127.0.0.1:1", Model: "m", KeyEnv: keyEnv}
	with := func(change func(a *Agent)) Agent {
		a := endpoint
		change(&a)
		return a
	}
	for name, c := range map[string]struct {
		agent Agent
		want  string
	}{
		"nobody":             {Agent{Name: "a"}, "no command and no url"},
		"no name":            {with(func(a *Agent) { a.Name = "" }), "name must be"},
		"a name that writes": {with(func(a *Agent) { a.Name = "a\x1b[2J" }), "printable"},
		"both":               {with(func(a *Agent) { a.Command = []string{"x"} }), "a command and a url"},
		"an empty command":   {Agent{Name: "a", Command: []string{""}}, "its command is empty"},
		"a command's model":  {Agent{Name: "a", Command: []string{"x"}, Model: "m"}, "are for a url"},
		"an endpoint's env":  {with(func(a *Agent) { a.Env = []string{"X"} }), "env is for a command"},
		"an endpoint's dir":  {with(func(a *Agent) { a.Dir = "/" }), "dir is for a command"},
		"no model":           {with(func(a *Agent) { a.Model = "" }), "no model"},
		"no protocol":        {with(func(a *Agent) { a.Protocol = "" }), "want openai or anthropic"},
		"no address":         {with(func(a *Agent) { a.URL = "api.example.com" }), "not one of http or https"},
		"a file":             {with(func(a *Agent) { a.URL = "file:///etc/passwd" }), "not one of http or https"},
		"a password":         {with(func(a *Agent) { a.URL = "https://u:" + key + "@h" }), "password"},
		"a key in the url":   {with(func(a *Agent) { a.URL = "https://h/?key=" + key }), "looks like a key"},
		"in the clear":       {with(func(a *Agent) { a.URL = "http://10.0.0.7/v1" }), "10.0.0.7/v1 is not encrypted"},
		"no such variable":   {with(func(a *Agent) { a.KeyEnv = "ASK_TEST_NONE" }), "ASK_TEST_NONE, which is not set"},
		"an empty variable":  {with(func(a *Agent) { a.KeyEnv = "ASK_TEST_EMPTY" }), "not set or is empty"},
		"a broken key":       {with(func(a *Agent) { a.KeyEnv = "ASK_TEST_BROKEN" }), "cannot be a key"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := send(t, c.agent, Limits{})
			wantError(t, err, c.want)
			if strings.Contains(err.Error(), "lines-of-a-key") {
				t.Errorf("the error has the key: %v", err)
			}
		})
	}
	_, err := send(t, endpoint, Limits{Time: -1})
	wantError(t, err, "time is -1ns")
	open := with(func(a *Agent) { a.URL, a.PlainHTTP = "http://10.0.0.7/v1", true })
	if err := open.Check(); err != nil {
		t.Errorf("plain-http: %v", err)
	}
}

// To shows no secret of an address.
func TestTo(t *testing.T) {
	a := Agent{Protocol: OpenAI, URL: "https://u:p4ss@h/v1?x=1"}
	if got := a.To(); got != "https://h/v1/chat/completions" {
		t.Error(got)
	}
	a = Agent{Command: []string{"llm", "-m", "a model"}}
	if got := a.To(); got != "llm -m 'a model'" {
		t.Error(got)
	}
}

func FuzzRead(f *testing.F) {
	for _, p := range []Protocol{OpenAI, Anthropic} {
		f.Add([]byte(strings.Join(streamed(p, answer, done(p)), "")))
		f.Add([]byte("event: error\ndata: " + refusalOf("overloaded_error", "no") + "\n\n"))
	}
	f.Add([]byte("\uFEFFdata\ndata:\r\ndata: x\r\n\r\n: c\nid: 1\n\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, p := range []Protocol{OpenAI, Anthropic} {
			x := newExchange(&Agent{Protocol: p}, prompt(), Limits{Bytes: 1 << 10}, sleep)
			for _, read := range []func(io.Reader) (Reply, error){x.readStream, x.readWhole} {
				if r, err := read(bytes.NewReader(data)); err == nil && len(r.Text) > 1<<10 {
					t.Errorf("%d bytes of text", len(r.Text))
				}
			}
		}
	})
}
