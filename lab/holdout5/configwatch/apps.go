package main

import "sync"

type settings struct {
	Version int               `json:"version"`
	Values  map[string]string `json:"values"`
}

// An App is the settings of an application and those who wait for a change.
type App struct {
	mu      sync.Mutex
	current settings
	changed chan struct{} // closed by the next change
}

// Current is the settings, and a channel that closes when they change.
func (a *App) Current() (settings, <-chan struct{}) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.current, a.changed
}

// Set replaces the settings and returns their version.
func (a *App) Set(values map[string]string) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.current = settings{a.current.Version + 1, values}
	close(a.changed)
	a.changed = make(chan struct{})
	return a.current.Version
}

// Apps are the applications that somebody asked for.
type Apps struct {
	mu   sync.Mutex
	byID map[string]*App
}

// NewApps has none yet.
func NewApps() *Apps { return &Apps{byID: map[string]*App{}} }

// Get makes an application that is not known.
func (a *Apps) Get(id string) *App {
	a.mu.Lock()
	defer a.mu.Unlock()
	app, ok := a.byID[id]
	if !ok {
		app = &App{changed: make(chan struct{})}
		a.byID[id] = app
	}
	return app
}
