// Checkout shows carts and asks where to send what is in them.
package main

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"github.com/gocasebook/casebook/lab/holdout4/internal/drive"
)

type Link struct{ Slug, Title string }

type Line struct {
	ID    int
	Title string
	Image string
	Count int
	Cents int
}

// Page is what every page has.
type Page struct {
	Build, Theme string
	Menu         []Link
	Lines        []Line
	Fields       []string
}

func (p Page) Total() (cents int) {
	for _, l := range p.Lines {
		cents += l.Count * l.Cents
	}
	return cents
}

type Shop struct {
	views *Views
	menu  []Link
	carts [][]Line
}

func (s *Shop) page(name string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var n int
		fmt.Sscan(chi.URLParam(r, "id"), &n)
		lang := r.URL.Query().Get("lang")
		token := make([]byte, 16)
		rand.Read(token)
		p := Page{Build: "a81f", Theme: "light", Menu: s.menu, Lines: s.carts[n%len(s.carts)],
			Fields: []string{"name", "street", "zip", "city", "country", "phone"}}
		var out bytes.Buffer
		if err := s.views.Render(&out, name, lang, hex.EncodeToString(token), p); err != nil {
			log.Printf("%s: %v", name, err)
			http.Error(w, "sorry", http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		out.WriteTo(w)
	}
}

func messages() map[string]map[string]string {
	return map[string]map[string]string{
		"en": {"shop": "Garden & Home", "cart": "Your cart", "total": "Total", "remove": "Remove", "next": "Next"},
		"de": {"shop": "Haus & Garten", "cart": "Warenkorb", "total": "Summe", "remove": "Entfernen", "next": "Weiter",
			"empty": "Nichts drin", "checkout": "Zur Kasse", "address": "Anschrift", "imprint": "Impressum"},
		"fr": {"shop": "Maison & Jardin", "cart": "Panier", "total": "Total", "remove": "Retirer", "next": "Suivant"},
	}
}

func main() {
	p := drive.Flags()
	if p.Load {
		langs := []string{"en", "de", "fr"}
		drive.HTTP(400, func(i int) *http.Request {
			page := "cart"
			if i%3 == 0 {
				page = "address"
			}
			return drive.Get(p.Main(), "/%s/%d?lang=%s", page, i, langs[i%7%3])
		})
	}
	views, err := NewViews(messages())
	if err != nil {
		log.Fatal(err)
	}
	s := &Shop{views: views}
	for _, t := range []string{"garden", "kitchen", "bath", "tools", "sale"} {
		s.menu = append(s.menu, Link{t, t})
	}
	for c := range 40 {
		var lines []Line
		for i := range c % 7 {
			lines = append(lines, Line{i * 31, fmt.Sprintf("Lamp \"No. %d\"", i), fmt.Sprintf("/img/%d.webp", i), i%3 + 1, 1999})
		}
		s.carts = append(s.carts, lines)
	}
	r := chi.NewRouter()
	r.Use(middleware.Recoverer)
	r.Get("/cart/{id}", s.page("cart"))
	r.Get("/address/{id}", s.page("address"))
	r.Handle("/debug/pprof/*", http.DefaultServeMux)
	log.Fatal(http.ListenAndServe(p.Main(), r))
}
