package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/gorilla/websocket"
	"github.com/redis/go-redis/v9"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

// exchanges ask somebody else, whose address they get.
var exchanges = map[string]func(backend string) (pricer, error){
	"client": byHTTP,
	"socket": bySocket,
	"redis":  byCache,
	"pipe":   byPipe,
	"answer": func(string) (pricer, error) { return described, nil },
}

// A quote is what the other service answers: the items with what they cost today.
type quote struct {
	Total float64 `json:"total"`
	Items []item  `json:"items"`
}

func byHTTP(addr string) (pricer, error) {
	c := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	return func(b basket) (float64, error) { return ask(c, "http://"+addr+"/quotes", b) }, nil
}

// ask is a client as people write it.
func ask(c *http.Client, url string, b basket) (float64, error) {
	body, err := json.Marshal(b.Items)
	if err != nil {
		return 0, err
	}
	res, err := c.Post(url, "application/json", bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	var q quote
	if err := json.NewDecoder(res.Body).Decode(&q); err != nil {
		return 0, err
	}
	return q.Total, nil
}

// A line is a connection that one request has at a time.
type line struct{ free chan *websocket.Conn }

func bySocket(addr string) (pricer, error) {
	l := &line{make(chan *websocket.Conn, 16)}
	for range cap(l.free) {
		c, _, err := websocket.DefaultDialer.Dial("ws://"+addr+"/line", nil)
		if err != nil {
			return nil, err
		}
		l.free <- c
	}
	return l.ask, nil
}

func (l *line) ask(b basket) (float64, error) {
	c := <-l.free
	defer func() { l.free <- c }()
	if err := c.WriteJSON(b.Items); err != nil {
		return 0, err
	}
	var q quote
	err := c.ReadJSON(&q)
	return q.Total, err
}

// A cache has what others were told.
type cache struct{ rdb *redis.Client }

func byCache(addr string) (pricer, error) {
	return (&cache{redis.NewClient(&redis.Options{Addr: addr})}).price, nil
}

// price keeps the basket for the next step of the order, and reads the catalogue.
func (c *cache) price(b basket) (float64, error) {
	ctx := context.Background()
	text, err := json.Marshal(b.Items)
	if err != nil {
		return 0, err
	}
	if err := c.rdb.Set(ctx, "basket:"+b.Customer, text, time.Hour).Err(); err != nil {
		return 0, err
	}
	known, err := c.rdb.Get(ctx, "catalogue").Bytes()
	if err != nil {
		return 0, err
	}
	var q quote
	err = json.Unmarshal(known, &q)
	return q.Total, err
}

// A pipe is a stream to another process, a value after the other each way.
type pipe struct {
	out *json.Encoder
	in  *json.Decoder
}

func byPipe(addr string) (pricer, error) {
	free := make(chan *pipe, 16)
	for range cap(free) {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			return nil, err
		}
		free <- &pipe{json.NewEncoder(c), json.NewDecoder(c)}
	}
	return func(b basket) (float64, error) {
		p := <-free
		defer func() { free <- p }()
		return p.call(b)
	}, nil
}

func (p *pipe) call(b basket) (float64, error) {
	if err := p.out.Encode(b.Items); err != nil {
		return 0, err
	}
	var q quote
	err := p.in.Decode(&q)
	return q.Total, err
}

// described encodes what was made of the basket, for an event that others read.
func described(b basket) (float64, error) {
	total := 0.0
	for _, i := range b.Items {
		total += i.Price * float64(i.Pieces)
	}
	text, err := json.Marshal(quote{total, b.Items})
	if err != nil {
		return 0, err
	}
	_, err = io.Discard.Write(text)
	return total, err
}

// answered is what the other service says: as much as it was asked.
func answered() []byte {
	b, err := json.Marshal(quote{1, sample().Basket.Items})
	if err != nil {
		log.Fatal(err)
	}
	return append(b, '\n')
}

// backend is the other service of a form.
func backend(kind string) (string, func(), error) {
	if kind == "redis" {
		return cacheServer()
	}
	l, err := serve.Listen()
	if err != nil {
		return "", nil, err
	}
	answer := answered()
	if kind == "pipe" {
		go acceptPipes(l, answer)
		return l.Addr().String(), func() {}, nil
	}
	http.HandleFunc("/quotes", func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Length", strconv.Itoa(len(answer)))
		w.Write(answer)
	})
	http.HandleFunc("/line", func(w http.ResponseWriter, r *http.Request) {
		c, err := (&websocket.Upgrader{}).Upgrade(w, r, nil)
		for err == nil {
			if _, _, err = c.ReadMessage(); err == nil {
				err = c.WriteMessage(websocket.TextMessage, answer)
			}
		}
	})
	go func() { log.Fatal(http.Serve(l, nil)) }()
	return l.Addr().String(), func() {}, nil
}

func cacheServer() (string, func(), error) {
	addr, stop, err := serve.RedisServer()
	if err != nil {
		return "", nil, err
	}
	err = redis.NewClient(&redis.Options{Addr: addr}).Set(context.Background(), "catalogue", answered(), 0).Err()
	return addr, stop, err
}

func acceptPipes(l net.Listener, answer []byte) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			in := json.NewDecoder(c)
			for {
				var skipped json.RawMessage
				if err := in.Decode(&skipped); err != nil {
					return
				}
				if _, err := c.Write(answer); err != nil {
					return
				}
			}
		}()
	}
}
