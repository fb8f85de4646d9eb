package main

import (
	"errors"
	"log/slog"
	"os"
	"time"

	mqttserver "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/hooks/auth"
	"github.com/mochi-mqtt/server/v2/listeners"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/twmb/franz-go/pkg/kfake"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

// begin starts a broker in this process.
func begin(of string) (addr string, stop func(), err error) {
	switch of {
	case "paho":
		return mqttBroker()
	case "nats":
		return natsBroker()
	case "sarama", "kafkago":
		return kafkaBroker()
	case "asynq":
		return serve.RedisServer()
	}
	return "", func() {}, nil
}

func mqttBroker() (addr string, stop func(), err error) {
	capabilities := mqttserver.NewDefaultServerCapabilities()
	capabilities.MaximumClientWritesPending = 1 << 20 // what has not been handled waits here
	s := mqttserver.New(&mqttserver.Options{Capabilities: capabilities,
		Logger: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))})
	l := listeners.NewTCP(listeners.Config{ID: "tcp", Address: "127.0.0.1:0"})
	if err := errors.Join(s.AddHook(new(auth.AllowHook), nil), s.AddListener(l), s.Serve()); err != nil {
		return "", nil, err
	}
	return l.Address(), func() { s.Close() }, nil
}

func natsBroker() (addr string, stop func(), err error) {
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: -1, NoSigs: true})
	if err != nil {
		return "", nil, err
	}
	go s.Start()
	if !s.ReadyForConnections(5 * time.Second) {
		return "", nil, errors.New("the NATS server does not listen")
	}
	return s.ClientURL(), s.Shutdown, nil
}

func kafkaBroker() (addr string, stop func(), err error) {
	c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(1, "orders"), kfake.SeedTopics(8, "orders8"))
	if err != nil {
		return "", nil, err
	}
	return c.ListenAddrs()[0], c.Close, nil
}
