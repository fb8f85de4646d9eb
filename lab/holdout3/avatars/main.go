// Avatars makes thumbnails of pictures that people upload.
package main

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"log"
	"net/http"
	_ "net/http/pprof"
	"strconv"
	"sync"

	"golang.org/x/sync/semaphore"

	"github.com/gocasebook/casebook/lab/holdout3/internal/drive"
)

// Resizer scales pictures by area, two at a time.
type Resizer struct {
	slots   *semaphore.Weighted
	buffers sync.Pool
	cache   sync.Map // small pictures by user, at most the 500 users of the load
}

func (z *Resizer) scale(src image.Image, size int) *image.RGBA {
	b := src.Bounds()
	dst := image.NewRGBA(image.Rect(0, 0, size, size))
	for y := range size {
		y0, y1 := b.Min.Y+y*b.Dy()/size, b.Min.Y+(y+1)*b.Dy()/size
		for x := range size {
			x0, x1 := b.Min.X+x*b.Dx()/size, b.Min.X+(x+1)*b.Dx()/size
			dst.SetRGBA(x, y, mean(src, x0, y0, x1, y1))
		}
	}
	return dst
}

// mean is the colour of a part of the picture.
func mean(src image.Image, x0, y0, x1, y1 int) color.RGBA {
	var r, g, b, n uint32
	ycc, fast := src.(*image.YCbCr)
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			var cr, cg, cb uint8
			if fast {
				c := ycc.YCbCrAt(x, y)
				cr, cg, cb = color.YCbCrToRGB(c.Y, c.Cb, c.Cr)
			} else {
				p, q, s, _ := src.At(x, y).RGBA()
				cr, cg, cb = uint8(p>>8), uint8(q>>8), uint8(s>>8)
			}
			r, g, b, n = r+uint32(cr), g+uint32(cg), b+uint32(cb), n+1
		}
	}
	n = max(n, 1)
	return color.RGBA{uint8(r / n), uint8(g / n), uint8(b / n), 255}
}

func (z *Resizer) thumbnail(ctx context.Context, data *bytes.Buffer, size int) ([]byte, error) {
	if err := z.slots.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer z.slots.Release(1)
	src, err := jpeg.Decode(data)
	if err != nil {
		return nil, fmt.Errorf("reading the picture: %w", err)
	}
	var out bytes.Buffer
	err = jpeg.Encode(&out, z.scale(src, size), &jpeg.Options{Quality: 82})
	return out.Bytes(), err
}

func (z *Resizer) upload(w http.ResponseWriter, r *http.Request) {
	buf := z.buffers.Get().(*bytes.Buffer)
	defer z.buffers.Put(buf)
	buf.Reset()
	if _, err := buf.ReadFrom(http.MaxBytesReader(w, r.Body, 4<<20)); err != nil {
		http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		return
	}
	small, err := z.thumbnail(r.Context(), buf, 96)
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	z.cache.Store(r.PathValue("user"), small)
	w.WriteHeader(http.StatusNoContent)
}

func (z *Resizer) show(w http.ResponseWriter, r *http.Request) {
	data, ok := z.cache.Load(r.PathValue("user"))
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "image/jpeg")
	w.Header().Set("Cache-Control", "max-age=600")
	w.Write(data.([]byte))
}

func picture(seed int) string {
	img := image.NewRGBA(image.Rect(0, 0, 640, 480))
	for y := range 480 {
		for x := range 640 {
			img.SetRGBA(x, y, color.RGBA{uint8(x*seed + y), uint8(y / 2), uint8(x ^ y), 255})
		}
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, img, nil); err != nil {
		log.Fatal(err)
	}
	return out.String()
}

func load(p drive.Ports) {
	var pictures []string
	for i := range 8 {
		pictures = append(pictures, picture(i+1))
	}
	drive.HTTP(300, func(i int) *http.Request {
		user := strconv.Itoa(i / 5 % 500)
		if i%5 == 0 {
			return drive.Send(http.MethodPut, p.Main(), "/users/"+user+"/avatar", pictures[i/5%8])
		}
		return drive.Get(p.Main(), "/users/%s/avatar", user)
	})
}

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	z := &Resizer{slots: semaphore.NewWeighted(2), buffers: sync.Pool{New: func() any { return new(bytes.Buffer) }}}
	http.HandleFunc("PUT /users/{user}/avatar", z.upload)
	http.HandleFunc("GET /users/{user}/avatar", z.show)
	log.Fatal(http.ListenAndServe(p.Main(), nil))
}
