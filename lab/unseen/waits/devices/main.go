// Devices switches things in people's homes, by MQTT.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"
	broker "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/hooks/auth"
	"github.com/mochi-mqtt/server/v2/listeners"

	"github.com/gocasebook/casebook/lab/unseen/waits/web"
)

var errSilent = errors.New("the device does not answer")

type bridge struct {
	client  mqtt.Client
	mu      sync.Mutex
	waiting map[string][]chan string
}

// onState passes on what a device says of itself.
func (b *bridge) onState(_ mqtt.Client, m mqtt.Message) {
	id := strings.Split(m.Topic(), "/")[1]
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range b.waiting[id] {
		c <- string(m.Payload())
	}
	delete(b.waiting, id)
}

// onAlarm tells a device that its alarm is seen.
func (b *bridge) onAlarm(c mqtt.Client, m mqtt.Message) {
	id := strings.Split(m.Topic(), "/")[1]
	token := c.Publish("devices/"+id+"/seen", 1, false, m.Payload())
	token.Wait()
	if err := token.Error(); err != nil {
		log.Print(err)
	}
}

func (b *bridge) change(ctx context.Context, id, to string) (string, error) {
	answer := make(chan string, 1)
	b.mu.Lock()
	b.waiting[id] = append(b.waiting[id], answer)
	b.mu.Unlock()
	token := b.client.Publish("devices/"+id+"/set", 1, false, to)
	if token.Wait(); token.Error() != nil {
		return "", token.Error()
	}
	select {
	case state := <-answer:
		return state, nil
	case <-time.After(20 * time.Second):
		return "", errSilent
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

func (b *bridge) serve(w http.ResponseWriter, r *http.Request) {
	state, err := b.change(r.Context(), r.FormValue("id"), r.FormValue("to"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusGatewayTimeout)
		return
	}
	fmt.Fprintln(w, state)
}

func connect(name string, ordered bool, onConnect mqtt.OnConnectHandler) mqtt.Client {
	o := mqtt.NewClientOptions().AddBroker("tcp://" + *web.Peer).SetClientID(name).SetOrderMatters(ordered).
		SetKeepAlive(10 * time.Minute).SetOnConnectHandler(onConnect)
	c := mqtt.NewClient(o)
	if t := c.Connect(); t.Wait() && t.Error() != nil {
		log.Fatal(t.Error())
	}
	return c
}

// home is the broker and all devices. A device answers each change. At times all smoke detectors of
// a home raise an alarm at once.
func home() {
	s := broker.New(&broker.Options{Logger: slog.New(slog.DiscardHandler)})
	s.AddHook(new(auth.AllowHook), nil)
	if err := s.AddListener(listeners.NewTCP(listeners.Config{ID: "tcp", Address: *web.Peer})); err != nil {
		log.Fatal(err)
	}
	if err := s.Serve(); err != nil {
		log.Fatal(err)
	}
	var n atomic.Int64
	connect("devices", false, func(c mqtt.Client) {
		c.Subscribe("devices/+/set", 1, func(c mqtt.Client, m mqtt.Message) {
			id := strings.Split(m.Topic(), "/")[1]
			c.Publish("devices/"+id+"/state", 1, false, m.Payload())
			if n.Add(1)%500 == 0 {
				for i := range 4 {
					c.Publish(fmt.Sprintf("devices/%s-smoke%d/alarm", id, i), 1, false, "smoke")
				}
			}
		})
	})
	select {}
}

func main() {
	flag.Parse()
	if *web.Back {
		home()
	}
	b := &bridge{waiting: make(map[string][]chan string)}
	b.client = connect("bridge", !*web.Fixed, func(c mqtt.Client) {
		c.Subscribe("devices/+/state", 1, b.onState)
		c.Subscribe("devices/+/alarm", 1, b.onAlarm)
	})
	mux := http.NewServeMux()
	mux.HandleFunc("/set", b.serve)
	web.Serve(mux)
}
