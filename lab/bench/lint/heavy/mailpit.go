package heavy

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"net/smtp"
	"net/textproto"
	"net/url"
	"strings"
	"time"
)

// mailpit catches the mails of applications under test: plain ones, newsletters, and some with an attachment. Tests and
// people look for them and read them.
func mailpit() Service {
	return Service{
		Name: "mailpit", Module: "github.com/axllent/mailpit", Version: "v1.33.1", Main: ".", Unseen: true,
		Args: []string{"--listen=127.0.0.1:{port}", "--smtp=127.0.0.1:{other}", "--database={dir}/mailpit.db",
			"--disable-version-check", "--smtp-disable-rdns", "--max=2000", "--quiet", "--tag=Orders=subject:order"},
		Ready: "/readyz",
		Load:  loadMailpit,
	}
}

func loadMailpit(ctx context.Context, on Target) error {
	clients := times(3, func(ctx context.Context, i int) error { return mailpitSender(ctx, on, i) })
	clients = append(clients, times(3, func(ctx context.Context, i int) error { return mailpitReader(ctx, on, i) })...)
	return together(ctx, clients...)
}

// mailpitSender sends mails over SMTP, as many applications do: one connection for each. One in ten is sent by HTTP.
func mailpitSender(ctx context.Context, on Target, i int) error {
	r := rand.New(rand.NewPCG(uint64(i), 8))
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	for n := 0; ctx.Err() == nil; n++ {
		subject := pick(r, []string{"Your order", "Password reset", "Weekly", "Invoice", "Welcome"}) + " " + text(r, 4)
		if r.IntN(10) == 0 {
			body, err := json.Marshal(map[string]any{"From": map[string]string{"Email": "shop@example.com", "Name": "Shop"},
				"To": []map[string]string{{"Email": fmt.Sprintf("user%d@example.com", r.IntN(500))}}, "Subject": subject,
				"Text": text(r, 80), "HTML": "<p>" + text(r, 80) + "</p>", "Tags": []string{"api"}})
			if err != nil {
				return err
			}
			status, _, err := send(ctx, client, "http://"+on.Addr, post("/api/v1/send", string(body)))
			on.Seen.Is(err == nil && status == http.StatusOK)
			continue
		}
		to := fmt.Sprintf("user%d@example.com", r.IntN(500))
		message := mail(r, fmt.Sprintf("%d.%d", i, n), to, subject)
		err := smtp.SendMail(on.Other, nil, "shop@example.com", []string{to}, message)
		on.Seen.Is(err == nil)
		time.Sleep(5 * time.Millisecond)
	}
	return nil
}

// mail is a message with a text, mostly with HTML, and sometimes with an attachment.
func mail(r *rand.Rand, id, to, subject string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "From: Shop <shop@example.com>\r\nTo: %s\r\nSubject: %s\r\nMessage-ID: <%s@example.com>\r\n"+
		"Date: %s\r\nMIME-Version: 1.0\r\n", to, subject, id, time.Now().Format(time.RFC1123Z))
	if r.IntN(4) == 0 {
		fmt.Fprintf(&b, "Content-Type: text/plain; charset=utf-8\r\n\r\n%s\r\n", lines(text(r, 120)))
		return b.Bytes()
	}
	w := multipart.NewWriter(&b)
	kind := "alternative"
	if r.IntN(5) == 0 {
		kind = "mixed"
	}
	fmt.Fprintf(&b, "Content-Type: multipart/%s; boundary=%q\r\n\r\n", kind, w.Boundary())
	put := func(h textproto.MIMEHeader, content string) {
		if p, err := w.CreatePart(h); err == nil {
			fmt.Fprint(p, content)
		}
	}
	put(textproto.MIMEHeader{"Content-Type": {"text/plain; charset=utf-8"}}, lines(text(r, 100)))
	var page strings.Builder
	page.WriteString("<html><head><style>td{padding:4px} .b{display:flex;color:#333}</style></head><body><table>")
	for range 20 + r.IntN(40) {
		fmt.Fprintf(&page, "<tr><td class=\"b\" style=\"font-family:sans-serif\">%s</td>"+
			"<td><a href=\"https://shop.example/%d\">%s</a></td></tr>\r\n", text(r, 6), r.IntN(1000), text(r, 2))
	}
	page.WriteString("</table></body></html>")
	put(textproto.MIMEHeader{"Content-Type": {"text/html; charset=utf-8"}}, page.String())
	if kind == "mixed" {
		data := make([]byte, 30_000)
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		put(textproto.MIMEHeader{"Content-Type": {"application/pdf"}, "Content-Transfer-Encoding": {"base64"},
			"Content-Disposition": {"attachment; filename=\"invoice.pdf\""}}, lines(base64.StdEncoding.EncodeToString(data)))
	}
	w.Close()
	return b.Bytes()
}

// lines breaks a text into lines of 76 bytes.
func lines(s string) string {
	var b strings.Builder
	for len(s) > 76 {
		b.WriteString(s[:76])
		b.WriteString("\r\n")
		s = s[76:]
	}
	return b.String() + s
}

// mailpitReader lists and searches, and then reads what it has found.
func mailpitReader(ctx context.Context, on Target, i int) error {
	r := rand.New(rand.NewPCG(uint64(i), 9))
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	searches := []string{"order", "subject:invoice", "to:user7@example.com", "is:unread", "has:attachment",
		"tag:Orders kernel"}
	for ctx.Err() == nil {
		list := get(fmt.Sprintf("/api/v1/messages?limit=50&start=%d", 50*r.IntN(4)))
		if r.IntN(2) == 0 {
			list = get("/api/v1/search?limit=50&query=" + url.QueryEscape(pick(r, searches)))
		}
		status, body, err := send(ctx, client, "http://"+on.Addr, list)
		on.Seen.Is(err == nil && status == http.StatusOK || ctx.Err() != nil)
		var found struct {
			Messages []struct{ ID string }
		}
		if err != nil || json.Unmarshal(body, &found) != nil || len(found.Messages) == 0 {
			time.Sleep(50 * time.Millisecond) // none has come yet
			continue
		}
		for range 8 {
			id := pick(r, found.Messages).ID
			var q request
			switch r.IntN(12) {
			case 0:
				q = get("/api/v1/message/" + id + "/raw")
			case 1:
				q = get("/api/v1/message/" + id + "/headers")
			case 2:
				q = get("/view/" + id + ".html")
			case 3:
				q = get("/view/" + id + ".txt")
			case 4:
				q = get("/api/v1/message/" + id + "/html-check")
			case 5:
				q = request{method: http.MethodPut, path: "/api/v1/messages", body: `{"IDs":["` + id + `"],"Read":false}`}
			case 6:
				q = get(pick(r, []string{"/api/v1/info", "/api/v1/tags", "/", "/api/v1/webui"}))
			default:
				q = get("/api/v1/message/" + id)
			}
			status, _, err := send(ctx, client, "http://"+on.Addr, q)
			on.Seen.Is(err == nil && status < 400 || ctx.Err() != nil)
		}
	}
	return nil
}
