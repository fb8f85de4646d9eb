// Pingback delivers webhooks: events come in, each is signed and posted to the subscribers of its topic.
package main

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	_ "net/http/pprof"
	"time"

	"github.com/google/uuid"
	"github.com/sirupsen/logrus"

	"github.com/gocasebook/casebook/lab/holdout3/internal/drive"
)

type Event struct {
	ID      string         `json:"id"`
	Topic   string         `json:"topic"`
	At      time.Time      `json:"at"`
	Payload map[string]any `json:"payload"`
}

type Subscriber struct {
	Topic, URL, Secret string
	Verify             bool
	Timeout            time.Duration
}

// Sender posts events to subscribers from a fixed number of workers.
type Sender struct {
	subscribers map[string][]Subscriber
	queue       chan Event
	log         *logrus.Logger
}

func (s *Sender) Run(workers int) {
	for range workers {
		go func() {
			for e := range s.queue {
				for _, sub := range s.subscribers[e.Topic] {
					if err := s.deliver(sub, e); err != nil {
						s.log.WithError(err).WithField("url", sub.URL).Warn("not delivered")
					}
				}
			}
		}()
	}
}

// clientFor honours the subscriber's settings.
func clientFor(sub Subscriber) *http.Client {
	return &http.Client{
		Timeout: sub.Timeout,
		Transport: &http.Transport{
			TLSClientConfig:     &tls.Config{InsecureSkipVerify: !sub.Verify},
			TLSHandshakeTimeout: 5 * time.Second,
		},
	}
}

func sign(secret string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

func (s *Sender) deliver(sub Subscriber, e Event) error {
	body, err := json.Marshal(e)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), sub.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, sub.URL, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Signature", sign(sub.Secret, body))
	client := clientFor(sub)
	defer client.CloseIdleConnections()
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if _, err := io.Copy(io.Discard, res.Body); err != nil {
		return err
	}
	if res.StatusCode >= 300 {
		return fmt.Errorf("%s answered %s", sub.URL, res.Status)
	}
	return nil
}

func (s *Sender) accept(w http.ResponseWriter, r *http.Request) {
	e := Event{ID: uuid.NewString(), Topic: r.PathValue("topic"), At: time.Now()}
	if err := json.NewDecoder(r.Body).Decode(&e.Payload); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	select {
	case s.queue <- e:
		w.WriteHeader(http.StatusAccepted)
	default:
		http.Error(w, "queue is full", http.StatusTooManyRequests)
	}
}

// receiver is what the subscribers run.
func receiver(addr string) error {
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.WriteHeader(http.StatusNoContent)
	}))
	s.Config.ErrorLog = nil
	s.Listener.Close()
	s.Listener = ln
	s.StartTLS()
	return nil
}

func load(p drive.Ports) {
	if err := receiver(p.Dependency()); err != nil {
		logrus.Fatal(err)
	}
	drive.HTTP(150, func(i int) *http.Request {
		body := fmt.Sprintf(`{"order":%d,"state":"paid","items":[{"sku":"a-%d","n":2},{"sku":"b","n":1}]}`, i, i%50)
		return drive.Send(http.MethodPost, p.Main(), fmt.Sprintf("/events/topic-%d", i%4), body)
	})
}

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	s := &Sender{make(map[string][]Subscriber), make(chan Event, 1000), logrus.New()}
	for i := range 8 {
		topic := fmt.Sprintf("topic-%d", i%4)
		s.subscribers[topic] = append(s.subscribers[topic], Subscriber{Topic: topic, Secret: "s3cret",
			URL: fmt.Sprintf("https://%s/hooks/%d", p.Dependency(), i), Timeout: 10 * time.Second})
	}
	s.Run(16)
	http.HandleFunc("POST /events/{topic}", s.accept)
	s.log.Fatal(http.ListenAndServe(p.Main(), nil))
}
