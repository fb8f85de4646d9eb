package known

// brokers are clients that deliver messages to handlers.
func brokers() []Row {
	return []Row{{Functions: []string{"github.com/nats-io/nats.go", "github.com/eclipse/paho.mqtt.golang.",
		"github.com/eclipse/paho.golang/", "github.com/nsqio/go-nsq.", "github.com/IBM/sarama.",
		"github.com/Shopify/sarama.", "github.com/rabbitmq/amqp091-go.", "github.com/streadway/amqp.",
		"github.com/go-stomp/stomp", "github.com/apache/pulsar-client-go/", "github.com/ThreeDotsLabs/watermill/",
		"github.com/gocraft/work.", "github.com/hibiken/asynq.", "github.com/adjust/rmq/", "cloud.google.com/go/pubsub",
		"github.com/centrifugal/centrifuge-go."}, Roles: Delivers}}
}
