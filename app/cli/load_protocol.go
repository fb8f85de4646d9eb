package cli

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"

	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/app/load/rpc"
	"github.com/gocasebook/casebook/app/load/targets"
	"github.com/gocasebook/casebook/app/openfile"
)

// send decides how a job's requests are sent: by HTTP, or as gRPC calls.
func (f *loadFlags) send(ctx context.Context, job *loadJob, set *targets.Set) error {
	grpc, err := isGRPC(set)
	if err != nil {
		return err
	}
	if grpc {
		return f.sendGRPC(ctx, job, set)
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
		return fmt.Errorf("--protocol: %q is none of http/1.1, http/2 and auto; "+
			"for gRPC use a URL grpc://HOST/package.Service/Method", f.protocol)
	}
	if f.protoset != "" {
		return errors.New("--protoset is for gRPC: want a URL such as grpc://127.0.0.1:9090/package.Service/Method")
	}
	job.plan.Protocol = string(cfg.Protocol)
	cfg.Request = set.Request
	return nil
}

// maxProtoset is more than the descriptors of any program.
const maxProtoset = 64 << 20

// sendGRPC prepares gRPC. It looks the methods up now, so that an error in one is reported before anything is sent.
func (f *loadFlags) sendGRPC(ctx context.Context, job *loadJob, set *targets.Set) error {
	if f.protocol != "auto" {
		return fmt.Errorf("--protocol %s: the URL's scheme asks for gRPC, which always uses HTTP/2: leave it out",
			f.protocol)
	}
	guard := load.NewGuard(f.allow)
	cfg := rpc.Config{Connections: f.connections, Dial: guard.Dialer(f.timeout)}
	var err error
	if cfg.TLS, err = f.tlsConfig(); err != nil {
		return err
	}
	if f.protoset != "" {
		if cfg.Protoset, err = openfile.ReadBounded(f.protoset, maxProtoset); err != nil {
			return fmt.Errorf("--protoset: %w", err)
		}
	}
	caller := rpc.New(cfg)
	job.close = caller.Close
	job.plan.Protocol = "grpc"
	job.config.Connections = 0
	prepare := func(i uint64) (load.Call, error) {
		req, err := set.Request(i)
		if err != nil {
			return nil, err
		}
		if err := guard.Check(ctx, req.URL); err != nil {
			return nil, err
		}
		call, err := caller.Prepare(ctx, i, req)
		if err != nil {
			return nil, err
		}
		return call.Do, nil
	}
	for i := range set.Len() {
		if _, err := prepare(uint64(i)); err != nil {
			caller.Close()
			return loadError(err)
		}
	}
	job.config.Call = prepare
	return nil
}

// tlsConfig is nil when nothing was asked for.
func (f *loadFlags) tlsConfig() (*tls.Config, error) {
	if f.caFile == "" && !f.insecure {
		return nil, nil
	}
	c := &tls.Config{InsecureSkipVerify: f.insecure}
	if f.caFile != "" {
		pem, err := openfile.ReadSmall(f.caFile)
		if err != nil {
			return nil, fmt.Errorf("--ca: %w", err)
		}
		c.RootCAs = x509.NewCertPool()
		if !c.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("--ca: %s has no PEM certificate (-----BEGIN CERTIFICATE-----)", f.caFile)
		}
	}
	return c, nil
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
		return false, errors.New("some targets are gRPC and others HTTP: run two loads, one for each")
	}
	return calls > 0, nil
}
