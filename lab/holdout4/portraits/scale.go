package main

import (
	"image"
	"image/color"
)

// mean is the mean of a rectangle of a plane.
func mean(plane []uint8, stride, x0, y0, x1, y1 int) uint8 {
	x1, y1 = max(x1, x0+1), max(y1, y0+1)
	sum := 0
	for y := y0; y < y1; y++ {
		for _, v := range plane[y*stride+x0 : y*stride+x1] {
			sum += int(v)
		}
	}
	return uint8(sum / ((x1 - x0) * (y1 - y0)))
}

// shrink makes a picture smaller: each new pixel is the mean of those that it covers. The planes of colours have half
// of the width and of the height, as in what phones and our own encoder make.
func shrink(src *image.YCbCr, dst *image.RGBA) {
	w, h := src.Rect.Dx(), src.Rect.Dy()
	dw, dh := dst.Rect.Dx(), dst.Rect.Dy()
	at := 0
	for y := range dh {
		y0, y1 := y*h/dh, (y+1)*h/dh
		for x := range dw {
			x0, x1 := x*w/dw, (x+1)*w/dw
			luma := mean(src.Y, src.YStride, x0, y0, x1, y1)
			cb := mean(src.Cb, src.CStride, x0/2, y0/2, x1/2, y1/2)
			cr := mean(src.Cr, src.CStride, x0/2, y0/2, x1/2, y1/2)
			r, g, b := color.YCbCrToRGB(luma, cb, cr)
			dst.Pix[at], dst.Pix[at+1], dst.Pix[at+2], dst.Pix[at+3] = r, g, b, 255
			at += 4
		}
	}
}
