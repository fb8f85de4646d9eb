// Package kafka runs a real Apache Kafka broker beside the lab's worker, for those who ask for it.
//
// The problem: the embedded broker of the worker (kfake) is a fake, if a thorough one. The approach: one node that is
// broker and controller (KRaft) as a child process on free loopback ports, of the jars of Maven Central, that ends with
// its owner (package app/child). The limits: it needs Java 17 or later, and Maven to get the jars the first time, some
// 46 MB in the user's cache folder; one node, no replicas; its topics are made when somebody uses them.
package kafka

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/gocasebook/casebook/app/child"
)

// Version is that of the broker.
const Version = "3.9.1"

// Name is what the broker is called in results.
const Name = "Apache Kafka " + Version + " (KRaft, one node)"

// readyTime bounds the start, which takes some 5 s.
const readyTime = time.Minute

// A Server is a running broker.
type Server struct {
	Addr string // host:port

	process *child.Process
}

// Start starts a broker that keeps its topics in dir, and waits until it listens. The jars are fetched where they are
// not there yet. Stop must be called.
func Start(ctx context.Context, dir string) (*Server, error) {
	java, err := exec.LookPath("java")
	if err != nil {
		return nil, errors.New("java is not installed: apt-get install openjdk-17-jre-headless")
	}
	jars, err := jars(ctx)
	if err != nil {
		return nil, err
	}
	settings := filepath.Join(dir, "server.properties")
	if err := os.WriteFile(settings, []byte(properties(filepath.Join(dir, "topics"))), 0o600); err != nil {
		return nil, fmt.Errorf("writing Kafka's settings: %w", err)
	}
	classes := []string{"-Xmx512m", "-cp", filepath.Join(jars, "*")}
	format := exec.CommandContext(ctx, java, append(classes, "kafka.tools.StorageTool", "format", "--cluster-id",
		clusterID, "--config", settings)...)
	if out, err := format.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("formatting Kafka's folder: %w\n%s", err, out)
	}
	s := &Server{}
	return s, s.start(ctx, dir, append([]string{java}, append(classes, "kafka.Kafka", settings)...))
}

func (s *Server) start(ctx context.Context, dir string, command []string) error {
	const plain, control = "PLAINTEXT://127.0.0.1:" + child.PortPlace, "CONTROLLER://127.0.0.1:" + child.PprofPlace
	for _, setting := range []string{
		"listeners=" + plain + "," + control,
		"advertised.listeners=" + plain,
		"controller.quorum.voters=1@127.0.0.1:" + child.PprofPlace,
	} {
		command = append(command, "--override", setting)
	}
	p, err := child.Start(child.Spec{Name: "Kafka", Dir: dir, Args: command})
	if err != nil {
		return fmt.Errorf("starting Kafka: %w", err)
	}
	if err := p.Ready(ctx, "", readyTime); err != nil {
		return errors.Join(fmt.Errorf("waiting for Kafka: %w", err), p.Stop())
	}
	s.process, s.Addr = p, p.Addr
	return nil
}

// Stop ends the broker.
func (s *Server) Stop() error { return s.process.Stop() }

// clusterID is any: 16 bytes in base64.
const clusterID = "Y2FzZWJvb2stbGFiLTAwMQ"

// properties are the broker's settings. Its ports are given on the command line; those here are for the formatting. It
// keeps records for 20 s, as the embedded broker does for the rows.
func properties(dir string) string {
	return `process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:9093
listeners=PLAINTEXT://127.0.0.1:9092,CONTROLLER://127.0.0.1:9093
advertised.listeners=PLAINTEXT://127.0.0.1:9092
controller.listener.names=CONTROLLER
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
log.dirs=` + dir + `
num.partitions=6
offsets.topic.replication.factor=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
group.initial.rebalance.delay.ms=0
log.retention.ms=20000
log.segment.bytes=8388608
log.retention.check.interval.ms=1000
`
}
