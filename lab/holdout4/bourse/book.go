package main

import "fmt"

type Side int

const (
	Buy Side = iota
	Sell
)

func (s Side) String() string {
	if s == Buy {
		return "buy"
	}
	return "sell"
}

type Order struct {
	ID     int64  `json:"id"`
	Symbol string `json:"symbol"`
	Side   Side   `json:"side"`
	Price  int64  `json:"price"`
	Size   int64  `json:"size"`
	Owner  string `json:"owner"`
}

type Level struct {
	Price  int64
	Orders []Order
}

type Trade struct {
	Symbol       string
	Price, Size  int64
	Maker, Taker int64
}

// Book is the open orders of one symbol: bids from the highest, asks from the lowest.
type Book struct {
	Symbol     string
	Bids, Asks []Level
	Last       int64
}

func (b *Book) against(s Side) *[]Level {
	if s == Buy {
		return &b.Asks
	}
	return &b.Bids
}

func crosses(o Order, price int64) bool {
	return o.Side == Buy && o.Price >= price || o.Side == Sell && o.Price <= price
}

// fill trades an order with the best levels; what is left of it is returned.
func (b *Book) fill(o Order) (Order, []Trade) {
	var trades []Trade
	levels := b.against(o.Side)
	for o.Size > 0 && len(*levels) > 0 && crosses(o, (*levels)[0].Price) {
		best := &(*levels)[0]
		maker := &best.Orders[0]
		n := min(o.Size, maker.Size)
		trades = append(trades, Trade{b.Symbol, best.Price, n, maker.ID, o.ID})
		o.Size -= n
		maker.Size -= n
		b.Last = best.Price
		if maker.Size == 0 {
			best.Orders = best.Orders[1:]
		}
		if len(best.Orders) == 0 {
			*levels = (*levels)[1:]
		}
	}
	return o, trades
}

// rest puts an order into the book. A side has at most depth levels: the worst are cancelled.
func (b *Book) rest(o Order) {
	const depth = 12
	levels := &b.Bids
	if o.Side == Sell {
		levels = &b.Asks
	}
	at := 0
	for at < len(*levels) && better((*levels)[at].Price, o.Price, o.Side) {
		at++
	}
	if at < len(*levels) && (*levels)[at].Price == o.Price {
		l := &(*levels)[at]
		if len(l.Orders) < 8 {
			l.Orders = append(l.Orders, o)
		}
		return
	}
	*levels = append(*levels, Level{})
	copy((*levels)[at+1:], (*levels)[at:])
	(*levels)[at] = Level{o.Price, []Order{o}}
	if len(*levels) > depth {
		*levels = (*levels)[:depth]
	}
}

func better(a, b int64, s Side) bool {
	if s == Buy {
		return a > b
	}
	return a < b
}

func (t Trade) String() string { return fmt.Sprintf("%s %d@%d", t.Symbol, t.Size, t.Price) }
