package heavy

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"time"
)

// ferretdb is MongoDB for a shop, on SQLite: people look at items, order and comment, and somebody draws up statistics.
func ferretdb() Service {
	return Service{
		Name: "ferretdb", Module: "github.com/FerretDB/FerretDB", Version: "v1.24.2", Main: "cmd/ferretdb", Unseen: true,
		Args: []string{"--handler=sqlite", "--sqlite-url=file:{dir}/", "--state-dir={dir}", "--listen-addr=127.0.0.1:{port}",
			"--debug-addr=-", "--telemetry=disable", "--log-level=error"},
		Missing: map[string]string{"build/version/version.txt": "v1.24.2"}, // git describe writes it
		Load:    loadFerretdb,
	}
}

// A mongo is a connection that speaks MongoDB's protocol: OP_MSG with one document
// (https://www.mongodb.com/docs/manual/reference/mongodb-wire-protocol/).
type mongo struct {
	conn net.Conn
	on   Target
	last uint32
}

const opMessage = 2013

// bson is a document in order: names and values in turns.
type bson []any

// list is an array of documents or values.
type list []any

// oid is an ObjectID, which drivers make where an application names no _id.
type oid [12]byte

func oidOf(kind byte, i, n int) (id oid) {
	id[0] = kind
	binary.BigEndian.PutUint32(id[4:], uint32(i))
	binary.BigEndian.PutUint32(id[8:], uint32(n))
	return id
}

// encode appends a document (https://bsonspec.org/spec.html).
func (d bson) encode(b []byte) []byte {
	start := len(b)
	b = append(b, 0, 0, 0, 0)
	for i := 0; i < len(d); i += 2 {
		b = element(b, d[i].(string), d[i+1])
	}
	b = append(b, 0)
	binary.LittleEndian.PutUint32(b[start:], uint32(len(b)-start))
	return b
}

func element(b []byte, name string, value any) []byte {
	at := len(b)
	b = append(append(append(b, 0), name...), 0)
	var kind byte
	switch v := value.(type) {
	case float64:
		kind, b = 1, binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	case string:
		kind, b = 2, append(append(binary.LittleEndian.AppendUint32(b, uint32(len(v)+1)), v...), 0)
	case bson:
		kind, b = 3, v.encode(b)
	case list:
		var d bson
		for i, of := range v {
			d = append(d, fmt.Sprint(i), of)
		}
		kind, b = 4, d.encode(b)
	case oid:
		kind, b = 7, append(b, v[:]...)
	case bool:
		kind, b = 8, append(b, 0)
		if v {
			b[len(b)-1] = 1
		}
	case time.Time:
		kind, b = 9, binary.LittleEndian.AppendUint64(b, uint64(v.UnixMilli()))
	case int:
		kind, b = 16, binary.LittleEndian.AppendUint32(b, uint32(v))
	case int64:
		kind, b = 18, binary.LittleEndian.AppendUint64(b, uint64(v))
	}
	b[at] = kind
	return b
}

// do sends a command and returns the answer's document.
func (m *mongo) do(command ...any) ([]byte, error) {
	m.last++
	b := binary.LittleEndian.AppendUint32(make([]byte, 4, 1024), m.last)
	b = binary.LittleEndian.AppendUint32(b, 0)
	b = binary.LittleEndian.AppendUint32(b, opMessage)
	b = append(b, 0, 0, 0, 0, 0) // no flags; a section of the first kind
	b = bson(append(command, "$db", "shop")).encode(b)
	binary.LittleEndian.PutUint32(b, uint32(len(b)))
	if _, err := m.conn.Write(b); err != nil {
		return nil, err
	}
	head := make([]byte, 21)
	if _, err := io.ReadFull(m.conn, head); err != nil {
		return nil, err
	}
	body := make([]byte, binary.LittleEndian.Uint32(head)-21)
	if _, err := io.ReadFull(m.conn, body); err != nil {
		return nil, err
	}
	ok := bytes.Contains(body, binary.LittleEndian.AppendUint64([]byte("\x01ok\x00"), math.Float64bits(1))) &&
		!bytes.Contains(body, []byte("\x04writeErrors\x00"))
	m.on.Seen.Is(ok)
	return body, nil
}

// rest fetches what a cursor still has.
func (m *mongo) rest(first []byte, collection string, batch int) error {
	for {
		at := bytes.Index(first, []byte("\x12id\x00"))
		if at < 0 || len(first) < at+12 {
			return nil
		}
		id := int64(binary.LittleEndian.Uint64(first[at+4:]))
		if id == 0 {
			return nil
		}
		var err error
		if first, err = m.do("getMore", id, "collection", collection, "batchSize", batch); err != nil {
			return err
		}
	}
}

const ferretItems = 1000

func loadFerretdb(ctx context.Context, on Target) error {
	m, err := dialMongo(ctx, on)
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(1, 41))
	for i := 0; i < ferretItems; i += 100 {
		var docs list
		for k := range 100 {
			docs = append(docs, ferretItem(r, i+k))
		}
		if _, err := m.do("insert", "items", "documents", docs, "ordered", true); err != nil {
			return err
		}
	}
	index := bson{"key", bson{"kind", 1, "price", -1}, "name", "by_kind"}
	if _, err := m.do("createIndexes", "items", "indexes", list{index}); err != nil {
		return err
	}
	m.conn.Close()
	return together(ctx, times(6, func(ctx context.Context, i int) error { return ferretShopper(ctx, on, i) })...)
}

// dialMongo connects and says hello as drivers do.
func dialMongo(ctx context.Context, on Target) (*mongo, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", on.Addr)
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, func() { conn.Close() })
	m := &mongo{conn: conn, on: on}
	_, err = m.do("hello", 1, "helloOk", true, "client", bson{"driver", bson{"name", "mongo-go-driver",
		"version", "v2.1.0"}, "os", bson{"type", "linux", "architecture", "amd64"}, "platform", "go1.26"})
	return m, err
}

func ferretItem(r *rand.Rand, id int) bson {
	var tags, variants list
	for range 1 + r.IntN(5) {
		tags = append(tags, pick(r, words))
		variants = append(variants, bson{"sku", fmt.Sprintf("%d-%d", id, r.IntN(100)), "stock", r.IntN(100),
			"size", pick(r, []string{"S", "M", "L"}), "price", float64(r.IntN(10_000)) / 100})
	}
	return bson{"_id", oidOf(1, 0, id), "title", text(r, 4),
		"kind", pick(r, []string{"book", "tool", "toy", "food", "lamp"}), "price", float64(r.IntN(20_000)) / 100,
		"about", text(r, 40), "tags", tags, "variants", variants, "sale", r.IntN(10) == 0, "added", time.Now(),
		"maker", bson{"name", text(r, 2), "country", pick(r, []string{"de", "fr", "us", "jp"}), "since", 1900 + r.IntN(120)},
		"seen", int64(0)}
}

// ferretShopper is an application server with one connection of its pool.
func ferretShopper(ctx context.Context, on Target, i int) error {
	m, err := dialMongo(ctx, on)
	if err != nil {
		return err
	}
	defer m.conn.Close()
	r := rand.New(rand.NewPCG(uint64(i), 43))
	for n := 0; ctx.Err() == nil; n++ {
		if err := m.visit(r, i, n); err != nil {
			return err
		}
	}
	return nil
}

// visit is one request of a person or of a report.
func (m *mongo) visit(r *rand.Rand, i, n int) error {
	item := oidOf(1, 0, r.IntN(ferretItems))
	var err error
	switch k := r.IntN(160); { // the last twelve read whole collections
	case k < 64:
		_, err = m.do("find", "items", "filter", bson{"_id", item}, "limit", 1, "singleBatch", true)
	case k < 76:
		_, err = m.do("find", "items", "filter", bson{"_id", item}, "limit", 1,
			"projection", bson{"title", 1, "price", 1, "variants.sku", 1})
	case k < 96:
		_, err = m.do("insert", "orders", "documents", list{ferretOrder(r, i, n, item)}, "ordered", true)
	case k < 116:
		_, err = m.do("update", "items", "updates", list{bson{"q", bson{"_id", item}, "u", bson{"$inc", bson{"seen", 1},
			"$set", bson{"last", time.Now()}, "$push", bson{"visits", r.IntN(100)}}, "upsert", false}})
	case k < 126:
		_, err = m.do("findAndModify", "carts", "query", bson{"_id", oidOf(2, i, r.IntN(40))}, "update", bson{"$set",
			bson{"item", item, "at", time.Now()}, "$inc", bson{"count", 1}}, "upsert", true, "new", true)
	case k < 140:
		_, err = m.do("find", "orders", "filter", bson{"_id", oidOf(3, i, r.IntN(n+1))}, "limit", 1)
	case k < 148:
		_, err = m.do("delete", "orders", "deletes", list{bson{"q", bson{"_id", oidOf(3, i, n/2)}, "limit", 1}})
	case k < 151: // a page of a kind
		_, err = m.do("find", "items", "filter", bson{"kind", pick(r, []string{"book", "toy"}), "price", bson{"$lt", 30.0}},
			"sort", bson{"price", 1}, "limit", 20, "skip", 20*r.IntN(3))
	case k < 152:
		var first []byte
		first, err = m.do("find", "items", "filter", bson{"tags", pick(r, words), "maker.country", "de"}, "batchSize", 20)
		if err == nil {
			err = m.rest(first, "items", 20)
		}
	case k < 154:
		_, err = m.do("aggregate", "items", "pipeline", list{bson{"$match", bson{"sale", true}},
			bson{"$group", bson{"_id", "$kind", "n", bson{"$sum", 1}, "stock", bson{"$sum", "$seen"}}},
			bson{"$sort", bson{"n", -1}}}, "cursor", bson{"batchSize", 100})
	case k < 156:
		_, err = m.do("count", "items", "query", bson{"kind", "lamp", "$or", list{bson{"price", bson{"$gte", 100.0}},
			bson{"title", bson{"$regex", "^river"}}}})
	case k < 158:
		_, err = m.do("find", "items", "filter", bson{"_id", bson{"$in", list{item, oidOf(1, 0, 7), oidOf(1, 0, 70)}}},
			"projection", bson{"title", 1, "price", 1})
	default:
		_, err = m.do("distinct", "carts", "key", "item", "query", bson{"count", bson{"$gt", 1}})
	}
	return err
}

func ferretOrder(r *rand.Rand, i, n int, item oid) bson {
	var lines list
	for range 1 + r.IntN(4) {
		lines = append(lines, bson{"item", item, "count", 1 + r.IntN(3), "price", float64(r.IntN(9000)) / 100})
	}
	return bson{"_id", oidOf(3, i, n), "by", fmt.Sprintf("user%d", r.IntN(500)), "at", time.Now(),
		"lines", lines, "to", bson{"name", text(r, 2), "street", text(r, 3), "zip", fmt.Sprint(10_000 + r.IntN(80_000)),
			"country", "de"}, "state", "new"}
}
