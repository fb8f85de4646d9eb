// Remit sends payouts to a partner bank and prints statements of them.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/gocasebook/casebook/lab/holdout5/internal/drive"
)

func main() {
	p := drive.Flags()
	if p.Load {
		partner(p)
		load(p)
	}
	client := &http.Client{
		Timeout:   5 * time.Second,
		Transport: &http.Transport{MaxIdleConnsPerHost: 64, IdleConnTimeout: 90 * time.Second},
	}
	bank := &bankClient{
		http:   client,
		base:   "http://" + p.Dependency(),
		tokens: newTokenSource(client, "http://"+p.Second()+"/oauth/token", "remit", "s3cr3t"),
	}
	gin.SetMode(gin.ReleaseMode)
	r := gin.New()
	r.Use(gin.Recovery())
	newAPI(bank).register(r)
	r.GET("/debug/pprof/*any", gin.WrapH(http.DefaultServeMux))
	log.Fatal(r.Run(p.Main()))
}

// partner plays the bank and its identity provider.
func partner(p drive.Ports) {
	idp := http.NewServeMux()
	idp.HandleFunc("POST /oauth/token", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(22 * time.Millisecond)
		json.NewEncoder(w).Encode(map[string]any{"access_token": fmt.Sprint(time.Now().UnixNano()), "expires_in": 300})
	})
	drive.Serve(p.Second(), idp)
	bank := http.NewServeMux()
	bank.HandleFunc("POST /v2/transfers", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(35 * time.Millisecond)
		json.NewEncoder(w).Encode(map[string]string{"reference": fmt.Sprintf("TX%d", time.Now().UnixNano())})
	})
	drive.Serve(p.Dependency(), bank)
}

func load(p drive.Ports) {
	drive.Load{Rate: 130, Callers: 160}.Run(func(i int) *http.Request {
		if i%20 < 6 { // shops close their books in turn
			return drive.Send(http.MethodPost, p.Main(), "/payouts", fmt.Sprintf(
				`{"customer":%d,"iban":"DE02120300000000202051","amount":%d,"purpose":"invoice %d"}`, i%400, 100+i%9000, i))
		}
		return drive.Get(p.Main(), "/customers/%d/statement", i*7%400)
	})
}
