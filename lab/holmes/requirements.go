//go:build tools

package holmes

// What holmes' tests and examples import, which go mod tidy cannot see.
import (
	_ "github.com/gin-gonic/gin"
	_ "github.com/gocasebook/casebook/holmes"
	_ "mosn.io/holmes"
	_ "mosn.io/pkg/log"
)
