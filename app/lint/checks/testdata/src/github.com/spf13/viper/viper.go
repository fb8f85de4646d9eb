// Package viper stands for github.com/spf13/viper.
package viper

type Viper struct{}

func New() *Viper                             { return &Viper{} }
func GetString(key string) string             { return key }
func (v *Viper) GetBool(key string) bool      { return key != "" }
func (v *Viper) SetDefault(key string, x any) {}
