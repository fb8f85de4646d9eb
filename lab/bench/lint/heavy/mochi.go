package heavy

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"sync"
)

// mochi is a broker of MQTT with dashboards, devices and devices that come and go.
func mochi() Service {
	return Service{
		Name: "mochi-mqtt", Module: "github.com/mochi-mqtt/server/v2", Version: "v2.7.9", Main: "cmd",
		Args: []string{"-tcp", "127.0.0.1:{port}", "-ws", "127.0.0.1:0", "-info", "127.0.0.1:{other}"},
		Load: loadMQTT,
	}
}

// Types of MQTT's packets, in the high half of the first byte (OASIS MQTT 3.1.1, section 2.2.1).
const (
	mqttConnect   = 1
	mqttPublish   = 3
	mqttPuback    = 4
	mqttSubscribe = 8
	mqttPing      = 12
)

// An mqttConn speaks MQTT 3.1.1.
type mqttConn struct {
	conn net.Conn
	in   *bufio.Reader
	mu   sync.Mutex // guards writing
}

func mqttText(b []byte, s string) []byte {
	return append(binary.BigEndian.AppendUint16(b, uint16(len(s))), s...)
}

// mqttPacket is a packet with its length.
func mqttPacket(kind, flags byte, body []byte) []byte {
	return append(binary.AppendUvarint([]byte{kind<<4 | flags}, uint64(len(body))), body...) // the same as MQTT's lengths
}

func dialMQTT(ctx context.Context, addr, id string) (*mqttConn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, func() { conn.Close() })
	c := &mqttConn{conn: conn, in: bufio.NewReaderSize(conn, 16<<10)}
	body := append(mqttText(nil, "MQTT"), 4, 2, 0, 0) // level 4, a clean session, no keep-alive
	if err := c.send(mqttPacket(mqttConnect, 0, mqttText(body, id))); err != nil {
		return nil, err
	}
	_, _, err = c.next()
	return c, err
}

func (c *mqttConn) send(packet []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err := c.conn.Write(packet)
	return err
}

// next reads a packet, and acknowledges a message that wants it.
func (c *mqttConn) next() (kind byte, body []byte, err error) {
	first, err := c.in.ReadByte()
	if err != nil {
		return 0, nil, err
	}
	n, err := binary.ReadUvarint(c.in)
	if err != nil {
		return 0, nil, err
	}
	body = make([]byte, n)
	if _, err = io.ReadFull(c.in, body); err != nil {
		return 0, nil, err
	}
	kind = first >> 4
	if kind == mqttPublish && first&6 == 2 {
		topic := int(binary.BigEndian.Uint16(body))
		err = c.send(mqttPacket(mqttPuback, 0, body[2+topic:4+topic]))
	}
	return kind, body, err
}

func (c *mqttConn) subscribe(filters ...string) error {
	body := []byte{0, 1}
	for i, f := range filters {
		body = append(mqttText(body, f), byte(i%2))
	}
	return c.send(mqttPacket(mqttSubscribe, 2, body))
}

func (c *mqttConn) publish(topic, data string, qos byte, retain bool, id uint16) error {
	body := mqttText(nil, topic)
	flags := qos << 1
	if retain {
		flags |= 1
	}
	if qos > 0 {
		body = binary.BigEndian.AppendUint16(body, id)
	}
	return c.send(mqttPacket(mqttPublish, flags, append(body, data...)))
}

// until reads until a packet of a kind.
func (c *mqttConn) until(want byte) error {
	for {
		if kind, _, err := c.next(); err != nil || kind == want {
			return err
		}
	}
}

func loadMQTT(ctx context.Context, on Target) error {
	clients := times(40, func(ctx context.Context, i int) error { return mqttDashboard(ctx, on, i) })
	clients = append(clients, times(4, func(ctx context.Context, i int) error { return mqttDevice(ctx, on, i) })...)
	clients = append(clients, func(ctx context.Context) error { return mqttVisitor(ctx, on) })
	clients = append(clients, times(1, browser(on, "http://"+on.Other, func(*rand.Rand) request { return get("/") }))...)
	return together(ctx, clients...)
}

func mqttDashboard(ctx context.Context, on Target, i int) error {
	c, err := dialMQTT(ctx, on.Addr, fmt.Sprintf("dashboard-%d", i))
	if err != nil {
		return err
	}
	if err := c.subscribe(fmt.Sprintf("site/%d/+/temperature", i%8), "site/+/alarm/#", fmt.Sprintf("fleet/%d/#", i),
		fmt.Sprintf("$share/workers/jobs/%d", i%4)); err != nil {
		return err
	}
	for ctx.Err() == nil {
		if _, _, err := c.next(); err != nil {
			return err
		}
	}
	return nil
}

// mqttDevice publishes, some of it with an acknowledgement, and waits after each 32 messages.
func mqttDevice(ctx context.Context, on Target, i int) error {
	c, err := dialMQTT(ctx, on.Addr, fmt.Sprintf("device-%d", i))
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(uint64(i), 5))
	for ctx.Err() == nil {
		for k := range 32 {
			topic, qos, retain := fmt.Sprintf("site/%d/room%d/temperature", r.IntN(8), r.IntN(200)), byte(0), false
			switch r.IntN(10) {
			case 0:
				topic, qos = fmt.Sprintf("site/%d/alarm/fire", r.IntN(8)), 1
			case 1:
				topic, qos = fmt.Sprintf("jobs/%d", r.IntN(4)), 1
			case 2:
				topic, retain = fmt.Sprintf("fleet/%d/position", r.IntN(300)), true
			}
			if err := c.publish(topic, text(r, 4+r.IntN(30)), qos, retain, uint16(k+1)); err != nil {
				return err
			}
		}
		if err := c.send(mqttPacket(mqttPing, 0, nil)); err != nil {
			return err
		}
		err := c.until(mqttPing + 1)
		on.Seen.Is(err == nil)
		if err != nil {
			return err
		}
	}
	return nil
}

// mqttVisitor connects, gets what is retained, and leaves.
func mqttVisitor(ctx context.Context, on Target) error {
	for i := 0; ctx.Err() == nil; i++ {
		c, err := dialMQTT(ctx, on.Addr, fmt.Sprintf("visitor-%d", i))
		if err != nil {
			return err
		}
		if err := c.subscribe(fmt.Sprintf("fleet/%d/+", i%300), "site/1/#"); err != nil {
			return err
		}
		if err := c.until(mqttSubscribe + 1); err != nil {
			return err
		}
		on.Seen.Is(true)
		c.conn.Close()
	}
	return nil
}
