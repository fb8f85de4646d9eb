// Sensors takes measurements of buildings over gRPC streams, and answers with set points.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	_ "net/http/pprof"
	"sync"
	"time"

	"go.uber.org/zap"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/gocasebook/casebook/lab/holdout3/internal/drive"
)

// room is the state of one room's control.
type room struct {
	target, integral float64
	samples          int
}

// Controller is the service: Report is a stream in both directions.
type Controller struct {
	mu    sync.Mutex
	rooms map[string]*room
	log   *zap.Logger
}

type controller interface{ Report(grpc.ServerStream) error }

var description = grpc.ServiceDesc{
	ServiceName: "sensors.Controller",
	HandlerType: (*controller)(nil),
	Streams: []grpc.StreamDesc{{
		StreamName: "Report", ServerStreams: true, ClientStreams: true,
		Handler: func(srv any, stream grpc.ServerStream) error { return srv.(controller).Report(stream) },
	}},
}

func (c *Controller) adjust(name string, temperature, humidity float64) float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	r, ok := c.rooms[name]
	if !ok {
		r = &room{target: 20.5}
		c.rooms[name] = r
	}
	r.samples++
	off := r.target - temperature + 0.02*(humidity-45)
	r.integral = max(-10, min(10, r.integral+off/60))
	return max(0, min(100, 50+12*off+3*r.integral))
}

func (c *Controller) Report(stream grpc.ServerStream) error {
	for {
		var in structpb.Struct
		if err := stream.RecvMsg(&in); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		f := in.GetFields()
		valve := c.adjust(f["room"].GetStringValue(), f["temperature"].GetNumberValue(), f["humidity"].GetNumberValue())
		out := &structpb.Struct{Fields: map[string]*structpb.Value{"valve": structpb.NewNumberValue(valve)}}
		if err := stream.SendMsg(out); err != nil {
			return err
		}
	}
}

func report(conn *grpc.ClientConn, name string) error {
	stream, err := conn.NewStream(context.Background(), &description.Streams[0], "/sensors.Controller/Report")
	if err != nil {
		return err
	}
	for i := 0; ; i++ {
		in, err := structpb.NewStruct(map[string]any{"room": name, "temperature": 19 + float64(i%30)/10,
			"humidity": 40 + i%20, "co2": 500 + i%400, "battery": 0.93, "firmware": "4.2.1"})
		if err != nil {
			return err
		}
		if err := stream.SendMsg(in); err != nil {
			return err
		}
		var out structpb.Struct
		if err := stream.RecvMsg(&out); err != nil {
			return err
		}
		time.Sleep(100 * time.Millisecond)
	}
}

func load(p drive.Ports) {
	drive.Await(p.Own())
	failed := make(chan error)
	for b := range 12 {
		conn, err := grpc.NewClient(p.Own(), grpc.WithTransportCredentials(insecure.NewCredentials()))
		if err != nil {
			log.Fatal(err)
		}
		for r := range 60 {
			go func() {
				time.Sleep(time.Duration(r*4) * time.Millisecond)
				failed <- report(conn, fmt.Sprintf("building %d room %d", b, r))
			}()
		}
	}
	log.Fatal(<-failed)
}

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	ln, err := net.Listen("tcp", p.Own())
	if err != nil {
		log.Fatal(err)
	}
	go http.ListenAndServe(p.Main(), nil)
	g := grpc.NewServer(grpc.MaxConcurrentStreams(500),
		grpc.KeepaliveParams(keepalive.ServerParameters{Time: time.Minute}))
	c := &Controller{rooms: make(map[string]*room), log: zap.Must(zap.NewProduction())}
	g.RegisterService(&description, c)
	c.log.Fatal("ended", zap.Error(g.Serve(ln)))
}
