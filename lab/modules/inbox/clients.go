package main

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/IBM/sarama"
	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/pubsub/gochannel"
	mqtt "github.com/eclipse/paho.mqtt.golang"
	"github.com/hibiken/asynq"
	"github.com/nats-io/nats.go"
	"github.com/segmentio/kafka-go"
)

func overMQTT(c *carrier, broker, how string) (publisher, error) {
	opts := mqtt.NewClientOptions().AddBroker("tcp://" + broker).SetClientID("inbox")
	opts.SetOrderMatters(how != "unordered")
	client := mqtt.NewClient(opts)
	if t := client.Connect(); t.Wait() && t.Error() != nil {
		return nil, t.Error()
	}
	booked := func(_ mqtt.Client, m mqtt.Message) {
		if err := c.book(context.Background(), m.Payload()); err != nil {
			log.Print(err)
		}
	}
	if t := client.Subscribe("orders/#", 0, booked); t.Wait() && t.Error() != nil {
		return nil, t.Error()
	}
	return func(order []byte) error {
		t := client.Publish("orders/new", 0, false, order)
		t.Wait()
		return t.Error()
	}, nil
}

// overNATS has more than one subscription, as most services have: what is asked of its health, what is cancelled.
func overNATS(c *carrier, broker, how string) (publisher, error) {
	conn, err := nats.Connect(broker)
	if err != nil {
		return nil, err
	}
	for subject, handle := range map[string]nats.MsgHandler{
		"orders.new": func(m *nats.Msg) {
			if err := c.book(context.Background(), m.Data); err != nil {
				log.Print(err)
			}
		},
		"orders.cancelled": func(m *nats.Msg) { log.Printf("cancelled: %s", m.Data) },
		"health.inbox":     func(m *nats.Msg) { m.Respond([]byte("ok")) },
	} {
		if _, err := conn.Subscribe(subject, handle); err != nil {
			return nil, err
		}
	}
	return func(order []byte) error { return conn.Publish("orders.new", order) }, nil
}

// A claim is a consumer of a group.
type claim struct{ *carrier }

func (claim) Setup(sarama.ConsumerGroupSession) error   { return nil }
func (claim) Cleanup(sarama.ConsumerGroupSession) error { return nil }
func (h claim) ConsumeClaim(s sarama.ConsumerGroupSession, c sarama.ConsumerGroupClaim) error {
	for m := range c.Messages() {
		if err := h.book(s.Context(), m.Value); err != nil {
			log.Print(err)
		}
		s.MarkMessage(m, "")
	}
	return nil
}

// topic has a partition, or eight.
func topic(how string) string {
	if how == "parts" {
		return "orders8"
	}
	return "orders"
}

func overSarama(c *carrier, broker, how string) (publisher, error) {
	cfg := sarama.NewConfig()
	cfg.Version = sarama.V2_8_0_0
	cfg.Producer.Return.Successes = false
	p, err := sarama.NewAsyncProducer([]string{broker}, cfg)
	if err != nil {
		return nil, err
	}
	go func() {
		for err := range p.Errors() {
			log.Print(err)
		}
	}()
	group, err := sarama.NewConsumerGroup([]string{broker}, "inbox", cfg)
	if err != nil {
		return nil, err
	}
	go func() {
		for {
			if err := group.Consume(context.Background(), []string{topic(how)}, claim{c}); err != nil {
				log.Print(err)
			}
		}
	}()
	return func(order []byte) error {
		p.Input() <- &sarama.ProducerMessage{Topic: topic(how), Value: sarama.ByteEncoder(order)}
		return nil
	}, nil
}

func overKafkaGo(c *carrier, broker, how string) (publisher, error) {
	w := &kafka.Writer{Addr: kafka.TCP(broker), Topic: topic(how), BatchTimeout: 10 * time.Millisecond, Async: true}
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: []string{broker}, GroupID: "inbox", Topic: topic(how),
		CommitInterval: time.Second, MaxWait: 100 * time.Millisecond})
	go consume(c, r)
	return func(order []byte) error {
		return w.WriteMessages(context.Background(), kafka.Message{Value: order})
	}, nil
}

// consume is the loop of kafka-go's README.
func consume(c *carrier, r *kafka.Reader) {
	for {
		m, err := r.ReadMessage(context.Background())
		if err != nil {
			log.Print(err)
			return
		}
		if err := c.book(context.Background(), m.Value); err != nil {
			log.Print(err)
		}
	}
}

func overAsynq(c *carrier, broker, how string) (publisher, error) {
	redis := asynq.RedisClientOpt{Addr: broker}
	workers := 1
	if how == "ten" {
		workers = 10
	}
	mux := asynq.NewServeMux()
	mux.HandleFunc("order:book", func(ctx context.Context, t *asynq.Task) error { return c.book(ctx, t.Payload()) })
	srv := asynq.NewServer(redis, asynq.Config{Concurrency: workers, LogLevel: asynq.WarnLevel})
	if err := srv.Start(mux); err != nil {
		return nil, err
	}
	client := asynq.NewClient(redis)
	return func(order []byte) error {
		_, err := client.Enqueue(asynq.NewTask("order:book", order))
		return err
	}, nil
}

func overWatermill(c *carrier, _, _ string) (publisher, error) {
	logger := watermill.NopLogger{}
	pubSub := gochannel.NewGoChannel(gochannel.Config{OutputChannelBuffer: 1 << 16}, logger)
	router, err := message.NewRouter(message.RouterConfig{}, logger)
	if err != nil {
		return nil, err
	}
	router.AddConsumerHandler("book", "orders", pubSub, func(m *message.Message) error {
		return c.book(m.Context(), m.Payload)
	})
	go func() { log.Fatal(router.Run(context.Background())) }()
	select {
	case <-router.Running():
	case <-time.After(5 * time.Second):
		return nil, fmt.Errorf("the router does not start")
	}
	return func(order []byte) error {
		return pubSub.Publish("orders", message.NewMessage(watermill.NewUUID(), order))
	}, nil
}
