package main

import (
	"bytes"
	"container/list"
	"context"
	"fmt"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"time"
)

// An order is what is kept.
type order struct {
	id    int
	buyer string
	lines []*line
	next  *order
}

type line struct {
	article string
	amount  int
}

func newOrder(i int) *order {
	o := &order{id: i, buyer: fmt.Sprintf("buyer number %d", i)}
	for j := range 4 {
		o.lines = append(o.lines, &line{strings.Repeat("x", 40) + fmt.Sprint(i, j), j})
	}
	return o
}

var many = 4000 // orders: about 2 MiB

func orders() []*order {
	var all []*order
	for i := range many {
		all = append(all, newOrder(i))
	}
	return all
}

// What every program has besides.
var (
	config  = map[string]string{}
	metrics []*line
)

func configure() {
	for i := range many / 4 {
		config[fmt.Sprintf("key.%d", i)] = strings.Repeat("v", 60)
		metrics = append(metrics, &line{fmt.Sprint("metric", i), i})
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go http.Serve(l, nil)
}

var cases = map[string]func(){
	"map": fillMap, "slice": fillSlice, "struct": fillStruct, "closure": startClosure, "channel": fillChannel,
	"channel-global": fillGlobalChannel,
	"timer":          startTimer, "finalizer": setFinalizer, "pool": fillPool, "context": startContext,
	"linked": fillLinked,
	"stack":  startStack, "lru": fillLRU, "syncmap": fillSyncMap, "shards": fillShards, "workers": startWorkers,
	"taken": startTaken, "registry": fillRegistry, "handler": startHandler, "defer": startDefer,
}

var cache = map[string]*order{}

func fillMap() {
	for _, o := range orders() {
		cache[o.buyer] = o
	}
}

var events []*order

func fillSlice() { events = orders() }

type server struct {
	name string
	jobs *queue
}

type queue struct {
	mu      sync.Mutex
	waiting []order
}

var app *server

func fillStruct() {
	app = &server{name: "shop", jobs: &queue{}}
	for _, o := range orders() {
		app.jobs.waiting = append(app.jobs.waiting, *o)
	}
}

func startClosure() {
	all := orders()
	go func() {
		for range time.Tick(time.Hour) {
			fmt.Println(len(all), all[0].id)
		}
	}()
}

func produce(c chan *order) {
	for i := 0; ; i++ {
		c <- newOrder(i)
	}
}

func fillChannel() {
	c := make(chan *order, many)
	go produce(c)
}

var backlog chan *order

func fillGlobalChannel() {
	backlog = make(chan *order, 2*many)
	for _, o := range orders() {
		backlog <- o
	}
}

func startTimer() {
	all := orders()
	time.AfterFunc(time.Hour, func() { fmt.Println(len(all)) })
}

// A file has a finalizer, and is part of a cycle: it is never collected.
type file struct {
	parent *folder
	data   []*order
}

type folder struct{ files []*file }

//go:noinline
func setFinalizer() {
	d := &folder{}
	f := &file{parent: d, data: orders()}
	d.files = append(d.files, f)
	runtime.SetFinalizer(f, closeFile)
}

func closeFile(f *file) { f.data = nil }

var pool = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func fillPool() {
	var all []*bytes.Buffer
	for range 32 {
		b := pool.Get().(*bytes.Buffer)
		b.Write(make([]byte, 64<<10))
		all = append(all, b)
	}
	for _, b := range all {
		b.Reset()
		pool.Put(b)
	}
}

type key int

func startContext() {
	ctx := context.Background()
	for i := range many {
		ctx = context.WithValue(ctx, key(i), newOrder(i))
	}
	go await(ctx)
}

func await(ctx context.Context) {
	stop := make(chan bool)
	select {
	case <-stop:
	case <-time.After(time.Hour):
	}
	fmt.Println(ctx.Value(key(0)))
}

var history *order

func fillLinked() {
	for i := range many {
		o := newOrder(i)
		o.next = history
		history = o
	}
}

func startStack() { go work(make(chan bool)) }

func work(stop chan bool) {
	var done []*order
	for i := range many {
		done = append(done, newOrder(i))
	}
	<-stop
	fmt.Println(len(done), done[0])
}

// An lru is a cache as many are written: a map and a list.
type lru struct {
	byName map[string]*list.Element
	recent *list.List
}

var lookups = &lru{map[string]*list.Element{}, list.New()}

func fillLRU() {
	for _, o := range orders() {
		lookups.byName[o.buyer] = lookups.recent.PushFront(o)
	}
}

var sessions sync.Map

func fillSyncMap() {
	for _, o := range orders() {
		sessions.Store(o.buyer, o)
	}
}

type shard struct {
	mu sync.RWMutex
	m  map[int]*order
}

var shards [16]*shard

func fillShards() {
	for i := range shards {
		shards[i] = &shard{m: map[int]*order{}}
	}
	for _, o := range orders() {
		shards[o.id%len(shards)].m[o.id] = o
	}
}

func startWorkers() {
	c := make(chan []*order)
	for i := range 50 {
		go consume(c, i)
	}
}

func consume(c chan []*order, n int) {
	batch := make([]*order, 0, 80)
	for i := range 80 {
		batch = append(batch, newOrder(n+i))
	}
	more := <-c
	fmt.Println(append(batch, more...)[0])
}

type table struct {
	rows  []*order
	index map[int]int
}

func (t *table) add(o *order) {
	t.index[o.id] = len(t.rows)
	t.rows = append(t.rows, o)
}

func startTaken() { go load(make(chan int)) }

// load's table does not escape: it is on the stack, and its address is taken.
func load(stop chan int) {
	t := table{index: map[int]int{}}
	for _, o := range orders() {
		t.add(o)
	}
	n := <-stop
	fmt.Println(t.index[n])
}

type plugin interface{ run() }

type auditor struct{ seen []*order }

func (a *auditor) run() {}

var plugins []plugin

func fillRegistry() {
	plugins = append(plugins, &auditor{orders()})
}

func startHandler() {
	all := orders()
	http.HandleFunc("/orders", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, len(all)) })
}

func startDefer() { go session(make(chan int)) }

func session(stop chan int) {
	all := orders()
	for i := range 2 {
		defer func() { fmt.Println(len(all), i) }()
	}
	<-stop
}
