package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/viper"
)

// Tariffs are the prices.
type Tariffs struct {
	Currency  string          `mapstructure:"currency"`
	Zones     map[string]Zone `mapstructure:"zones"`
	Discounts []Discount      `mapstructure:"discounts"`
}

// A Zone is where a parcel goes.
type Zone struct {
	Base  float64 `mapstructure:"base"`
	Bands []Band  `mapstructure:"bands"`
}

// A Band is a price for a kilogram.
type Band struct {
	UpTo  float64 `mapstructure:"up_to"`
	Price float64 `mapstructure:"price"`
}

// A Discount is what a code is worth.
type Discount struct {
	Code    string  `mapstructure:"code"`
	Percent float64 `mapstructure:"percent"`
}

// Settings reads them from a file that may change.
type Settings struct{ v *viper.Viper }

func newSettings() (*Settings, error) {
	dir, err := os.MkdirTemp("", "pricing-")
	if err != nil {
		return nil, err
	}
	file := filepath.Join(dir, "tariffs.yaml")
	if err := os.WriteFile(file, []byte(defaults()), 0o644); err != nil {
		return nil, err
	}
	v := viper.New()
	v.SetConfigFile(file)
	v.SetEnvPrefix("PRICING")
	v.AutomaticEnv()
	if err := v.ReadInConfig(); err != nil {
		return nil, fmt.Errorf("reading tariffs: %w", err)
	}
	v.WatchConfig()
	return &Settings{v: v}, nil
}

// Tariffs are those of now.
func (s *Settings) Tariffs() (t Tariffs, err error) {
	if err := s.v.Unmarshal(&t); err != nil {
		return t, fmt.Errorf("tariffs: %w", err)
	}
	return t, nil
}

func defaults() string {
	var b strings.Builder
	b.WriteString("currency: EUR\nzones:\n")
	for i := range 40 {
		fmt.Fprintf(&b, "  z%d:\n    base: %d.5\n    bands:\n", i, 3+i%7)
		for _, kg := range []int{1, 2, 5, 10, 31} {
			fmt.Fprintf(&b, "      - {up_to: %d, price: 0.%d}\n", kg, 10+i+kg)
		}
	}
	b.WriteString("discounts:\n")
	for i := range 60 {
		fmt.Fprintf(&b, "  - {code: C%d, percent: %d}\n", i, i%20)
	}
	return b.String()
}
