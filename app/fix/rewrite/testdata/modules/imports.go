// Package modules names what the packages below it may import once they are changed.
package modules

import (
	_ "github.com/gocasebook/casebook/remedy/cache"
	_ "github.com/gocasebook/casebook/remedy/hedge"
)
