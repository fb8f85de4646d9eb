// Ranks notes the score of each player of a match, over rueidis, which sends the commands of all goroutines together.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"strconv"
	"time"

	"github.com/redis/rueidis"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

func start(o serve.Options) error {
	c, err := rueidis.NewClient(rueidis.ClientOption{InitAddress: []string{o.Backend}})
	if err != nil {
		return err
	}
	http.HandleFunc("POST /match", func(w http.ResponseWriter, r *http.Request) {
		match := r.FormValue("m")
		n, _ := strconv.Atoi(match)
		if o.Kind == "multi" {
			go together(c, match, n)
		} else {
			for i := range 10 {
				go func() {
					cmd := c.B().Set().Key("score:" + match + ":" + strconv.Itoa(i)).Value(strconv.Itoa(n * i)).
						Ex(time.Hour).Build()
					if err := c.Do(context.Background(), cmd).Error(); err != nil {
						log.Print(err)
					}
				}()
			}
		}
		fmt.Fprintln(w, "noted", match)
	})
	return nil
}

// together hands all commands over at once.
func together(c rueidis.Client, match string, n int) {
	cmds := make(rueidis.Commands, 0, 10)
	for i := range 10 {
		cmds = append(cmds, c.B().Set().Key("score:"+match+":"+strconv.Itoa(i)).Value(strconv.Itoa(n*i)).
			Ex(time.Hour).Build())
	}
	for _, res := range c.DoMulti(context.Background(), cmds...) {
		if err := res.Error(); err != nil {
			log.Print(err)
		}
	}
}

func main() {
	serve.Run(serve.Service{Start: start, Rate: 2000, Method: http.MethodPost, Backend: serve.RedisServer,
		Path: func(i int) string { return fmt.Sprint("/match?m=", i) }})
}
