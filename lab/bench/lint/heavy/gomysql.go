package heavy

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strings"
)

// goMySQL is Dolt's SQL engine as a MySQL server with its store in memory: a shop's items, customers and orders. Its
// release has an example for a main; ours is the same with an empty database and a port of its own.
func goMySQL() Service {
	return Service{
		Name: "go-mysql-server", Module: "github.com/dolthub/go-mysql-server", Version: "v0.20.0", Main: "cmd/heavy",
		Unseen:  true,
		Args:    []string{"127.0.0.1:{port}"},
		Missing: map[string]string{"cmd/heavy/main.go": goMySQLMain},
		Load:    loadMySQL,
	}
}

const goMySQLMain = `package main

import (
	"log"
	"os"

	sqle "github.com/dolthub/go-mysql-server"
	"github.com/dolthub/go-mysql-server/memory"
	"github.com/dolthub/go-mysql-server/server"
	"github.com/dolthub/go-mysql-server/sql"
)

func main() {
	db := memory.NewDatabase("shop")
	db.BaseDatabase.EnablePrimaryKeyIndexes()
	pro := memory.NewDBProvider(db)
	config := server.Config{Protocol: "tcp", Address: os.Args[1]}
	s, err := server.NewServer(config, sqle.NewDefault(pro), sql.NewContext, memory.NewSessionBuilder(pro), nil)
	if err == nil {
		err = s.Start()
	}
	log.Fatal(err)
}
`

// A mysql is a connection that speaks MySQL's protocol with texts, as root without a password
// (https://dev.mysql.com/doc/dev/mysql-server/latest/PAGE_PROTOCOL.html).
type mysql struct {
	conn net.Conn
	in   *bufio.Reader
}

// Capabilities: long password, protocol 4.1, transactions, secure connection, plugin names, a database.
const mysqlCan = 0x1 | 0x200 | 0x2000 | 0x8000 | 0x80000 | 0x8

func dialMySQL(ctx context.Context, addr string) (*mysql, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, func() { conn.Close() })
	c := &mysql{conn: conn, in: bufio.NewReader(conn)}
	if _, err := c.packet(); err != nil { // its greeting
		return nil, err
	}
	hello := binary.LittleEndian.AppendUint32(nil, mysqlCan)
	hello = binary.LittleEndian.AppendUint32(hello, 1<<24)
	hello = append(hello, 45) // utf8mb4
	hello = append(hello, make([]byte, 23)...)
	hello = append(hello, "root\x00\x00shop\x00mysql_native_password\x00"...)
	if err := c.write(1, hello); err != nil {
		return nil, err
	}
	for {
		p, err := c.packet()
		if err != nil {
			return nil, err
		}
		switch p[0] {
		case 0:
			return c, nil
		case 0xfe: // another way to log in: an empty password is empty there, too
			if err := c.write(3, nil); err != nil {
				return nil, err
			}
		case 0xff:
			return nil, mysqlError(p)
		}
	}
}

func mysqlError(p []byte) error { return fmt.Errorf("mysql: %s", p[min(len(p), 9):]) }

func (c *mysql) write(number byte, data []byte) error {
	head := []byte{byte(len(data)), byte(len(data) >> 8), byte(len(data) >> 16), number}
	_, err := c.conn.Write(append(head, data...))
	return err
}

func (c *mysql) packet() ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(c.in, head[:]); err != nil {
		return nil, err
	}
	data := make([]byte, int(head[0])|int(head[1])<<8|int(head[2])<<16)
	if _, err := io.ReadFull(c.in, data); err != nil {
		return nil, err
	}
	if len(data) == 0 {
		return nil, errors.New("mysql: an empty packet")
	}
	return data, nil
}

// query runs a statement and says how many rows came.
func (c *mysql) query(statement string) (rows int, err error) {
	if err := c.write(0, append([]byte{3}, statement...)); err != nil {
		return 0, err
	}
	first, err := c.packet()
	if err != nil || first[0] == 0 {
		return 0, err
	}
	if first[0] == 0xff {
		return 0, fmt.Errorf("%w in %s", mysqlError(first), statement)
	}
	for ends := 0; ends < 2; { // one after the columns, one after the rows
		p, err := c.packet()
		if err != nil {
			return rows, err
		}
		switch {
		case p[0] == 0xff:
			return rows, mysqlError(p)
		case p[0] == 0xfe && len(p) < 9:
			ends++
		case ends == 1:
			rows++
		}
	}
	return rows, nil
}

var shopTables = []string{
	`create table customers (id int primary key, name varchar(80) not null, email varchar(80), country varchar(2),
		since datetime, key (country))`,
	`create table items (id int primary key, title varchar(200), price decimal(10,2), stock int, tags json,
		kind varchar(20), key (kind))`,
	`create table orders (id bigint primary key auto_increment, customer int not null, placed datetime, state varchar(10),
		total decimal(12,2), key (customer), key (state))`,
	`create table order_lines (id bigint primary key auto_increment, order_id bigint not null, item int not null,
		amount int, price decimal(10,2), key (order_id), key (item))`,
}

const shopItems, shopCustomers, shopOrders = 600, 500, 600

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// fillMySQL makes the tables and fills them as a dump does, 100 rows in a statement.
func fillMySQL(c *mysql, r *rand.Rand) error {
	for _, t := range shopTables {
		if _, err := c.query(t); err != nil {
			return err
		}
	}
	bulk := func(into string, n int, row func(i int) string) error {
		for i := 0; i < n; i += 100 {
			var rows []string
			for j := i; j < min(n, i+100); j++ {
				rows = append(rows, row(j))
			}
			if _, err := c.query("insert into " + into + " values " + strings.Join(rows, ", ")); err != nil {
				return err
			}
		}
		return nil
	}
	return errors.Join(
		bulk("customers", shopCustomers, func(i int) string {
			return fmt.Sprintf("(%d, %s, 'c%d@example.com', %s, '2026-%02d-%02d 10:00:00')", i, quote(text(r, 2)), i,
				quote(pick(r, []string{"de", "fr", "it", "nl"})), 1+r.IntN(9), 1+r.IntN(28))
		}),
		bulk("items", shopItems, func(i int) string {
			return fmt.Sprintf("(%d, %s, %d.%02d, %d, '[\"%s\", \"%s\"]', 'kind%d')", i, quote(text(r, 4)), 1+r.IntN(200),
				r.IntN(100), r.IntN(50), pick(r, words[:20]), pick(r, words[:20]), r.IntN(30))
		}),
		bulk("orders (customer, placed, state, total)", shopOrders, func(int) string {
			return fmt.Sprintf("(%d, now(), %s, %d.5)", r.IntN(shopCustomers), quote(pick(r, []string{"open", "paid", "sent"})),
				r.IntN(900))
		}),
		bulk("order_lines (order_id, item, amount, price)", 1800, func(int) string {
			return fmt.Sprintf("(%d, %d, %d, %d.25)", 1+r.IntN(shopOrders), r.IntN(shopItems), 1+r.IntN(4), r.IntN(200))
		}))
}

func loadMySQL(ctx context.Context, on Target) error {
	c, err := dialMySQL(ctx, on.Addr)
	if err != nil {
		return err
	}
	if err := fillMySQL(c, rand.New(rand.NewPCG(1, 61))); err != nil {
		return err
	}
	return together(ctx, times(6, func(ctx context.Context, i int) error {
		c, err := dialMySQL(ctx, on.Addr)
		if err != nil {
			return err
		}
		r := rand.New(rand.NewPCG(uint64(i), 62))
		for ctx.Err() == nil {
			for _, q := range shopStatements(r) {
				if ctx.Err() != nil {
					break
				}
				_, err := c.query(q)
				if on.Seen.Is(err == nil || ctx.Err() != nil); err != nil && ctx.Err() == nil {
					return err
				}
			}
		}
		return nil
	})...)
}

// shopStatements are what an application asks for one page or one deed.
func shopStatements(r *rand.Rand) []string {
	item, customer := r.IntN(shopItems), r.IntN(shopCustomers)
	switch r.IntN(12) {
	case 0:
		return []string{fmt.Sprintf("select o.id, o.placed, o.state, sum(l.amount * l.price) value from orders o "+
			"join order_lines l on l.order_id = o.id where o.customer = %d group by o.id, o.placed, o.state "+
			"order by o.placed desc",
			customer)}
	case 1:
		return []string{"select c.country, count(*) n, avg(o.total) from orders o join customers c on c.id = o.customer " +
			"where o.state = 'paid' group by c.country having n > 1 order by n desc"}
	case 2:
		return []string{fmt.Sprintf("select id, title, price from items where title like '%%%s%%' "+
			"and price between 20 and 120 order by price limit 20", pick(r, words[:20]))}
	case 3:
		return []string{fmt.Sprintf("select i.title, (select count(*) from order_lines l where l.item = i.id) sold "+
			"from items i where i.kind = 'kind%d' order by sold desc limit 10", r.IntN(30))}
	case 4:
		return []string{"begin", fmt.Sprintf("insert into orders (customer, placed, state, total) "+
			"values (%d, now(), 'open', %d.75)", customer, r.IntN(500)),
			fmt.Sprintf("insert into order_lines (order_id, item, amount, price) values (last_insert_id(), %d, 2, 9.99), "+
				"(last_insert_id(), %d, 1, 19.99)", item, r.IntN(shopItems)),
			fmt.Sprintf("update items set stock = stock - 1 where id = %d", item), "commit"}
	case 5:
		return []string{fmt.Sprintf("update orders set state = 'sent' where id = %d and state <> 'sent'",
			1+r.IntN(shopOrders))}
	case 6:
		return []string{fmt.Sprintf("select json_extract(tags, '$[0]') tag, count(*) from items "+
			"where kind in ('kind%d', 'kind%d') group by tag", r.IntN(30), r.IntN(30))}
	case 7:
		return []string{fmt.Sprintf("select upper(name), concat(email, ' <', country, '>'), date_format(since, '%%Y-%%m') "+
			"from customers where country = 'fr' and since > '2026-0%d-01' limit 50", 1+r.IntN(8))}
	case 8:
		return []string{"show tables", "select table_name, column_name, data_type from information_schema.columns " +
			"where table_schema = 'shop'"}
	}
	return []string{fmt.Sprintf("select * from customers where id = %d", customer),
		fmt.Sprintf("select * from items where id in (%d, %d, %d, %d)", item, r.IntN(shopItems), r.IntN(shopItems),
			r.IntN(shopItems))}
}
