// Portraits makes the small pictures of users from those that they upload.
package main

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/jpeg"
	"log"
	"net/http"
	_ "net/http/pprof"
	"runtime"
	"sync"

	"golang.org/x/sync/semaphore"

	"github.com/gocasebook/casebook/lab/holdout4/internal/drive"
)

const side = 192

// worker makes small pictures, as many at a time as there are processors.
type worker struct {
	sem    *semaphore.Weighted
	canvas sync.Pool // of *image.RGBA, side by side
	output sync.Pool // of *bytes.Buffer
}

func newWorker() *worker {
	w := &worker{sem: semaphore.NewWeighted(int64(runtime.GOMAXPROCS(0)))}
	w.canvas.New = func() any { return image.NewRGBA(image.Rect(0, 0, side, side)) }
	w.output.New = func() any { return new(bytes.Buffer) }
	return w
}

// portrait calls use with the small picture, which is its own until it returns.
func (w *worker) portrait(ctx context.Context, upload []byte, use func([]byte)) error {
	if err := w.sem.Acquire(ctx, 1); err != nil {
		return err
	}
	defer w.sem.Release(1)
	img, err := jpeg.Decode(bytes.NewReader(upload))
	if err != nil {
		return err
	}
	src, ok := img.(*image.YCbCr)
	if !ok || src.SubsampleRatio != image.YCbCrSubsampleRatio420 {
		return jpeg.UnsupportedError("only colour pictures")
	}
	dst := w.canvas.Get().(*image.RGBA)
	defer w.canvas.Put(dst)
	shrink(src, dst)
	out := w.output.Get().(*bytes.Buffer)
	out.Reset()
	defer w.output.Put(out)
	if err := jpeg.Encode(out, dst, &jpeg.Options{Quality: 82}); err != nil {
		return err
	}
	use(out.Bytes())
	return nil
}

func (w *worker) post(rw http.ResponseWriter, r *http.Request) {
	var body bytes.Buffer
	if r.ContentLength > 0 && r.ContentLength < 8<<20 {
		body.Grow(int(r.ContentLength) + bytes.MinRead)
	}
	if _, err := body.ReadFrom(http.MaxBytesReader(rw, r.Body, 8<<20)); err != nil {
		http.Error(rw, "too large", http.StatusRequestEntityTooLarge)
		return
	}
	err := w.portrait(r.Context(), body.Bytes(), func(b []byte) {
		rw.Header().Set("Content-Type", "image/jpeg")
		rw.Write(b)
	})
	if err != nil {
		http.Error(rw, err.Error(), http.StatusUnprocessableEntity)
	}
}

func upload(n int) string {
	img := image.NewRGBA(image.Rect(0, 0, 900, 700))
	for y := range 700 {
		for x := range 900 {
			img.Set(x, y, color.RGBA{uint8(x*n/3 + y), uint8(y * x / 700), uint8(x/4 + n*9), 255})
		}
	}
	var b bytes.Buffer
	jpeg.Encode(&b, img, nil)
	return b.String()
}

func main() {
	p := drive.Flags()
	if p.Load {
		var uploads []string
		for n := range 6 {
			uploads = append(uploads, upload(n))
		}
		drive.HTTP(16, func(i int) *http.Request {
			return drive.Send(http.MethodPost, p.Main(), "/portraits", uploads[i%len(uploads)])
		})
	}
	http.HandleFunc("POST /portraits", newWorker().post)
	log.Fatal(http.ListenAndServe(p.Main(), nil))
}
