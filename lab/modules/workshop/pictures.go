package main

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"log"
	"time"

	"github.com/valyala/fasthttp"
	"golang.org/x/image/draw"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

// photo is a picture of 800 by 600 points.
func photo() ([]byte, error) {
	img := image.NewRGBA(image.Rect(0, 0, 800, 600))
	for y := range 600 {
		for x := range 800 {
			img.Set(x, y, color.RGBA{uint8(x * y), uint8(x ^ y), uint8(x + y), 255})
		}
	}
	var b bytes.Buffer
	err := jpeg.Encode(&b, img, nil)
	return b.Bytes(), err
}

func thumbnail(file []byte) ([]byte, error) {
	img, err := jpeg.Decode(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	small := image.NewRGBA(image.Rect(0, 0, 160, 120))
	draw.CatmullRom.Scale(small, small.Bounds(), img, img.Bounds(), draw.Over, nil)
	var b bytes.Buffer
	err = jpeg.Encode(&b, small, nil)
	return b.Bytes(), err
}

// A gallery makes thumbnails, or asks somebody who does.
type gallery struct {
	file []byte
	far  string // the address of who does it; "": it does
	http fasthttp.Client
}

func (g *gallery) thumb(ctx *fasthttp.RequestCtx) {
	b, err := g.make()
	if err != nil {
		ctx.Error(err.Error(), fasthttp.StatusInternalServerError)
		return
	}
	ctx.SetContentType("image/jpeg")
	ctx.SetBody(b)
}

func (g *gallery) make() ([]byte, error) {
	if g.far == "" {
		return thumbnail(g.file)
	}
	_, b, err := g.http.Get(nil, "http://"+g.far+"/")
	return b, err
}

func beginFasthttp(o serve.Options, how string) error {
	file, err := photo()
	if err != nil {
		return err
	}
	g := &gallery{file: file, http: fasthttp.Client{MaxConnsPerHost: 1000}}
	if how == "upstream" {
		if g.far, err = slowService(file); err != nil {
			return err
		}
	}
	s := &fasthttp.Server{Handler: g.thumb, IdleTimeout: time.Minute}
	go func() { log.Fatal(s.ListenAndServe(o.Own())) }()
	return nil
}

// slowService answers with a picture after 300 ms.
func slowService(file []byte) (addr string, err error) {
	l, err := serve.Listen()
	if err != nil {
		return "", err
	}
	s := &fasthttp.Server{Handler: func(ctx *fasthttp.RequestCtx) {
		time.Sleep(300 * time.Millisecond)
		ctx.SetBody(file[:10_000])
	}}
	go func() { log.Fatal(s.Serve(l)) }()
	return l.Addr().String(), nil
}
