package heavy

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strings"
	"time"
)

// gobgp is the route server of an exchange: each of six members announces and withdraws routes and gets those of the
// others, filtered by prefixes, AS paths and communities.
func gobgp() Service {
	var config strings.Builder
	config.WriteString(gobgpConfig)
	for i := range gobgpPeers {
		fmt.Fprintf(&config, gobgpNeighbor, 65001+i, 2+i)
	}
	return Service{
		Name: "gobgp", Module: "github.com/osrg/gobgp/v3", Version: "v3.37.0", Main: "cmd/gobgpd", Unseen: true,
		// Its own pprof listens where its metrics are.
		Args: []string{"-f", "{dir}/gobgpd.conf", "--api-hosts=127.0.0.1:{port}", "--pprof-host=127.0.0.1:{other}",
			"-l", "warn"},
		Config: map[string]string{"gobgpd.conf": config.String()},
		Load:   loadGobgp,
	}
}

const gobgpPeers = 6

const gobgpConfig = `[global.config]
  as = 65000
  router-id = "10.0.0.1"
  port = 17900
  local-address-list = ["127.0.0.1"]

[[defined-sets.prefix-sets]]
  prefix-set-name = "bogons"
  [[defined-sets.prefix-sets.prefix-list]]
    ip-prefix = "10.0.0.0/8"
    masklength-range = "8..32"
  [[defined-sets.prefix-sets.prefix-list]]
    ip-prefix = "192.168.0.0/16"
    masklength-range = "16..32"
[[defined-sets.bgp-defined-sets.as-path-sets]]
  as-path-set-name = "no-transit"
  as-path-list = ["_174_", "_3356_", "^65003_64[0-9]+_701$"]
[[defined-sets.bgp-defined-sets.community-sets]]
  community-set-name = "blackhole"
  community-list = ["65535:666"]

[[policy-definitions]]
  name = "clean"
  [[policy-definitions.statements]]
    [policy-definitions.statements.conditions.match-prefix-set]
      prefix-set = "bogons"
    [policy-definitions.statements.actions]
      route-disposition = "reject-route"
  [[policy-definitions.statements]]
    [policy-definitions.statements.conditions.bgp-conditions.match-as-path-set]
      as-path-set = "no-transit"
    [policy-definitions.statements.actions]
      route-disposition = "reject-route"
  [[policy-definitions.statements]]
    [policy-definitions.statements.conditions.bgp-conditions.match-community-set]
      community-set = "blackhole"
    [policy-definitions.statements.actions]
      route-disposition = "accept-route"
    [policy-definitions.statements.actions.bgp-actions.set-community]
      options = "add"
      [policy-definitions.statements.actions.bgp-actions.set-community.set-community-method]
        communities-list = ["65000:666"]
`

const gobgpNeighbor = `
[[neighbors]]
  [neighbors.config]
    peer-as = %d
    neighbor-address = "127.0.0.%d"
  [neighbors.transport.config]
    passive-mode = true
  [neighbors.route-server.config]
    route-server-client = true
  [neighbors.apply-policy.config]
    import-policy-list = ["clean"]
    default-import-policy = "accept-route"
    default-export-policy = "accept-route"
  [[neighbors.afi-safis]]
    [neighbors.afi-safis.config]
      afi-safi-name = "ipv4-unicast"
`

// gobgpPort is a fixed one, as the configuration has it: nothing else here speaks BGP.
const gobgpPort = "127.0.0.1:17900"

func loadGobgp(ctx context.Context, on Target) error {
	clients := times(gobgpPeers, func(ctx context.Context, i int) error { return gobgpMember(ctx, on, i) })
	clients = append(clients, times(1, browser(on, "http://"+on.Other, func(*rand.Rand) request {
		time.Sleep(time.Second)
		return get("/metrics")
	}))...)
	return together(ctx, clients...)
}

// gobgpMember has a session until it breaks, and then another.
func gobgpMember(ctx context.Context, on Target, i int) error {
	r := rand.New(rand.NewPCG(uint64(i), 12))
	for ctx.Err() == nil {
		life, cancel := context.WithTimeout(ctx, time.Duration(30+r.IntN(60))*time.Second)
		err := (&bgpSession{on: on, i: i, r: r}).run(life)
		cancel()
		if ctx.Err() != nil {
			return nil
		}
		on.Seen.Is(err == nil || life.Err() != nil)
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
	return nil
}

// A bgpSession speaks as much of RFC 4271 as a member needs.
type bgpSession struct {
	on Target
	i  int
	r  *rand.Rand
}

const (
	bgpOpen      = 1
	bgpUpdate    = 2
	bgpKeepalive = 4
	bgpRefresh   = 5
)

func bgpMessage(kind byte, body []byte) []byte {
	b := bytes.Repeat([]byte{0xff}, 16)
	b = binary.BigEndian.AppendUint16(b, uint16(19+len(body)))
	return append(append(b, kind), body...)
}

func (s *bgpSession) run(ctx context.Context) error {
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, byte(2+s.i))}}
	conn, err := dialer.DialContext(ctx, "tcp", gobgpPort)
	if err != nil {
		return err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	as := uint32(65001 + s.i)
	// Multiprotocol for IPv4 unicast, route refresh, four-octet AS numbers.
	caps := []byte{1, 4, 0, 1, 0, 1, 2, 0, 65, 4}
	caps = binary.BigEndian.AppendUint32(caps, as)
	open := binary.BigEndian.AppendUint16([]byte{4}, uint16(as))
	open = binary.BigEndian.AppendUint16(open, 90)
	open = append(open, 127, 0, 0, byte(2+s.i), byte(2+len(caps)), 2, byte(len(caps)))
	hello := append(bgpMessage(bgpOpen, append(open, caps...)), bgpMessage(bgpKeepalive, nil)...)
	if _, err := conn.Write(hello); err != nil {
		return err
	}
	established, ended := make(chan struct{}), make(chan error, 1)
	go func() { ended <- s.read(conn, established) }()
	select {
	case <-established:
	case err := <-ended:
		return err
	}
	err = s.announce(conn, ended)
	conn.Close()
	return err
}

// read counts what comes, until the connection is closed.
func (s *bgpSession) read(conn net.Conn, established chan<- struct{}) error {
	head := make([]byte, 19)
	for first := true; ; {
		if _, err := io.ReadFull(conn, head); err != nil {
			return err
		}
		if _, err := io.CopyN(io.Discard, conn, int64(binary.BigEndian.Uint16(head[16:]))-19); err != nil {
			return err
		}
		if head[18] == bgpKeepalive && first {
			first = false
			close(established)
		}
		s.on.Seen.Is(head[18] != 3)
	}
}

// announce sends the whole table, and then what changes, until the session ends.
func (s *bgpSession) announce(conn net.Conn, ended <-chan error) error {
	const routes = 4000
	alive := time.Now()
	for n := 0; ; n++ {
		var b []byte
		switch {
		case n < routes/8: // the table, eight prefixes with the same attributes
			b = s.update(8*n, 8, false)
		case s.r.IntN(5) == 0:
			b = s.update(s.r.IntN(routes), 1+s.r.IntN(3), true)
		case s.r.IntN(2000) == 0:
			b = bgpMessage(bgpRefresh, []byte{0, 1, 0, 1})
		default:
			b = s.update(s.r.IntN(routes), 1+s.r.IntN(6), false)
		}
		if _, err := conn.Write(b); err != nil {
			return err
		}
		if n%10 > 0 {
			continue
		}
		if time.Since(alive) > 20*time.Second {
			alive = time.Now()
			if _, err := conn.Write(bgpMessage(bgpKeepalive, nil)); err != nil {
				return err
			}
		}
		select {
		case err := <-ended:
			return err
		case <-time.After(25 * time.Millisecond):
		}
	}
}

// bgpNumbers are of autonomous systems behind the members.
var bgpNumbers = []uint32{64100, 64200, 3320, 1299, 174, 6939, 701, 4200000001}

// update announces or withdraws n prefixes of /24 from the one numbered at. Half of them other members announce too.
func (s *bgpSession) update(at, n int, withdraw bool) []byte {
	var prefixes []byte
	for k := at; k < at+n; k++ {
		member := byte(s.i)
		if k%2 == 0 {
			member = byte(s.i / 2)
		}
		prefixes = append(prefixes, 24, 20+member, byte(k>>8), byte(k))
	}
	if withdraw {
		b := binary.BigEndian.AppendUint16(nil, uint16(len(prefixes)))
		return bgpMessage(bgpUpdate, append(append(b, prefixes...), 0, 0))
	}
	hops := 1 + s.r.IntN(5)
	path := []byte{0x40, 2, byte(2 + 4*hops), 2, byte(hops)}
	path = binary.BigEndian.AppendUint32(path, uint32(65001+s.i))
	for range hops - 1 {
		path = binary.BigEndian.AppendUint32(path, pick(s.r, bgpNumbers))
	}
	attrs := append([]byte{0x40, 1, 1, 0}, path...)                 // ORIGIN, AS_PATH
	attrs = append(attrs, 0x40, 3, 4, 127, 0, 0, byte(2+s.i))       // NEXT_HOP
	attrs = append(attrs, 0x80, 4, 4, 0, 0, 0, byte(s.r.IntN(100))) // MULTI_EXIT_DISC
	communities := 1 + s.r.IntN(4)
	attrs = append(attrs, 0xc0, 8, byte(4*communities))
	for range communities {
		attrs = binary.BigEndian.AppendUint32(attrs, uint32(65000<<16|s.r.IntN(300)))
	}
	b := binary.BigEndian.AppendUint16([]byte{0, 0}, uint16(len(attrs)))
	return bgpMessage(bgpUpdate, append(append(b, attrs...), prefixes...))
}
