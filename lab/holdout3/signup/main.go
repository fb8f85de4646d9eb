// Signup registers people for a conference: it validates forms and keeps the list.
package main

import (
	"encoding/json"
	"errors"
	"log"
	"net/http"
	_ "net/http/pprof"
	"strconv"
	"strings"
	"sync"

	"github.com/gin-gonic/gin"
	"github.com/go-playground/validator/v10"
	"github.com/google/uuid"

	"github.com/gocasebook/casebook/lab/holdout3/internal/drive"
)

type Address struct {
	Street  string `json:"street" validate:"required,max=120"`
	City    string `json:"city" validate:"required,max=80"`
	Zip     string `json:"zip" validate:"required,alphanum,min=4,max=10"`
	Country string `json:"country" validate:"required,iso3166_1_alpha2"`
}

type Registration struct {
	Name     string   `json:"name" validate:"required,min=2,max=100"`
	Email    string   `json:"email" validate:"required,email"`
	Phone    string   `json:"phone" validate:"omitempty,e164"`
	Ticket   string   `json:"ticket" validate:"required,oneof=full student speaker"`
	Seats    int      `json:"seats" validate:"gte=1,lte=10"`
	Tutorial []string `json:"tutorials" validate:"max=4,dive,required,startswith=tut-"`
	Address  Address  `json:"address" validate:"required"`
	Promo    string   `json:"promo" validate:"omitempty,promo"`
}

// validate checks a form, and returns what is wrong by field.
func validate(form any) map[string]string {
	v := validator.New(validator.WithRequiredStructEnabled())
	v.RegisterValidation("promo", func(fl validator.FieldLevel) bool {
		return strings.HasPrefix(fl.Field().String(), "GO")
	})
	var failed validator.ValidationErrors
	if err := v.Struct(form); errors.As(err, &failed) {
		problems := make(map[string]string, len(failed))
		for _, f := range failed {
			problems[f.Namespace()] = f.Tag()
		}
		return problems
	}
	return nil
}

// Desk keeps the newest registrations.
type Desk struct {
	mu     sync.Mutex
	newest []Confirmed
	count  map[string]int
}

type Confirmed struct {
	ID string `json:"id"`
	Registration
}

func (d *Desk) add(r Registration) Confirmed {
	c := Confirmed{uuid.NewString(), r}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.newest = append(d.newest, c)
	if len(d.newest) > 500 {
		d.newest = append(d.newest[:0:0], d.newest[250:]...)
	}
	d.count[r.Ticket] += r.Seats
	return c
}

func (d *Desk) last(n int) []Confirmed {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]Confirmed(nil), d.newest[max(0, len(d.newest)-n):]...)
}

func (d *Desk) post(c *gin.Context) {
	var r Registration
	if err := json.NewDecoder(c.Request.Body).Decode(&r); err != nil {
		c.JSON(http.StatusBadRequest, gin.H{"error": err.Error()})
		return
	}
	if problems := validate(&r); problems != nil {
		c.JSON(http.StatusUnprocessableEntity, problems)
		return
	}
	c.JSON(http.StatusCreated, d.add(r))
}

func form(i int) string {
	email := "ada" + strconv.Itoa(i) + "@example.org"
	if i%9 == 0 {
		email = "ada at example"
	}
	return `{"name":"Ada Lovelace","email":"` + email + `","phone":"+4915112345678","ticket":"full","seats":2,
		"tutorials":["tut-profiling","tut-generics"],"promo":"GO2026",
		"address":{"street":"Main Street 5","city":"Delft","zip":"2611AB","country":"NL"}}`
}

func load(p drive.Ports) {
	drive.HTTP(1500, func(i int) *http.Request {
		if i%8 == 0 {
			return drive.Get(p.Main(), "/registrations")
		}
		return drive.Send(http.MethodPost, p.Main(), "/registrations", form(i))
	})
}

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	gin.SetMode(gin.ReleaseMode)
	d := &Desk{count: make(map[string]int)}
	r := gin.New()
	r.POST("/registrations", d.post)
	r.GET("/registrations", func(c *gin.Context) { c.JSON(http.StatusOK, d.last(10)) })
	r.GET("/debug/pprof/*any", gin.WrapH(http.DefaultServeMux))
	log.Fatal(r.Run(p.Main()))
}
