package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/app/load/targets"
)

// send settles how a job's requests are sent: by HTTP, or as gRPC calls.
func (f *loadFlags) send(ctx context.Context, job *loadJob, set *targets.Set) error {
	grpc, err := isGRPC(set)
	if err != nil {
		return err
	}
	if grpc {
		return errors.New("gRPC is not there yet")
	}
	cfg := &job.config
	if cfg.TLS, err = f.tlsConfig(); err != nil {
		return err
	}
	switch f.protocol {
	case "auto":
	case string(load.HTTP1), string(load.HTTP2):
		cfg.Protocol = load.Protocol(f.protocol)
	default:
		return fmt.Errorf("--protocol: %q is none of http/1.1, http/2 and auto; gRPC is told by the URL: grpc://HOST/package.Service/Method", f.protocol)
	}
	if f.protoset != "" {
		return errors.New("--protoset is for gRPC: want a URL like grpc://127.0.0.1:9090/package.Service/Method")
	}
	job.plan.Protocol = string(cfg.Protocol)
	cfg.Request = set.Request
	return nil
}

// isGRPC says whether the targets are gRPC methods: all or none.
func isGRPC(set *targets.Set) (bool, error) {
	calls := 0
	for i := range set.Len() {
		req, err := set.Request(uint64(i))
		if err != nil {
			return false, err
		}
		if req.URL.Scheme == "grpc" || req.URL.Scheme == "grpcs" {
			calls++
		}
	}
	if calls > 0 && calls < set.Len() {
		return false, errors.New("some targets are gRPC and others HTTP: run two loads, each with its own")
	}
	return calls > 0, nil
}
