package main

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Device is what the fleet page shows of a device.
type Device struct {
	Serial   string
	Firmware string
	Site     string
	Errors   int
	Seen     time.Time
}

var errFormat = errors.New("not a diagnostic report")

// parse reads a report: a head of "name: value" lines, an empty line, and the log of the device.
func parse(r io.Reader) (*Device, error) {
	body, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	head, log, ok := strings.Cut(string(body), "\n\n")
	if !ok {
		return nil, errFormat
	}
	d := &Device{Seen: time.Now()}
	for line := range strings.Lines(head) {
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		switch name {
		case "serial":
			d.Serial = value
		case "firmware":
			d.Firmware = value
		case "site":
			d.Site = value
		}
	}
	if d.Serial == "" {
		return nil, errFormat
	}
	d.Errors = strings.Count(log, " ERROR ")
	return d, nil
}

// Fleet is the devices by serial number.
type Fleet struct {
	mu      sync.RWMutex
	devices map[string]*Device
}

func (f *Fleet) Record(d *Device) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.devices[d.Serial] = d
}

// Site counts the devices of a site and their errors.
func (f *Fleet) Site(name string) (devices, errs int) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	for _, d := range f.devices {
		if d.Site == name {
			devices++
			errs += d.Errors
		}
	}
	return devices, errs
}

func (f *Fleet) post(w http.ResponseWriter, r *http.Request) {
	d, err := parse(http.MaxBytesReader(w, r.Body, 4<<20))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	f.Record(d)
	w.WriteHeader(http.StatusNoContent)
}
