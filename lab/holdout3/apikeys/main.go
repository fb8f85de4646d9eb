// Apikeys is a currency API for customers with keys: basic authentication, then conversions.
package main

import (
	"crypto/subtle"
	"encoding/csv"
	"errors"
	"fmt"
	"net/http"
	_ "net/http/pprof"
	"strconv"
	"strings"
	"sync"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"
	"github.com/shopspring/decimal"
	"golang.org/x/crypto/bcrypt"

	"github.com/gocasebook/casebook/lab/holdout3/internal/drive"
)

type account struct {
	ID   string
	Hash []byte
	Plan string
}

// Accounts are the customers with the bcrypt hashes of their keys.
type Accounts struct {
	mu   sync.RWMutex
	byID map[string]account
}

func (a *Accounts) Register(id, key string) error {
	hash, err := bcrypt.GenerateFromPassword([]byte(key), 8)
	if err != nil {
		return err
	}
	a.mu.Lock()
	a.byID[id] = account{id, hash, "basic"}
	a.mu.Unlock()
	return nil
}

// Check is echo's validator of basic authentication.
func (a *Accounts) Check(id, key string, c echo.Context) (bool, error) {
	a.mu.RLock()
	acc, ok := a.byID[id]
	a.mu.RUnlock()
	if !ok || subtle.ConstantTimeCompare([]byte(acc.ID), []byte(id)) == 0 {
		return false, nil
	}
	if err := bcrypt.CompareHashAndPassword(acc.Hash, []byte(key)); err != nil {
		if errors.Is(err, bcrypt.ErrMismatchedHashAndPassword) {
			return false, nil
		}
		return false, err
	}
	c.Set("account", acc)
	return true, nil
}

// Rates convert between currencies, over the euro.
type Rates map[string]decimal.Decimal

func (r Rates) convert(amount decimal.Decimal, from, to string) (decimal.Decimal, error) {
	a, okA := r[from]
	b, okB := r[to]
	if !okA || !okB {
		return decimal.Zero, fmt.Errorf("no rate %s/%s", from, to)
	}
	return amount.DivRound(a, 12).Mul(b).RoundBank(2), nil
}

// batch converts a list of amounts, as CSV.
func (r Rates) batch(c echo.Context) error {
	in := csv.NewReader(c.Request().Body)
	rows, err := in.ReadAll()
	if err != nil {
		return echo.NewHTTPError(http.StatusBadRequest, err.Error())
	}
	c.Response().Header().Set(echo.HeaderContentType, "text/csv")
	out := csv.NewWriter(c.Response())
	for _, row := range rows {
		amount, err := decimal.NewFromString(row[0])
		if err != nil {
			return echo.NewHTTPError(http.StatusBadRequest, err.Error())
		}
		sum, err := r.convert(amount, row[1], row[2])
		if err != nil {
			return echo.NewHTTPError(http.StatusNotFound, err.Error())
		}
		out.Write([]string{row[0], row[1], sum.StringFixedBank(2), row[2]})
	}
	out.Flush()
	return out.Error()
}

func load(p drive.Ports) {
	currencies := []string{"EUR", "USD", "GBP", "SEK", "DKK", "CHF"}
	drive.HTTP(18, func(i int) *http.Request {
		var body strings.Builder
		for n := range 2500 {
			fmt.Fprintf(&body, "%d.%02d,%s,%s\n", n*3, i%100, currencies[n%6], currencies[(n+i)%6])
		}
		req := drive.Send(http.MethodPost, p.Main(), "/v2/convert", body.String())
		req.SetBasicAuth("customer-"+strconv.Itoa(i%10), "key-"+strconv.Itoa(i%10))
		return req
	})
}

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.GET("/debug/pprof/*", echo.WrapHandler(http.DefaultServeMux))
	accounts := &Accounts{byID: make(map[string]account)}
	for i := range 10 {
		if err := accounts.Register("customer-"+strconv.Itoa(i), "key-"+strconv.Itoa(i)); err != nil {
			e.Logger.Fatal(err)
		}
	}
	rates := make(Rates)
	for code, rate := range map[string]string{"EUR": "1", "USD": "1.0832", "GBP": "0.8561", "SEK": "11.2410",
		"DKK": "7.4606", "CHF": "0.9712"} {
		rates[code] = decimal.RequireFromString(rate)
	}
	v2 := e.Group("/v2", middleware.Recover(), middleware.BasicAuth(accounts.Check))
	v2.POST("/convert", rates.batch)
	e.Logger.Fatal(e.Start(p.Main()))
}
