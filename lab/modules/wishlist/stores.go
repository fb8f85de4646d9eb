package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/bradfitz/gomemcache/memcache"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/redis/go-redis/v9"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"

	"github.com/gocasebook/casebook/lab/modules/serve"
	"github.com/gocasebook/casebook/lab/modules/serve/postgres"
)

// open makes the client of a store.
func open(of, addr string) (store, error) {
	ctx := context.Background()
	switch of {
	case "redis":
		return &inRedis{redis.NewClient(&redis.Options{Addr: addr, PoolSize: 128})}, nil
	case "memcached":
		mc := memcache.New(addr)
		mc.MaxIdleConns, mc.Timeout = 128, 2*time.Second
		return &inMemcached{mc}, nil
	case "postgres":
		host, port, _ := net.SplitHostPort(addr)
		pool, err := pgxpool.New(ctx, fmt.Sprintf("host=%s port=%s user=postgres dbname=postgres pool_max_conns=64",
			host, port))
		return &inPostgres{pool}, err
	case "http":
		return &overHTTP{"http://" + addr, &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 128}}}, nil
	case "grpc":
		conn, err := grpc.NewClient(addr, grpc.WithTransportCredentials(insecure.NewCredentials()))
		return &overGRPC{healthpb.NewHealthClient(conn)}, err
	}
	return nil, fmt.Errorf("no store %q", of)
}

// begin starts a store.
func begin(of string) (network, addr string, stop func(), err error) {
	switch of {
	case "redis":
		addr, stop, err = serve.RedisServer()
	case "memcached":
		addr, stop, err = serve.Memcached()
	case "postgres":
		addr, stop, err = postgres.Backend()
		return "unix", addr + "/.s.PGSQL.5432", stop, err
	default:
		addr, stop, err = catalogue(of)
	}
	return "tcp", addr, stop, err
}

type inRedis struct{ rdb *redis.Client }

func (s *inRedis) one(ctx context.Context, id int) (string, error) {
	name, err := s.rdb.Get(ctx, "article:"+strconv.Itoa(id)).Result()
	if err == redis.Nil {
		err = nil
	}
	return name, err
}

func (s *inRedis) all(ctx context.Context, ids []int) ([]string, error) {
	found, err := s.rdb.MGet(ctx, keys(ids)...).Result()
	names := make([]string, len(found))
	for i, v := range found {
		names[i] = fmt.Sprint(v)
	}
	return names, err
}

func keys(ids []int) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = "article:" + strconv.Itoa(id)
	}
	return out
}

type inMemcached struct{ mc *memcache.Client }

func (s *inMemcached) one(_ context.Context, id int) (string, error) {
	item, err := s.mc.Get("article:" + strconv.Itoa(id))
	if err == memcache.ErrCacheMiss {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return string(item.Value), nil
}

func (s *inMemcached) all(_ context.Context, ids []int) ([]string, error) {
	items, err := s.mc.GetMulti(keys(ids))
	var names []string
	for _, it := range items {
		names = append(names, string(it.Value))
	}
	return names, err
}

type inPostgres struct{ pool *pgxpool.Pool }

func (s *inPostgres) one(ctx context.Context, id int) (name string, err error) {
	return name, s.pool.QueryRow(ctx, "SELECT 'article ' || $1::text", strconv.Itoa(id)).Scan(&name)
}

func (s *inPostgres) all(ctx context.Context, ids []int) ([]string, error) {
	rows, err := s.pool.Query(ctx, "SELECT 'article ' || id::text FROM unnest($1::int[]) AS id", ids)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

type overHTTP struct {
	base   string
	client *http.Client
}

func (s *overHTTP) one(ctx context.Context, id int) (string, error) {
	names, err := s.all(ctx, []int{id})
	return strings.Join(names, ""), err
}

func (s *overHTTP) all(ctx context.Context, ids []int) (names []string, err error) {
	var q strings.Builder
	for _, id := range ids {
		fmt.Fprintf(&q, "&id=%d", id)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.base+"/articles?"+q.String()[1:], nil)
	if err != nil {
		return nil, err
	}
	res, err := s.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	return names, json.NewDecoder(res.Body).Decode(&names)
}

type overGRPC struct{ client healthpb.HealthClient }

func (s *overGRPC) one(ctx context.Context, _ int) (string, error) {
	res, err := s.client.Check(ctx, &healthpb.HealthCheckRequest{Service: "article"})
	return res.GetStatus().String(), err
}

func (s *overGRPC) all(ctx context.Context, ids []int) ([]string, error) {
	name, err := s.one(ctx, ids[0])
	return []string{name}, err
}

// catalogue serves names over HTTP or gRPC.
func catalogue(of string) (string, func(), error) {
	l, err := serve.Listen()
	if err != nil {
		return "", nil, err
	}
	if of == "grpc" {
		srv, h := grpc.NewServer(), health.NewServer()
		h.SetServingStatus("article", healthpb.HealthCheckResponse_SERVING)
		healthpb.RegisterHealthServer(srv, h)
		go srv.Serve(l)
		return l.Addr().String(), srv.Stop, nil
	}
	go http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.ParseForm()
		var names []string
		for _, id := range r.Form["id"] {
			names = append(names, "article "+id)
		}
		json.NewEncoder(w).Encode(names)
	}))
	return l.Addr().String(), func() { l.Close() }, nil
}
