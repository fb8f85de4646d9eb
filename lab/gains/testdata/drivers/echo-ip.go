package main

import (
	"net/http/httptest"

	"github.com/labstack/echo/v4"
)

func work() func() {
	req := httptest.NewRequest("GET", "/", nil)
	req.Header.Set("X-Forwarded-For", "203.0.113.7, 10.1.2.3, 10.1.2.4, 10.1.2.5")
	c := echo.New().NewContext(req, nil)
	return func() { sink = c.RealIP() }
}
