package main

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"
	"github.com/redis/go-redis/v9"
)

const topKey = "looks:top"

func key(id int) string { return "look:" + strconv.Itoa(id) }

var errNotFound = errors.New("no such look")

type look struct {
	ID       int    `json:"id"`
	Title    string `json:"title" redis:"title"`
	Season   string `json:"season" redis:"season"`
	Designer string `json:"designer" redis:"designer"`
	Price    int    `json:"price" redis:"price"`
}

type ranked struct {
	ID    string  `json:"id"`
	Likes float64 `json:"likes"`
}

type repository struct{ rdb redis.Cmdable }

func (r *repository) Look(ctx context.Context, id int) (l look, err error) {
	res := r.rdb.HGetAll(ctx, key(id))
	if err := res.Err(); err != nil {
		return l, err
	}
	if len(res.Val()) == 0 {
		return l, errNotFound
	}
	l.ID = id
	return l, res.Scan(&l)
}

func (r *repository) Top(ctx context.Context, n int) ([]ranked, error) {
	res, err := r.rdb.ZRevRangeWithScores(ctx, topKey, 0, int64(n-1)).Result()
	if err != nil {
		return nil, err
	}
	list := make([]ranked, len(res))
	for i, z := range res {
		list[i] = ranked{z.Member.(string), z.Score}
	}
	return list, nil
}

func (r *repository) Like(ctx context.Context, id int) (float64, error) {
	return r.rdb.ZIncrBy(ctx, topKey, 1, strconv.Itoa(id)).Result()
}

type handlers struct{ looks *repository }

func (h handlers) show(c echo.Context) error {
	id, err := strconv.Atoi(c.Param("id"))
	if err != nil {
		return echo.ErrNotFound
	}
	l, err := h.looks.Look(c.Request().Context(), id)
	switch {
	case errors.Is(err, errNotFound):
		return echo.ErrNotFound
	case err != nil:
		return echo.NewHTTPError(http.StatusServiceUnavailable, err.Error())
	}
	return c.JSON(http.StatusOK, l)
}

func (h handlers) top(c echo.Context) error {
	n, err := strconv.Atoi(c.QueryParam("n"))
	if err != nil || n < 1 || n > 100 {
		n = 10
	}
	list, err := h.looks.Top(c.Request().Context(), n)
	if err != nil {
		return echo.NewHTTPError(http.StatusServiceUnavailable, err.Error())
	}
	return c.JSON(http.StatusOK, list)
}

func (h handlers) like(c echo.Context) error {
	id, err := strconv.Atoi(c.Param("id"))
	if err != nil {
		return echo.ErrNotFound
	}
	likes, err := h.looks.Like(c.Request().Context(), id)
	if err != nil {
		return echo.NewHTTPError(http.StatusServiceUnavailable, err.Error())
	}
	return c.JSON(http.StatusOK, echo.Map{"id": id, "likes": likes})
}
