package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/gin-gonic/gin"
)

type payout struct {
	Customer  int       `json:"customer" binding:"gte=0"`
	IBAN      string    `json:"iban" binding:"required,min=15"`
	Amount    int64     `json:"amount" binding:"gt=0"`
	Purpose   string    `json:"purpose"`
	Reference string    `json:"reference"`
	At        time.Time `json:"at"`
}

// bankClient talks to the bank's API.
type bankClient struct {
	http   *http.Client
	base   string
	tokens *tokenSource
}

func (b *bankClient) transfer(ctx context.Context, p payout) (reference string, err error) {
	token, err := b.tokens.Token(ctx)
	if err != nil {
		return "", err
	}
	body, err := json.Marshal(p)
	if err != nil {
		return "", err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, b.base+"/v2/transfers", bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	req.Header.Set("Authorization", "Bearer "+token)
	res, err := b.http.Do(req)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	var out struct{ Reference string }
	if err := json.NewDecoder(res.Body).Decode(&out); err != nil {
		return "", fmt.Errorf("reading the bank's answer: %w", err)
	}
	io.Copy(io.Discard, res.Body)
	return out.Reference, nil
}

type api struct {
	bank *bankClient

	mu     sync.Mutex
	booked map[int][]payout // by customer, the last fifty
}

func newAPI(b *bankClient) *api { return &api{bank: b, booked: map[int][]payout{}} }

func (a *api) register(r gin.IRouter) {
	r.POST("/payouts", a.create)
	r.GET("/customers/:id/statement", a.statement)
}

func (a *api) create(c *gin.Context) {
	var p payout
	if err := c.ShouldBindJSON(&p); err != nil {
		c.AbortWithStatusJSON(http.StatusBadRequest, gin.H{"error": err.Error()})
		return
	}
	ref, err := a.bank.transfer(c.Request.Context(), p)
	if err != nil {
		c.AbortWithStatusJSON(http.StatusBadGateway, gin.H{"error": err.Error()})
		return
	}
	p.Reference, p.At = ref, time.Now()
	a.mu.Lock()
	list := append(a.booked[p.Customer], p)
	a.booked[p.Customer] = list[max(0, len(list)-50):]
	a.mu.Unlock()
	c.JSON(http.StatusCreated, p)
}

func (a *api) statement(c *gin.Context) {
	id, err := strconv.Atoi(c.Param("id"))
	if err != nil {
		c.AbortWithStatus(http.StatusNotFound)
		return
	}
	a.mu.Lock()
	list := append([]payout(nil), a.booked[id]...)
	a.mu.Unlock()
	var total int64
	for _, p := range list {
		total += p.Amount
	}
	c.JSON(http.StatusOK, gin.H{"customer": id, "total": total, "payouts": list})
}
