package heavy

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// remark42 keeps the comments of a blog's readers. Pages ask for the comments of a post and for how many others have;
// readers write, with a preview, change what they wrote and vote; programs read the feeds.
func remark42() Service {
	return Service{
		Name: "remark42", Module: "github.com/umputun/remark42/backend", Version: "v1.14.0", Main: "app", Unseen: true,
		Args: []string{"server"},
		Env: []string{"REMARK_URL=http://127.0.0.1:{port}", "REMARK_PORT={port}", "REMARK_ADDRESS=127.0.0.1",
			"SECRET=" + remarkSecret, "SITE=remark", "STORE_BOLT_PATH={dir}", "BACKUP_PATH={dir}/backup",
			"AVATAR_FS_PATH={dir}/avatars", "IMAGE_FS_PATH={dir}/pictures", "IMAGE_FS_STAGING={dir}/staging",
			"AUTH_GITHUB_CID=blog", "AUTH_GITHUB_CSEC=unused", "UPDATE_LIMIT=1000", "ADMIN_SHARED_ID=github_admin",
			"EMOJI=true"},
		Ready: "/ping",
		Load:  loadRemark42,
	}
}

const (
	remarkSecret = "of-two-minutes-and-some-more"
	remarkPosts  = 60
	remarkUsers  = 300
)

func loadRemark42(ctx context.Context, on Target) error {
	var seen remarks
	return together(ctx, times(6, func(ctx context.Context, i int) error { return remarkReader(ctx, on, i, &seen) })...)
}

// remarks are comments that were written, to be answered, changed and voted for.
type remarks struct {
	mu   sync.Mutex
	last []remark // guarded by mu
}

type remark struct {
	ID   string `json:"id"`
	user int
	post string
}

func (s *remarks) add(c remark) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last = append(s.last, c); len(s.last) > 500 {
		s.last = s.last[250:]
	}
}

func (s *remarks) any(r *rand.Rand) (remark, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.last) == 0 {
		return remark{}, false
	}
	return pick(r, s.last), true
}

// remarkReader is one visitor after the other. Each has five addresses of its own, by which requests are limited.
func remarkReader(ctx context.Context, on Target, i int, seen *remarks) error {
	r := rand.New(rand.NewPCG(uint64(i), 53))
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	for ctx.Err() == nil {
		user := r.IntN(remarkUsers)
		q, post := remarkAsks(r, user, seen)
		if q.header == nil {
			q.header = make(map[string]string)
		}
		q.header["X-Real-IP"] = fmt.Sprintf("20.%d.%d.%d", user/200, user%200, 1+r.IntN(5))
		q.header["X-Forwarded-For"] = q.header["X-Real-IP"]
		q.header["X-JWT"] = remarkToken(user)
		status, body, err := send(ctx, client, "http://"+on.Addr, q)
		if ctx.Err() != nil {
			return nil
		}
		on.Seen.Is(err == nil && status < 400)
		if c := (remark{user: user, post: post}); post != "" && status == http.StatusCreated &&
			json.Unmarshal(body, &c) == nil {
			seen.add(c)
		}
	}
	return nil
}

// remarkAsks is what a visitor asks, and the post where a new comment is written; "": none is.
func remarkAsks(r *rand.Rand, user int, seen *remarks) (q request, to string) {
	at := remarkPost(r)
	place := "site=remark&url=" + url.QueryEscape(at)
	switch n := r.IntN(100); {
	case n < 30:
		return get("/api/v1/find?" + place + "&format=tree&sort=" + pick(r, []string{"-active", "-score", "+time"})), ""
	case n < 35:
		return get("/api/v1/find?" + place + "&format=plain&sort=-time"), ""
	case n < 45:
		var posts []string
		for range 20 {
			posts = append(posts, remarkPost(r))
		}
		body, _ := json.Marshal(posts) // texts
		return post("/api/v1/counts?site=remark", string(body)), ""
	case n < 50:
		return get("/api/v1/last/50?site=remark"), ""
	case n < 53:
		return get("/api/v1/list?site=remark&limit=30"), ""
	case n < 57:
		return get(fmt.Sprintf("/api/v1/comments?site=remark&limit=20&user=github_%d", r.IntN(remarkUsers))), ""
	case n < 60:
		return get("/api/v1/rss/site?site=remark"), ""
	case n < 63:
		return get("/api/v1/rss/post?" + place), ""
	case n < 67:
		return get("/api/v1/config?site=remark"), ""
	case n < 71:
		return get("/api/v1/user?site=remark"), ""
	case n < 75:
		return get("/api/v1/info?" + place), ""
	case n < 80:
		body, _ := json.Marshal(map[string]any{"text": remarkText(r)}) // texts
		return post("/api/v1/preview", string(body)), ""
	case n < 88:
		return remarkNew(r, at, seen)
	}
	c, ok := seen.any(r)
	if !ok {
		return remarkNew(r, at, seen)
	}
	place = "site=remark&url=" + url.QueryEscape(c.post)
	if r.IntN(3) == 0 || c.user == user {
		return get("/api/v1/id/" + c.ID + "?" + place), ""
	}
	q = post(fmt.Sprintf("/api/v1/vote/%s?%s&vote=1", c.ID, place), "")
	q.method = http.MethodPut
	return q, ""
}

// remarkNew writes a comment, one in two as an answer.
func remarkNew(r *rand.Rand, at string, seen *remarks) (request, string) {
	parent := ""
	if c, ok := seen.any(r); ok && r.IntN(2) == 0 {
		parent, at = c.ID, c.post
	}
	body, _ := json.Marshal(map[string]any{"text": remarkText(r), "pid": parent,
		"locator": map[string]string{"site": "remark", "url": at}}) // texts
	return post("/api/v1/comment", string(body)), at
}

func remarkPost(r *rand.Rand) string {
	n := min(r.IntN(remarkPosts), r.IntN(remarkPosts)) // some are read more
	return fmt.Sprintf("https://blog.example.com/2026/post-%d/", n)
}

// remarkText is Markdown.
func remarkText(r *rand.Rand) string {
	out := text(r, 10+r.IntN(60))
	switch r.IntN(5) {
	case 0:
		out += "\n\n> " + text(r, 20) + "\n\n**" + text(r, 3) + "** [link](https://example.com/" + pick(r, words[:20]) + ")"
	case 1:
		out += "\n\n```go\nfunc main() {\n\tfmt.Println(\"" + text(r, 3) + "\")\n}\n```\n"
	case 2:
		out += "\n\n* " + text(r, 6) + "\n* " + text(r, 6) + " :+1:\n"
	}
	return out
}

// remarkToken says who a visitor is.
func remarkToken(user int) string {
	claims, _ := json.Marshal(map[string]any{"aud": "remark", "iss": "remark42", "jti": fmt.Sprint("id", user),
		"exp": time.Now().Add(time.Hour).Unix(), "user": map[string]any{"name": fmt.Sprint("User ", user),
			"id": fmt.Sprint("github_", user), "picture": "https://example.com/a.png", "aud": "remark"}}) // texts and numbers
	signed := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"HS256","typ":"JWT"}`)) + "." +
		base64.RawURLEncoding.EncodeToString(claims)
	mac := hmac.New(sha256.New, []byte(remarkSecret))
	io.WriteString(mac, signed)
	return signed + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}
