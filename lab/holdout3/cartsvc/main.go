// Cartsvc shows shopping carts: their lines are in Redis, one hash a product.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
	"sort"
	"strconv"

	"github.com/alicebob/miniredis/v2"
	"github.com/gin-gonic/gin"
	"github.com/redis/go-redis/v9"

	"github.com/gocasebook/casebook/lab/holdout3/internal/drive"
)

type Line struct {
	SKU      string  `json:"sku"`
	Title    string  `json:"title"`
	Price    float64 `json:"price"`
	Quantity int     `json:"quantity"`
	Sum      float64 `json:"sum"`
}

type Cart struct {
	ID    string  `json:"id"`
	Lines []Line  `json:"lines"`
	Total float64 `json:"total"`
}

var errNoCart = errors.New("no such cart")

// CartRepository reads carts and products.
type CartRepository struct{ rdb *redis.Client }

func (r *CartRepository) Items(ctx context.Context, id string) (map[string]string, error) {
	items, err := r.rdb.HGetAll(ctx, "cart:"+id).Result()
	if err == nil && len(items) == 0 {
		err = errNoCart
	}
	return items, err
}

func (r *CartRepository) Product(ctx context.Context, sku string) (Line, error) {
	fields, err := r.rdb.HGetAll(ctx, "product:"+sku).Result()
	if err != nil {
		return Line{}, fmt.Errorf("product %s: %w", sku, err)
	}
	price, err := strconv.ParseFloat(fields["price"], 64)
	if err != nil {
		return Line{}, fmt.Errorf("product %s: %w", sku, err)
	}
	return Line{SKU: sku, Title: fields["title"], Price: price}, nil
}

type CartService struct{ repo *CartRepository }

func (s *CartService) Load(ctx context.Context, id string) (*Cart, error) {
	items, err := s.repo.Items(ctx, id)
	if err != nil {
		return nil, err
	}
	cart := &Cart{ID: id}
	for sku, quantity := range items {
		line, err := s.repo.Product(ctx, sku)
		if err != nil {
			return nil, err
		}
		line.Quantity, _ = strconv.Atoi(quantity)
		line.Sum = line.Price * float64(line.Quantity)
		cart.Lines = append(cart.Lines, line)
	}
	sort.Slice(cart.Lines, func(i, j int) bool { return cart.Lines[i].SKU < cart.Lines[j].SKU })
	for _, l := range cart.Lines {
		cart.Total += l.Sum
	}
	return cart, nil
}

func handleGet(s *CartService) gin.HandlerFunc {
	return func(c *gin.Context) {
		cart, err := s.Load(c.Request.Context(), c.Param("id"))
		switch {
		case errors.Is(err, errNoCart):
			c.AbortWithStatusJSON(http.StatusNotFound, gin.H{"error": err.Error()})
		case err != nil:
			c.AbortWithStatusJSON(http.StatusBadGateway, gin.H{"error": err.Error()})
		default:
			c.JSON(http.StatusOK, cart)
		}
	}
}

// seed fills the Redis of the load: 300 carts of 30 to 60 lines.
func seed(m *miniredis.Miniredis) {
	for p := range 900 {
		m.HSet(fmt.Sprintf("product:p%d", p), "title", fmt.Sprintf("Product number %d", p),
			"price", fmt.Sprintf("%d.95", 3+p%70))
	}
	for c := range 300 {
		for l := range 30 + c%31 {
			m.HSet(fmt.Sprintf("cart:%d", c), fmt.Sprintf("p%d", (c*7+l*13)%900), strconv.Itoa(1+l%3))
		}
	}
}

func load(p drive.Ports) {
	m := miniredis.NewMiniRedis()
	seed(m)
	if err := m.StartAddr(p.Dependency()); err != nil {
		log.Fatal(err)
	}
	drive.HTTP(120, func(i int) *http.Request { return drive.Get(p.Main(), "/v1/carts/%d", i%303) })
}

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	gin.SetMode(gin.ReleaseMode)
	s := &CartService{&CartRepository{redis.NewClient(&redis.Options{Addr: p.Dependency(), PoolSize: 20})}}
	r := gin.New()
	r.Use(gin.Recovery())
	r.GET("/v1/carts/:id", handleGet(s))
	r.Any("/debug/pprof/*any", gin.WrapH(http.DefaultServeMux))
	log.Fatal(r.Run(p.Main()))
}
