package cli_test

import (
	"fmt"
	"net"
	"strings"
)

const octets = "Content-Type: application/octet-stream\r\n"

// status answers with a status and a text.
func status(line, headers, body string) func(*call) {
	return func(c *call) { c.answer(line, headers, body) }
}

// profileOf answers with a file, whatever is asked for.
func profileOf(file func() string) func(*call) {
	return func(c *call) { c.answer("200 OK", octets, file()) }
}

// raw sends a text and closes the connection.
func raw(text string) func(*call) { return func(c *call) { c.send(text) } }

// then sends a text and continues with something else.
func then(text string, next func(*call)) func(*call) {
	return func(c *call) {
		if c.send(text) {
			next(c)
		}
	}
}

func redirectTo(to func(*call) string) func(*call) {
	return func(c *call) { c.answer("302 Found", "Location: "+to(c)+"\r\n", "") }
}

// reset closes the connection with a RST, so that the client reads "connection reset by peer".
func reset(c *call) {
	if tcp, ok := c.Conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = c.Close()
}

const begun = "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\n"

const (
	noIndex = "not the index page of net/http/pprof"
	// a lot is sent: a busy machine may need longer than a sample may take
	noIndexOrLate = noIndex + "|no answer in time"
)

// behaviours is the table: what a target may do that net/http/pprof does not do, and what the command says about it.
func behaviours() []behaviour {
	return []behaviour{
		// It does not answer, or does not finish the answer.
		{name: "closes the connection", do: func(*call) {},
			index: "closed the connection without an answer", beyond: "closed the connection without an answer"},
		{name: "resets the connection", do: reset,
			index: "closed the connection without an answer", beyond: "closed the connection without an answer"},
		{name: "hangs", do: (*call).hang,
			index: "no answer in time", beyond: "no answer in time", slow: true},
		{name: "hangs after the headers", do: then(begun+"Content-Length: 100\r\n\r\n", (*call).hang),
			index: "no answer in time", beyond: "no answer in time", slow: true},
		{name: "hangs within the headers", do: then(begun, (*call).hang),
			index: "no answer in time", beyond: "no answer in time", slow: true},
		{name: "drips", do: then(begun+"\r\n", (*call).drip),
			index: "no answer in time", beyond: "no answer in time", slow: true},
		{name: "closes within the body", do: raw(begun + "Content-Length: 100000\r\n\r\n" + goodIndex[:40]),
			index: "the answer ends in the middle", beyond: "the answer ends in the middle"},
		{name: "resets within the body", do: then(begun+"Content-Length: 100000\r\n\r\n"+goodIndex[:40], reset),
			index: "closed the connection", beyond: "closed the connection"},
		{name: "ends a chunk early", do: raw(begun + "Transfer-Encoding: chunked\r\n\r\nfff\r\nshort"),
			index: "the answer ends in the middle", beyond: "the answer ends in the middle"},

		// Its answer is endless, or longer than announced.
		{name: "answers without end", do: then(begun+"\r\n",
			func(c *call) { c.endlessly(strings.Repeat("\x00", 1<<16)) }),
			index: noIndexOrLate, beyond: "larger than 64 MiB"},
		{name: "sends rows without end", do: then(begun+"\r\n",
			func(c *call) { c.endlessly(strings.Repeat("<tr><td>1</td></tr>\n", 1000)) }),
			index: noIndexOrLate, beyond: "larger than 64 MiB"},
		{name: "sends one line without end", do: then(begun+"\r\n",
			func(c *call) { c.endlessly(strings.Repeat("x", 1<<16)) }),
			index: noIndexOrLate, beyond: "larger than 64 MiB"},
		{name: "sends headers without end", do: then("HTTP/1.1 200 OK\r\n",
			func(c *call) { c.endlessly("X-More: " + strings.Repeat("y", 1000) + "\r\n") }),
			index: "headers of its answer are larger", beyond: "headers of its answer are larger"},
		{name: "sends one header of a megabyte", do: raw("HTTP/1.1 200 OK\r\nX-Long: " + strings.Repeat("y", 1<<20) +
			"\r\n\r\n"),
			index: "headers of its answer are larger", beyond: "headers of its answer are larger"},
		{name: "says 100 Continue without end", do: func(c *call) { c.endlessly("HTTP/1.1 100 Continue\r\n\r\n") },
			index: "headers of its answer are larger", beyond: "headers of its answer are larger"},
		{name: "announces exabytes", do: raw(begun + "Content-Length: 4611686018427387904\r\n\r\nlittle"),
			index: "the answer ends in the middle", beyond: "the answer ends in the middle"},
		{name: "announces less than it sends", do: raw(begun + "Content-Length: 3\r\n\r\n" + goodIndex),
			index: noIndex, beyond: "HTML page, not a profile"},
		{name: "announces a negative length", do: raw(begun + "Content-Length: -5\r\n\r\n"),
			index: "no valid HTTP", beyond: "no valid HTTP"},
		{name: "announces two lengths", do: raw(begun + "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd"),
			index: "no valid HTTP", beyond: "no valid HTTP"},
		{name: "sends a chunk of no size", do: raw(begun + "Transfer-Encoding: chunked\r\n\r\nnone\r\n"),
			index: "no valid HTTP", beyond: "no valid HTTP"},

		// It does not speak HTTP, or speaks another version.
		{name: "is an SSH server", do: raw("SSH-2.0-OpenSSH_9.6\r\n"),
			index: "no valid HTTP", beyond: "no valid HTTP"},
		{name: "sends noise", do: func(c *call) { c.send(noise()) },
			index: "no valid HTTP", beyond: "no valid HTTP"},
		{name: "speaks HTTP/9.9", do: raw("HTTP/9.9 200 OK\r\nContent-Length: 0\r\n\r\n"),
			index: "net/http/pprof", beyond: "net/http/pprof"},
		{name: "answers 999", do: status("999 Beyond", "", "what"),
			index: "net/http/pprof answers 200", beyond: "net/http/pprof answers 200"},
		{name: "wants TLS", do: status("400 Bad Request", "", "Client sent an HTTP request to an HTTPS server.\n"),
			index: "use https://", beyond: "use https://"},

		// It refuses.
		{name: "answers 401", do: status("401 Unauthorized", "WWW-Authenticate: Basic\r\n", "who are you"),
			index: "wants credentials", beyond: "wants credentials"},
		{name: "answers 403", do: status("403 Forbidden", "", "not you"),
			index: "wants credentials", beyond: "wants credentials"},
		{name: "answers 404", do: status("404 Not Found", "", "404 page not found\n"),
			index: "is net/http/pprof mounted there?", beyond: "is net/http/pprof mounted there?"},
		{name: "answers 429", do: status("429 Too Many Requests", "Retry-After: 1000000\r\n", "slow down"),
			index: "limits requests", beyond: "limits requests"},
		{name: "answers 500", do: status("500 Internal Server Error", "", "panic: boom"),
			index: "its log may say why", beyond: "its log may say why"},
		{name: "answers 502 with a page", do: status("502 Bad Gateway", "Content-Type: text/html\r\n",
			"<html>502</html>"),
			index: "behind a proxy does not answer", beyond: "behind a proxy does not answer"},
		{name: "answers 204", do: raw("HTTP/1.1 204 No Content\r\n\r\n"),
			index: "net/http/pprof answers 200", beyond: "net/http/pprof answers 200"},
		{name: "answers 304", do: raw("HTTP/1.1 304 Not Modified\r\n\r\n"),
			index: "net/http/pprof answers 200", beyond: "net/http/pprof answers 200"},
		{name: "answers an error that commands the terminal",
			do:    status("500 Oops", "", "\x1b]0;owned\x07\x1b[2J\u202egnp"),
			index: "answered 500", beyond: "answered 500"},
		{name: "answers an error without end", do: then("HTTP/1.1 500 Oops\r\n\r\n",
			func(c *call) { c.endlessly(strings.Repeat("e", 1<<16)) }),
			index: "answered 500", beyond: "answered 500"},

		// It redirects.
		{name: "redirects to another host", do: redirectTo(func(c *call) string {
			return "http://" + c.witness +
				c.path
		}),
			index: "no other place is asked", beyond: "no other place is asked"},
		{name: "redirects to another host by https", do: redirectTo(func(c *call) string {
			return "https://" +
				c.witness + c.path
		}),
			index: "no other place is asked", beyond: "no other place is asked"},
		{name: "redirects to itself", do: redirectTo(func(c *call) string { return c.path }),
			index: "it redirects to itself", beyond: "it redirects to itself"},
		{name: "redirects to a file", do: redirectTo(func(*call) string { return "file:///etc/passwd" }),
			index: "net/http/pprof answers 200", beyond: "net/http/pprof answers 200"},
		{name: "redirects to nowhere", do: raw("HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n"),
			index: "net/http/pprof answers 200", beyond: "net/http/pprof answers 200"},
		{name: "sends a page that refreshes elsewhere", do: func(c *call) {
			c.answer("200 OK", "Content-Type: text/html\r\nRefresh: 0; url=http://"+c.witness+"/\r\n",
				fmt.Sprintf(`<html><meta http-equiv=refresh content="0; url=http://%s/">`, c.witness))
		},
			index: noIndex, beyond: "HTML page, not a profile"},

		{name: "redirects without end", do: redirectTo(func(c *call) string { return c.path + "/and/on" }),
			index: "it redirects to itself", beyond: "it redirects to itself"},
		{name: "redirects to another port", do: redirectTo(func(c *call) string {
			return "//" + c.witness + c.path
		}),
			index: "no other place is asked", beyond: "no other place is asked"},
		{name: "switches the protocol",
			do:    raw("HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n\x00\x00"),
			index: "net/http/pprof answers 200", beyond: "net/http/pprof answers 200"},

		// It answers 200 with something else.
		{name: "answers nothing", do: status("200 OK", "", ""),
			index: noIndex, beyond: "the answer is empty"},
		{name: "answers HTML", do: status("200 OK", "Content-Type: text/html\r\n",
			"<!doctype html><html>welcome</html>"),
			index: noIndex, beyond: "HTML page, not a profile"},
		{name: "answers JSON", do: status("200 OK", "Content-Type: application/json\r\n", `{"status":"ok"}`),
			index: noIndex, beyond: "not a gzipped pprof profile"},
		{name: "answers noise", do: func(c *call) { c.answer("200 OK", octets, noise()) },
			index: noIndex, beyond: "not a gzipped pprof profile"},
		{name: "packs the answer unasked", do: func(c *call) {
			c.answer("200 OK", octets+"Content-Encoding: gzip\r\n",
				emptyProfile())
		},
			index: noIndex},
		{name: "packs the answer by an encoding that nobody asked for", do: func(c *call) {
			c.answer("200 OK", "Content-Type: text/html\r\nContent-Encoding: br\r\n", "\x8b\x02\x80goroutine\x03")
		},
			index: noIndex, beyond: "not a gzipped pprof profile"},
		{name: "answers in UTF-16", do: func(c *call) {
			c.answer("200 OK", "Content-Type: text/html; charset=utf-16\r\n", "\xff\xfe<\x00h\x00t\x00m\x00l\x00>\x00")
		},
			index: noIndex, beyond: "not a gzipped pprof profile"},
		{name: "sends trailers without end",
			do: then(begun+"Transfer-Encoding: chunked\r\nTrailer: X-More\r\n\r\n0\r\n", func(c *call) {
				c.endlessly("X-More: " + strings.Repeat("z", 1000) + "\r\n")
			}),
			index: "no valid HTTP", beyond: "no valid HTTP"},
		{name: "lists a hundred thousand profiles", do: func(c *call) {
			c.answer("200 OK",
				"Content-Type: text/html\r\n", longIndex())
		},
			index: noIndexOrLate, beyond: "HTML page, not a profile"},
		{name: "counts absurdly", do: func(c *call) {
			c.answer("200 OK", "", strings.ReplaceAll(goodIndex, ">7<", ">99999999999999999999999<"))
		},
			beyond: "HTML page, not a profile"},

		// Its profile is not a profile, or is far too large.
		{name: "cuts the profile", do: func(c *call) { c.answer("200 OK", octets, emptyProfile()[:30]) },
			index: noIndex, beyond: "cut or damaged"},
		{name: "packs noise as a profile", do: profileOf(noiseProfile),
			index: noIndex, beyond: "goroutine.pb.gz", slow: true},
		{name: "packs a profile twice", do: profileOf(packedTwice),
			index: noIndex, beyond: "goroutine.pb.gz"},
		{name: "answers with another kind of profile", do: profileOf(heapForGoroutines),
			index: noIndex, beyond: "goroutine.pb.gz"},
		{name: "points at strings that are not there", do: profileOf(danglingStrings),
			index: noIndex, beyond: "goroutine.pb.gz"},
		{name: "packs 2 GB of zeros", do: profileOf(zeros),
			index: noIndexOrLate, beyond: "unpacks to more than 128 MiB", slow: true},
		{name: "sends a sample of 60 million addresses", do: profileOf(oneDeepSample),
			index: noIndex, beyond: "goroutine.pb.gz", slow: true},
		{name: "sends a name of 50 MB", do: profileOf(longName),
			index: noIndex, beyond: "goroutine.pb.gz", slow: true},
		{name: "sends a million samples", do: profileOf(manySamples),
			index: noIndexOrLate, beyond: "goroutine.pb.gz", found: true, slow: true},
		{name: "sends 3 million addresses", do: profileOf(manyAddresses),
			index: noIndexOrLate, beyond: "goroutine.pb.gz", slow: true},
		{name: "sends 20,000 large stacks", do: profileOf(manyStacks),
			index: noIndexOrLate, beyond: "goroutine.pb.gz", found: true, slow: true},
	}
}
