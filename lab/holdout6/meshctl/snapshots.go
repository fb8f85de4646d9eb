package main

import (
	"fmt"
	"maps"
	"sync"

	"google.golang.org/protobuf/types/known/structpb"
)

// A snapshot is the mesh at a moment. It is never changed.
type snapshot struct {
	version   uint64
	resources *structpb.Struct
}

// snapshots is the latest one and a channel that is closed when there is a newer one.
type snapshots struct {
	mu      sync.Mutex
	latest  *snapshot
	changed chan struct{}
}

func newSnapshots(clusters int) *snapshots {
	fields := make(map[string]*structpb.Value, clusters)
	for i := range clusters {
		fields[fmt.Sprintf("cluster-%d", i)] = cluster(fmt.Sprintf("10.1.%d.1:8080", i%250))
	}
	return &snapshots{latest: &snapshot{resources: &structpb.Struct{Fields: fields}}, changed: make(chan struct{})}
}

func cluster(address string) *structpb.Value {
	return structpb.NewStructValue(&structpb.Struct{Fields: map[string]*structpb.Value{
		"address":         structpb.NewStringValue(address),
		"connect_timeout": structpb.NewStringValue("0.25s"),
		"lb_policy":       structpb.NewStringValue("LEAST_REQUEST"),
		"max_requests":    structpb.NewNumberValue(1024),
		"http2":           structpb.NewBoolValue(true),
		"health_check":    structpb.NewStringValue("/healthz"),
	}})
}

func (s *snapshots) current() (*snapshot, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.latest, s.changed
}

// move gives a cluster another address.
func (s *snapshots) move(name, address string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	fields := maps.Clone(s.latest.resources.Fields)
	if fields[name] == nil {
		return false
	}
	fields[name] = cluster(address)
	s.latest = &snapshot{version: s.latest.version + 1, resources: &structpb.Struct{Fields: fields}}
	close(s.changed)
	s.changed = make(chan struct{})
	return true
}
