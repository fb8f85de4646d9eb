// Feed answers with ten posts and remembers in Redis which of them a user has been shown, over go-redis.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
	"golang.org/x/sync/errgroup"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

const day = 24 * time.Hour

type feed struct {
	rdb  *redis.Client
	kind string
}

func (f *feed) page(w http.ResponseWriter, r *http.Request) {
	user := r.FormValue("u")
	if f.kind == "three" {
		f.profile(w, r, user)
		return
	}
	from, err := f.rdb.Incr(r.Context(), "cursor:"+user).Result()
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	posts := make([]int64, 10)
	for i := range posts {
		posts[i] = (from*10 + int64(i)) % 5000
	}
	switch f.kind {
	case "pipeline":
		go f.shownTogether(user, posts)
	case "audit":
		go f.audit(user, from)
	default:
		for _, post := range posts {
			go func() {
				ctx, cancel := context.WithTimeout(context.Background(), time.Second)
				defer cancel()
				if err := f.rdb.Set(ctx, shownKey(user, post), 1, day).Err(); err != nil {
					log.Print(err)
				}
			}()
		}
	}
	for _, p := range posts {
		fmt.Fprintf(w, "post %d\n", p)
	}
}

func shownKey(user string, post int64) string {
	return "shown:" + user + ":" + strconv.FormatInt(post, 10)
}

// shownTogether is one exchange for all.
func (f *feed) shownTogether(user string, posts []int64) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_, err := f.rdb.Pipelined(ctx, func(p redis.Pipeliner) error {
		for _, post := range posts {
			p.Set(ctx, shownKey(user, post), 1, day)
		}
		return nil
	})
	if err != nil {
		log.Print(err)
	}
}

// audit is one command beside the answer.
func (f *feed) audit(user string, from int64) {
	if err := f.rdb.Set(context.Background(), "last:"+user, from, day).Err(); err != nil {
		log.Print(err)
	}
}

// profile needs three things at once for its answer.
func (f *feed) profile(w http.ResponseWriter, r *http.Request, user string) {
	var name, city string
	var visits int64
	g, ctx := errgroup.WithContext(r.Context())
	g.Go(func() (err error) { name, err = f.rdb.HGet(ctx, "user:"+user, "name").Result(); return ignoreNil(err) })
	g.Go(func() (err error) { city, err = f.rdb.HGet(ctx, "user:"+user, "city").Result(); return ignoreNil(err) })
	g.Go(func() (err error) { visits, err = f.rdb.Incr(ctx, "visits:"+user).Result(); return err })
	if err := g.Wait(); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	fmt.Fprintln(w, name, city, visits)
}

func ignoreNil(err error) error {
	if err == redis.Nil {
		return nil
	}
	return err
}

func start(o serve.Options) error {
	f := &feed{redis.NewClient(&redis.Options{Addr: o.Backend}), o.Kind}
	http.HandleFunc("/feed", f.page)
	return f.rdb.Ping(context.Background()).Err()
}

func main() {
	serve.Run(serve.Service{Start: start, Rate: 2000, Backend: serve.RedisServer,
		Path: func(i int) string { return fmt.Sprint("/feed?u=", i*7919%3000) }})
}
