package foreign

import (
	"context"
	"fmt"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/mem"

	"github.com/gocasebook/casebook/app/load"
)

// rawCodec passes messages as they are.
type rawCodec struct{}

func (rawCodec) Name() string { return "proto" }
func (rawCodec) Marshal(v any) (mem.BufferSlice, error) {
	return mem.BufferSlice{mem.SliceBuffer(v.([]byte))}, nil
}
func (rawCodec) Unmarshal(data mem.BufferSlice, v any) error {
	*v.(*[]byte) = data.Materialize()
	return nil
}

// watches opens a stream a call on one connection, each with a watch of a key. They end with end.
func watches(addr, key string) (call func(uint64) (load.Call, error), end func(), err error) {
	conn, err := grpc.NewClient(addr, grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithNoProxy(),
		grpc.WithDefaultCallOptions(grpc.ForceCodecV2(rawCodec{})))
	if err != nil {
		return nil, nil, fmt.Errorf("reaching etcd: %w", err)
	}
	// etcdserverpb.WatchRequest{create_request: {key: key}}
	create := append([]byte{0x0a, byte(len(key))}, key...)
	request := append([]byte{0x0a, byte(len(create))}, create...)
	background, cancel := context.WithCancel(context.Background())
	return func(uint64) (load.Call, error) {
			return func(context.Context) load.Outcome {
				if err := watch(background, conn, request); err != nil {
					return load.Outcome{Class: load.ClassGRPC, Text: err.Error()}
				}
				return load.Outcome{Class: load.ClassOK}
			}, nil
		}, func() {
			cancel()
			conn.Close()
		}, nil
}

// watch opens a stream and waits for the first answer, which says that the watch is there.
func watch(ctx context.Context, conn *grpc.ClientConn, request []byte) error {
	stream, err := conn.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true, ClientStreams: true},
		"/etcdserverpb.Watch/Watch")
	if err != nil {
		return err
	}
	if err := stream.SendMsg(request); err != nil {
		return err
	}
	var answer []byte
	return stream.RecvMsg(&answer)
}
