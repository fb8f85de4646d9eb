// Chatroom passes messages on to all who are in a room, over WebSockets.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	_ "net/http/pprof"
	"strings"
	"syscall"
	"time"

	"github.com/gorilla/websocket"
	"github.com/labstack/echo/v4"

	"github.com/gocasebook/casebook/lab/holdout6/internal/drive"
)

var upgrader = websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }}

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	h := newHub()
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.GET("/rooms/:room/ws", func(c echo.Context) error {
		conn, err := upgrader.Upgrade(c.Response(), c.Request(), nil)
		if err != nil {
			return err
		}
		h.join(c.Param("room"), conn)
		return nil
	})
	e.POST("/rooms/:room/messages", func(c echo.Context) error {
		var m Message
		if err := json.NewDecoder(c.Request().Body).Decode(&m); err != nil {
			return echo.NewHTTPError(http.StatusBadRequest, err.Error())
		}
		n := h.room(c.Param("room")).broadcast(m)
		return c.JSON(http.StatusAccepted, map[string]int{"readers": n})
	})
	e.GET("/rooms/:room", func(c echo.Context) error {
		return c.JSON(http.StatusOK, map[string]int{"members": h.room(c.Param("room")).size()})
	})
	e.GET("/debug/pprof/*", echo.WrapHandler(http.DefaultServeMux))
	log.Fatal(e.Start(p.Main()))
}

// load is thirty people in each of six rooms, one of them on a phone in a tunnel, and what they write.
func load(p drive.Ports) {
	drive.Await(p.Main())
	for i := range 180 {
		go listen(p, i)
	}
	text := strings.Repeat("and so on ", 600)
	drive.Load{Rate: 150, Callers: 400}.Run(func(i int) *http.Request {
		if i%2 == 0 {
			return drive.Get(p.Main(), "/rooms/r%d", i/2%6)
		}
		return drive.Send(http.MethodPost, p.Main(), fmt.Sprintf("/rooms/r%d/messages", i/2%6),
			fmt.Sprintf(`{"from":"u%d","text":%q}`, i%30, text))
	})
}

func listen(p drive.Ports, i int) {
	slow := i%30 == 7
	var dialer websocket.Dialer
	if slow {
		dialer.NetDial = (&net.Dialer{Control: func(_, _ string, c syscall.RawConn) (err error) {
			return errors.Join(c.Control(func(fd uintptr) {
				err = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 8<<10)
			}), err)
		}}).Dial
	}
	for {
		c, _, err := dialer.Dial(fmt.Sprintf("ws://%s/rooms/r%d/ws", p.Main(), i/30), nil)
		if err != nil {
			time.Sleep(time.Second)
			continue
		}
		for n := 0; err == nil; n++ {
			if _, _, err = c.ReadMessage(); slow && n%30 == 29 {
				time.Sleep(2500 * time.Millisecond)
			}
		}
		c.Close()
	}
}
