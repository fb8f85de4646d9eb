package heavy

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/smtp"
	"time"
)

// inbucket keeps the mails of applications under test in files, a folder for each mailbox, as its image for Docker
// does. Tests wait for a mail of theirs, read it and delete it; people look at some in its pages.
func inbucket() Service {
	return Service{
		Name: "inbucket", Module: "github.com/inbucket/inbucket/v3", Version: "v3.2.0", Main: "cmd/inbucket", Unseen: true,
		Env: []string{"INBUCKET_WEB_ADDR=127.0.0.1:{port}", "INBUCKET_SMTP_ADDR=127.0.0.1:{other}",
			"INBUCKET_POP3_ADDR=127.0.0.1:0", "INBUCKET_STORAGE_TYPE=file", "INBUCKET_STORAGE_PARAMS=path:{dir}/mail",
			"INBUCKET_STORAGE_MAILBOXMSGCAP=300", "INBUCKET_WEB_GREETINGFILE={dir}/greeting.html",
			"INBUCKET_WEB_UIDIR={dir}"},
		// The pages are built by npm.
		Config: map[string]string{"index.html": "<!DOCTYPE html><title>Inbucket</title>",
			"greeting.html": "<h1>Welcome</h1>"},
		Ready: "/status",
		Load:  loadInbucket,
	}
}

// inbucketBoxes is how many mailboxes are written to, and inbucketReaders by how many clients they are read.
const inbucketBoxes, inbucketReaders = 150, 4

func loadInbucket(ctx context.Context, on Target) error {
	clients := times(4, func(ctx context.Context, i int) error { return inbucketSender(ctx, on, i) })
	clients = append(clients, times(inbucketReaders, func(ctx context.Context, i int) error {
		return inbucketReader(ctx, on, i)
	})...)
	return together(ctx, clients...)
}

// inbucketSender sends mails over SMTP, some to two people.
func inbucketSender(ctx context.Context, on Target, i int) error {
	r := rand.New(rand.NewPCG(uint64(i), 51))
	for n := 0; ctx.Err() == nil; n++ {
		to := []string{fmt.Sprintf("user%d@example.com", r.IntN(inbucketBoxes))}
		if r.IntN(6) == 0 {
			to = append(to, fmt.Sprintf("user%d+copy@example.com", r.IntN(inbucketBoxes)))
		}
		subject := pick(r, []string{"Your order", "Password reset", "Weekly", "Invoice"}) + " " + text(r, 4)
		err := smtp.SendMail(on.Other, nil, "shop@example.com", to, mail(r, fmt.Sprintf("%d.%d", i, n), to[0], subject))
		on.Seen.Is(err == nil)
		time.Sleep(5 * time.Millisecond)
	}
	return nil
}

// inbucketReader lists a mailbox and reads what is in it, as tests and people do.
func inbucketReader(ctx context.Context, on Target, i int) error {
	r := rand.New(rand.NewPCG(uint64(i), 52))
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	ask := func(q request) []byte {
		status, body, err := send(ctx, client, "http://"+on.Addr, q)
		on.Seen.Is(err == nil && status < 400 || ctx.Err() != nil)
		return body
	}
	for ctx.Err() == nil {
		// Its own mailboxes, so that nobody else deletes what it has found.
		box := fmt.Sprintf("user%d", r.IntN(inbucketBoxes/inbucketReaders)*inbucketReaders+i)
		api, page := "/api/v1/mailbox/"+box, "/serve/mailbox/"+box
		var found []struct {
			ID   string
			Size int
		}
		if json.Unmarshal(ask(get(api)), &found) != nil || len(found) == 0 {
			continue
		}
		m := found[len(found)-1]
		ask(get(api + "/" + m.ID))
		switch r.IntN(6) {
		case 0:
			ask(get(api + "/" + m.ID + "/source"))
		case 1:
			ask(request{method: http.MethodPatch, path: api + "/" + m.ID, body: `{"seen":true}`})
		case 2:
			ask(get("/status"))
		case 3:
			ask(get(page + "/" + m.ID + "/source"))
		default:
			ask(get(page + "/" + m.ID))
			ask(get(page + "/" + m.ID + "/html"))
		}
		if len(found) > 60 {
			ask(request{method: http.MethodDelete, path: api}) // a test begins anew
		} else if r.IntN(8) == 0 {
			ask(request{method: http.MethodDelete, path: api + "/" + m.ID})
		}
	}
	return nil
}
