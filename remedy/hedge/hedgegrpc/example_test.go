package hedgegrpc_test

import (
	"fmt"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/gocasebook/casebook/remedy/hedge"
	"github.com/gocasebook/casebook/remedy/hedge/hedgegrpc"
)

func ExampleUnaryClientInterceptor() {
	policy, err := hedge.New(hedge.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	interceptor, err := hedgegrpc.UnaryClientInterceptor(hedgegrpc.Config{
		Policy:     policy,
		Idempotent: func(method string) bool { return method == "/users.Users/Get" },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	conn, err := grpc.NewClient("dns:///127.0.0.1:8080",
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultServiceConfig(`{"loadBalancingConfig":[{"round_robin":{}}]}`), // so that a hedge goes elsewhere
		grpc.WithUnaryInterceptor(interceptor))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer conn.Close()
	fmt.Println(policy.Stats().Calls, "calls yet")
	// Output: 0 calls yet
}
