package heavy

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// goWorkflows is an engine of durable workflows with its state in Redis. Its release has a library and examples; the
// main is ours: orders that are priced, paid, packed in a workflow of their own, and wait for a signal or a timer.
func goWorkflows() Service {
	return Service{
		Name: "go-workflows", Module: "github.com/cschleiden/go-workflows", Version: "v1.2.0", Main: "cmd/heavy",
		Unseen:  true,
		Args:    []string{"127.0.0.1:{port}"},
		Missing: map[string]string{"cmd/heavy/main.go": workflowsMain},
		Prepare: startRedis,
		Ready:   "/diag/api/?count=1",
		Load:    loadWorkflows,
	}
}

const workflowsMain = `package main

import (
	"context"
	"encoding/json"
	"log"
	"log/slog"
	"net/http"
	"os"
	"time"

	"github.com/cschleiden/go-workflows/backend"
	"github.com/cschleiden/go-workflows/backend/redis"
	"github.com/cschleiden/go-workflows/client"
	"github.com/cschleiden/go-workflows/diag"
	"github.com/cschleiden/go-workflows/worker"
	"github.com/cschleiden/go-workflows/workflow"
	goredis "github.com/redis/go-redis/v9"
)

type Item struct {
	SKU    string
	Amount int
}

type Order struct {
	ID, Customer, Note string
	Items              []Item
}

type Receipt struct {
	Total   int
	Payment string
	Parcels []string
	Shipped bool
}

func Price(ctx context.Context, i Item) (int, error) { return len(i.SKU) * i.Amount, nil }

func Charge(ctx context.Context, customer string, total int) (string, error) { return "paid-" + customer, nil }

func Pack(ctx context.Context, order string, items []Item) (string, error) { return "parcel-" + order, nil }

func Packing(ctx workflow.Context, o Order) ([]string, error) {
	var parcels []string
	for i := 0; i < len(o.Items); i += 2 {
		p, err := workflow.ExecuteActivity[string](ctx, workflow.DefaultActivityOptions, Pack, o.ID,
			o.Items[i:min(i+2, len(o.Items))]).Get(ctx)
		if err != nil {
			return nil, err
		}
		parcels = append(parcels, p)
	}
	return parcels, nil
}

func Checkout(ctx workflow.Context, o Order) (r Receipt, err error) {
	prices := make([]workflow.Future[int], len(o.Items))
	for i, item := range o.Items {
		prices[i] = workflow.ExecuteActivity[int](ctx, workflow.DefaultActivityOptions, Price, item)
	}
	for _, p := range prices {
		n, err := p.Get(ctx)
		if err != nil {
			return r, err
		}
		r.Total += n
	}
	r.Payment, err = workflow.ExecuteActivity[string](ctx, workflow.DefaultActivityOptions, Charge, o.Customer,
		r.Total).Get(ctx)
	if err != nil {
		return r, err
	}
	r.Parcels, err = workflow.CreateSubWorkflowInstance[[]string](ctx, workflow.DefaultSubWorkflowOptions, Packing,
		o).Get(ctx)
	if err != nil {
		return r, err
	}
	waiting, stop := workflow.WithCancel(ctx)
	workflow.Select(ctx,
		workflow.Receive(workflow.NewSignalChannel[string](ctx, "shipped"), func(workflow.Context, string, bool) {
			r.Shipped = true
		}),
		workflow.Await(workflow.ScheduleTimer(waiting, 3*time.Second), func(workflow.Context, workflow.Future[any]) {}))
	stop()
	return r, nil
}

func main() {
	ctx := context.Background()
	logger := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelInfo}))
	store := goredis.NewUniversalClient(&goredis.UniversalOptions{Addrs: []string{os.Getenv("HEAVY_REDIS")}})
	b, err := redis.NewRedisBackend(store,
		redis.WithAutoExpiration(20*time.Second), redis.WithBackendOptions(backend.WithLogger(logger)))
	if err != nil {
		log.Fatal(err)
	}
	w := worker.New(b, nil)
	w.RegisterWorkflow(Checkout)
	w.RegisterWorkflow(Packing)
	w.RegisterActivity(Price)
	w.RegisterActivity(Charge)
	w.RegisterActivity(Pack)
	if err := w.Start(ctx); err != nil {
		log.Fatal(err)
	}
	c := client.New(b)
	http.Handle("/diag/", http.StripPrefix("/diag", diag.NewServeMux(b)))
	http.HandleFunc("POST /orders", func(rw http.ResponseWriter, r *http.Request) {
		var o Order
		err := json.NewDecoder(r.Body).Decode(&o)
		var in *workflow.Instance
		if err == nil {
			in, err = c.CreateWorkflowInstance(r.Context(), client.WorkflowInstanceOptions{InstanceID: o.ID}, Checkout, o)
		}
		answer(rw, in, err)
	})
	http.HandleFunc("POST /orders/{id}/ship", func(rw http.ResponseWriter, r *http.Request) {
		answer(rw, nil, c.SignalWorkflow(r.Context(), r.PathValue("id"), "shipped", "by post"))
	})
	http.HandleFunc("POST /receipts", func(rw http.ResponseWriter, r *http.Request) {
		var in workflow.Instance
		err := json.NewDecoder(r.Body).Decode(&in)
		var got Receipt
		if err == nil {
			got, err = client.GetWorkflowResult[Receipt](r.Context(), c, &in, 10*time.Second)
		}
		answer(rw, got, err)
	})
	log.Fatal(http.ListenAndServe(os.Args[1], nil))
}

func answer(w http.ResponseWriter, v any, err error) {
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	json.NewEncoder(w).Encode(v)
}
`

// startRedis starts Debian's Redis on a socket in the service's folder.
func startRedis(dir string) (env []string, end func(), err error) {
	socket := filepath.Join(dir, "redis.sock")
	cmd := exec.Command("redis-server", "--port", "0", "--unixsocket", socket, "--save", "", "--appendonly", "no",
		"--dir", dir)
	if err := cmd.Start(); err != nil {
		return nil, nil, err
	}
	end = func() {
		cmd.Process.Kill()
		cmd.Wait()
	}
	for range 100 {
		if _, err := os.Stat(socket); err == nil {
			return []string{"HEAVY_REDIS=" + socket}, end, nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	end()
	return nil, nil, fmt.Errorf("redis-server does not listen at %s", socket)
}

func loadWorkflows(ctx context.Context, on Target) error {
	base := "http://" + on.Addr
	clients := times(24, func(ctx context.Context, i int) error { return workflowsCustomer(ctx, on, i) })
	clients = append(clients, times(1, func(ctx context.Context, i int) error {
		r := rand.New(rand.NewPCG(uint64(i), 71))
		client := &http.Client{Transport: &http.Transport{}}
		defer client.CloseIdleConnections()
		for ctx.Err() == nil { // somebody looks at the pages
			time.Sleep(200 * time.Millisecond)
			var found []struct {
				Instance struct {
					InstanceID  string `json:"instance_id"`
					ExecutionID string `json:"execution_id"`
				} `json:"instance"`
			}
			status, body, err := send(ctx, client, base, get("/diag/api/?count=25"))
			on.Seen.Is(err == nil && status == http.StatusOK || ctx.Err() != nil)
			if err != nil || json.Unmarshal(body, &found) != nil || len(found) == 0 {
				continue
			}
			of := pick(r, found).Instance
			path := "/diag/api/" + of.InstanceID + "/" + of.ExecutionID
			send(ctx, client, base, get(path)) // what has ended may be gone
			send(ctx, client, base, get(path+"/tree"))
		}
		return nil
	})...)
	return together(ctx, clients...)
}

// workflowsCustomer orders, has most orders shipped, and waits for what came of them.
func workflowsCustomer(ctx context.Context, on Target, i int) error {
	r := rand.New(rand.NewPCG(uint64(i), 72))
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	for n := 0; ctx.Err() == nil; n++ {
		type item struct {
			SKU    string
			Amount int
		}
		items := make([]item, 1+r.IntN(5))
		for j := range items {
			items[j] = item{SKU: fmt.Sprintf("sku-%d", r.IntN(900)), Amount: 1 + r.IntN(4)}
		}
		id := fmt.Sprintf("order-%d-%d", i, n)
		body, _ := json.Marshal(map[string]any{"ID": id, "Customer": fmt.Sprintf("c%d", i), "Note": text(r, 20), // texts
			"Items": items})
		ask := func(q request) []byte {
			status, body, err := send(ctx, client, "http://"+on.Addr, q)
			on.Seen.Is(err == nil && status == http.StatusOK || ctx.Err() != nil)
			return body
		}
		instance := ask(post("/orders", string(body)))
		if r.IntN(10) > 0 {
			ask(post("/orders/"+id+"/ship", ""))
		}
		ask(post("/receipts", string(instance)))
	}
	return nil
}
