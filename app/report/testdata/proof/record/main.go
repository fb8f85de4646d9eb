// Command record measures two builds of one small server against each other and keeps what the tests of package report
// draw: rounds of blocks, loads, and CPU profiles under load. Run it in this folder's parent:
//
//	go run ./record -out .
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

func main() {
	serve := flag.String("serve", "", "be the server: before or after")
	listen := flag.String("listen", "", "address of the server")
	out := flag.String("out", ".", "folder to write to")
	blocks := flag.Int("blocks", 10, "blocks")
	flag.Parse()
	if *serve != "" {
		log.Fatal(server(*serve, *listen))
	}
	if err := record(context.Background(), *out, *blocks); err != nil {
		log.Fatal(err)
	}
}

// A child is one started server.
type child struct {
	addr string
	cmd  *exec.Cmd
}

func startChild(ctx context.Context, side string) (*child, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	addr := l.Addr().String()
	if err := l.Close(); err != nil {
		return nil, err
	}
	c := &child{addr, exec.CommandContext(ctx, os.Args[0], "-serve", side, "-listen", addr)}
	c.cmd.Stderr = os.Stderr
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	for range 200 {
		conn, err := net.Dial("tcp", addr)
		if err == nil {
			return c, conn.Close()
		}
		time.Sleep(20 * time.Millisecond)
	}
	return nil, fmt.Errorf("%s does not listen on %s", side, addr)
}

func (c *child) stop() {
	_ = c.cmd.Process.Kill()
	_ = c.cmd.Wait()
}

func writeJSON(dir, name string, v any) error {
	data, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, name), append(data, '\n'), 0o644)
}
