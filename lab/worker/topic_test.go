package worker

import (
	"bytes"
	"compress/zlib"
	"net"
	"os"
	"strconv"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/gocasebook/casebook/internal/leaktest"
)

func TestMain(m *testing.M) {
	os.Exit(leaktest.Check(m.Run(), "lab/worker", "net/http.", "franz-go", "remedy/gctune"))
}

// A topic is a broker with the topic "events". Its data survives a restart.
type topic struct {
	cluster *kfake.Cluster
	dir     string
	port    int
	sent    int // records
}

func newTopic(t *testing.T) *topic {
	t.Helper()
	k := &topic{dir: t.TempDir()}
	k.start(t)
	if err := k.cluster.CreateTopic("events", 3, nil); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { k.cluster.Close() })
	return k
}

// start starts the broker, on the port that it had before.
func (k *topic) start(t *testing.T) {
	t.Helper()
	opts := []kfake.Opt{kfake.NumBrokers(1), kfake.DataDir(k.dir)}
	if k.port != 0 {
		opts = append(opts, kfake.Ports(k.port))
	}
	cluster, err := kfake.NewCluster(opts...)
	if err != nil {
		t.Fatal(err)
	}
	_, port, err := net.SplitHostPort(cluster.ListenAddrs()[0])
	if err != nil {
		t.Fatal(err)
	}
	if k.port, err = strconv.Atoi(port); err != nil {
		t.Fatal(err)
	}
	k.cluster = cluster
}

func (k *topic) address() string { return "127.0.0.1:" + strconv.Itoa(k.port) }

// eventsEach is how many events the records of tests have.
const eventsEach = 5

// send produces the next n records of smallWorld.
func (k *topic) send(t *testing.T, n int) {
	t.Helper()
	records := make([]*kgo.Record, 0, n)
	for range n {
		message, err := vtCodec{}.append(nil, smallWorld.batch(uint64(k.sent*eventsEach), eventsEach))
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		z := zlib.NewWriter(&b)
		if _, err := z.Write(message); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		records = append(records, kgo.SliceRecord(b.Bytes()))
		k.sent++
	}
	k.produce(t, records...)
}

func (k *topic) produce(t *testing.T, records ...*kgo.Record) {
	t.Helper()
	client, err := kgo.NewClient(kgo.SeedBrokers(k.address()), kgo.DefaultProduceTopic("events"))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if err := client.ProduceSync(t.Context(), records...).FirstErr(); err != nil {
		t.Fatal(err)
	}
}
