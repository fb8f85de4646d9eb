package main

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"github.com/gocasebook/casebook/lab/holdout4/tenantcfg/registry"
)

type tenantKey struct{}

// authorize lets in who is a tenant in good standing.
func authorize(tenants *registry.Registry) grpc.UnaryServerInterceptor {
	return func(ctx context.Context, req any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
		md, _ := metadata.FromIncomingContext(ctx)
		ids := md.Get("tenant")
		if len(ids) != 1 {
			return nil, status.Error(codes.Unauthenticated, "which tenant?")
		}
		t, ok := tenants.All()[ids[0]]
		if !ok {
			return nil, status.Errorf(codes.Unauthenticated, "no tenant %s", ids[0])
		}
		if t.Suspended {
			return nil, status.Error(codes.PermissionDenied, "suspended")
		}
		return next(context.WithValue(ctx, tenantKey{}, t), req)
	}
}

func tenantOf(ctx context.Context) registry.Tenant {
	t, _ := ctx.Value(tenantKey{}).(registry.Tenant)
	return t
}
