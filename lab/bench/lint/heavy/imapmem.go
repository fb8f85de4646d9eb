package heavy

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strconv"
	"strings"
	"time"
)

// imapMem has one account's mails in memory, as a team's shared inbox: mails come in, and people's programs list
// them, read them, flag them, move them away and look for some.
func imapMem() Service {
	return Service{
		Name: "imapmemserver", Module: "github.com/emersion/go-imap/v2", Version: "v2.0.0-beta.8",
		Main: "cmd/imapmemserver", Unseen: true,
		Args: []string{"-listen=127.0.0.1:{port}", "-insecure-auth"},
		Load: loadIMAP,
	}
}

const imapKept = 600 // mails in the inbox, about: what is older is removed

func loadIMAP(ctx context.Context, on Target) error {
	clients := times(2, func(ctx context.Context, i int) error { return imapDelivery(ctx, on, i) })
	clients = append(clients, times(5, func(ctx context.Context, i int) error { return imapReader(ctx, on, i) })...)
	clients = append(clients, times(4, func(ctx context.Context, i int) error { return imapIdle(ctx, on) })...)
	return together(ctx, clients...)
}

// imapDelivery appends mails, and removes the oldest ones now and then.
func imapDelivery(ctx context.Context, on Target, i int) error {
	c, err := dialIMAP(ctx, on.Addr)
	if err != nil {
		return err
	}
	defer c.Close()
	r := rand.New(rand.NewPCG(uint64(i), 43))
	if _, err := c.ask("SELECT INBOX"); err != nil {
		return err
	}
	for n := 0; ctx.Err() == nil; n++ {
		message := mail(r, fmt.Sprintf("%d.%d", i, n), fmt.Sprintf("user%d@example.com", r.IntN(50)), text(r, 5))
		ok, err := c.append("INBOX", message)
		if err != nil {
			return err
		}
		on.Seen.Is(ok)
		if n%50 == 49 && c.exists > imapKept {
			for _, q := range []string{fmt.Sprintf(`STORE 1:%d +FLAGS.SILENT (\Deleted)`, c.exists-imapKept), "EXPUNGE"} {
				if ok, err = c.ask(q); err != nil {
					return err
				}
				on.Seen.Is(ok)
			}
		}
		time.Sleep(5 * time.Millisecond)
	}
	return nil
}

// imapReader is a mail program: it shows what is new, reads some, and looks for words.
func imapReader(ctx context.Context, on Target, i int) error {
	r := rand.New(rand.NewPCG(uint64(i), 44))
	for ctx.Err() == nil {
		c, err := dialIMAP(ctx, on.Addr)
		if err != nil {
			return err
		}
		for _, q := range []string{`LIST "" "*"`, "STATUS INBOX (MESSAGES UNSEEN UIDNEXT)", "SELECT INBOX"} {
			ok, err := c.ask(q)
			if err != nil {
				return errors.Join(err, c.Close())
			}
			on.Seen.Is(ok)
		}
		for range 60 {
			ok, err := c.ask(imapCommand(r, c.exists))
			if err != nil {
				return errors.Join(err, c.Close())
			}
			on.Seen.Is(ok)
		}
		_, _ = c.ask("LOGOUT") // the server may close first
		c.Close()
	}
	return nil
}

// imapCommand is what a mail program asks next of a box with n mails.
func imapCommand(r *rand.Rand, n int) string {
	n = max(n, 1)
	one, from := 1+r.IntN(n), max(n-50, 1)
	switch k := r.IntN(100); {
	case k < 20:
		return fmt.Sprintf("FETCH %d:* (UID FLAGS INTERNALDATE RFC822.SIZE ENVELOPE)", from)
	case k < 30:
		return fmt.Sprintf("FETCH %d:* (UID FLAGS)", from)
	case k < 50:
		return fmt.Sprintf("FETCH %d (UID BODY.PEEK[])", one)
	case k < 58:
		return fmt.Sprintf("FETCH %d (UID BODYSTRUCTURE BODY.PEEK[HEADER.FIELDS (FROM TO SUBJECT DATE)])", one)
	case k < 64:
		return fmt.Sprintf("FETCH %d (BODY.PEEK[1] BODY.PEEK[TEXT]<0.2048>)", one)
	case k < 72:
		return fmt.Sprintf(`STORE %d +FLAGS (\Seen)`, one)
	case k < 78:
		return "SEARCH UNSEEN"
	case k < 84:
		return fmt.Sprintf(`UID SEARCH SUBJECT "%s"`, pick(r, words[:20]))
	case k < 87:
		return fmt.Sprintf(`UID SEARCH TEXT "%s" UNSEEN`, pick(r, words[:20]))
	case k < 90:
		return fmt.Sprintf(`UID SEARCH TO "user%d@example.com" SINCE 1-Jan-2020`, r.IntN(50))
	case k < 93:
		return "STATUS Archive (MESSAGES UNSEEN)"
	case k < 96:
		return fmt.Sprintf("COPY %d Trash", one)
	default:
		return "NOOP"
	}
}

// imapIdle waits for what comes in, for ten seconds at a time.
func imapIdle(ctx context.Context, on Target) error {
	c, err := dialIMAP(ctx, on.Addr)
	if err != nil {
		return err
	}
	defer c.Close()
	if _, err := c.ask("SELECT INBOX"); err != nil {
		return err
	}
	for ctx.Err() == nil {
		tag := c.tagged("IDLE")
		if err := c.out.Flush(); err != nil {
			return err
		}
		done := time.AfterFunc(10*time.Second, func() { io.WriteString(c.Conn, "DONE\r\n") })
		ok, err := c.until(tag)
		done.Stop()
		if err != nil {
			return err
		}
		on.Seen.Is(ok)
	}
	return nil
}

// An imap is a connection that has logged in.
type imap struct {
	net.Conn
	in     *bufio.Reader
	out    *bufio.Writer
	tag    int
	exists int // mails of the selected box, as the server said last
}

func dialIMAP(ctx context.Context, addr string) (*imap, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, func() { conn.Close() })
	c := &imap{Conn: conn, in: bufio.NewReader(conn), out: bufio.NewWriter(conn)}
	if _, err := c.in.ReadString('\n'); err != nil {
		return nil, err
	}
	if ok, err := c.ask("LOGIN user user"); err != nil || !ok {
		return nil, errors.Join(err, errors.New("IMAP: no login"))
	}
	return c, nil
}

func (c *imap) tagged(command string) string {
	c.tag++
	tag := "a" + strconv.Itoa(c.tag)
	fmt.Fprintf(c.out, "%s %s\r\n", tag, command)
	return tag
}

// ask sends a command and reads what comes until its end.
func (c *imap) ask(command string) (ok bool, err error) {
	tag := c.tagged(command)
	if err := c.out.Flush(); err != nil {
		return false, err
	}
	return c.until(tag)
}

func (c *imap) append(box string, message []byte) (bool, error) {
	tag := c.tagged(fmt.Sprintf("APPEND %s {%d}", box, len(message)))
	if err := c.out.Flush(); err != nil {
		return false, err
	}
	for { // what others have changed may come first
		line, err := c.in.ReadString('\n')
		if err != nil {
			return false, err
		}
		if strings.HasPrefix(line, tag) {
			return false, nil
		}
		if line[0] == '+' {
			break
		}
	}
	c.out.Write(message)
	c.out.WriteString("\r\n")
	if err := c.out.Flush(); err != nil {
		return false, err
	}
	return c.until(tag)
}

// until reads lines, and the literals within them, until the end of a command.
func (c *imap) until(tag string) (bool, error) {
	for {
		line, err := c.in.ReadString('\n')
		if err != nil {
			return false, err
		}
		if rest, found := strings.CutPrefix(line, tag+" "); found {
			return strings.HasPrefix(rest, "OK"), nil
		}
		if n := literal(line); n > 0 {
			if _, err := c.in.Discard(n); err != nil {
				return false, err
			}
		}
		if f := strings.Fields(line); len(f) == 3 && f[0] == "*" && f[2] == "EXISTS" {
			c.exists, _ = strconv.Atoi(f[1]) // a number, or it is not understood
		} else if len(f) == 3 && f[0] == "*" && f[2] == "EXPUNGE" {
			c.exists--
		}
	}
}

// literal is the size of the bytes that follow a line; 0: none do.
func literal(line string) int {
	line = strings.TrimRight(line, "\r\n")
	open := strings.LastIndexByte(line, '{')
	if open < 0 || !strings.HasSuffix(line, "}") {
		return 0
	}
	n, _ := strconv.Atoi(line[open+1 : len(line)-1]) // 0: a text with braces
	return n
}
