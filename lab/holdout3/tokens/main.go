// Tokens signs and verifies the access tokens of a company's services.
package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"

	"github.com/gocasebook/casebook/lab/holdout3/internal/drive"
)

type Claims struct {
	Scope []string `json:"scope"`
	jwt.RegisteredClaims
}

// Issuer signs with ECDSA, and with RSA for clients that know nothing else.
type Issuer struct {
	ec     *ecdsa.PrivateKey
	rsa    *rsa.PrivateKey
	parser *jwt.Parser
}

func NewIssuer() (*Issuer, error) {
	ec, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return nil, err
	}
	parser := jwt.NewParser(jwt.WithValidMethods([]string{"ES256", "RS256"}), jwt.WithIssuer("tokens"))
	return &Issuer{ec, key, parser}, nil
}

func (i *Issuer) Issue(subject, alg string, scope []string) (string, error) {
	now := time.Now()
	claims := Claims{scope, jwt.RegisteredClaims{Issuer: "tokens", Subject: subject, ID: uuid.NewString(),
		IssuedAt: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(now.Add(10 * time.Minute))}}
	if alg == "RS256" {
		return jwt.NewWithClaims(jwt.SigningMethodRS256, claims).SignedString(i.rsa)
	}
	return jwt.NewWithClaims(jwt.SigningMethodES256, claims).SignedString(i.ec)
}

func (i *Issuer) key(t *jwt.Token) (any, error) {
	switch t.Method.Alg() {
	case "ES256":
		return &i.ec.PublicKey, nil
	case "RS256":
		return &i.rsa.PublicKey, nil
	}
	return nil, fmt.Errorf("no key for %s", t.Method.Alg())
}

func (i *Issuer) Verify(token string) (*Claims, error) {
	var c Claims
	if _, err := i.parser.ParseWithClaims(token, &c, i.key); err != nil {
		return nil, err
	}
	return &c, nil
}

func (i *Issuer) issue(c *gin.Context) {
	var in struct {
		Subject string   `json:"subject" binding:"required"`
		Alg     string   `json:"alg" binding:"oneof=ES256 RS256"`
		Scope   []string `json:"scope"`
	}
	if err := c.ShouldBindJSON(&in); err != nil {
		c.JSON(http.StatusBadRequest, gin.H{"error": err.Error()})
		return
	}
	token, err := i.Issue(in.Subject, in.Alg, in.Scope)
	if err != nil {
		c.AbortWithError(http.StatusInternalServerError, err)
		return
	}
	c.JSON(http.StatusOK, gin.H{"access_token": token, "expires_in": 600})
}

func (i *Issuer) introspect(c *gin.Context) {
	token := strings.TrimPrefix(c.GetHeader("Authorization"), "Bearer ")
	claims, err := i.Verify(token)
	switch {
	case errors.Is(err, jwt.ErrTokenExpired):
		c.JSON(http.StatusOK, gin.H{"active": false})
	case err != nil:
		c.JSON(http.StatusUnauthorized, gin.H{"error": "invalid token"})
	default:
		c.JSON(http.StatusOK, gin.H{"active": true, "sub": claims.Subject, "scope": strings.Join(claims.Scope, " ")})
	}
}

// obtain gets a token to introspect.
func obtain(addr, alg string) string {
	drive.Await(addr)
	req := drive.Send(http.MethodPost, addr, "/token", `{"subject":"cart","alg":"`+alg+`","scope":["read","pay"]}`)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		log.Fatal(err)
	}
	defer res.Body.Close()
	var out struct {
		Token string `json:"access_token"`
	}
	if err := json.NewDecoder(res.Body).Decode(&out); err != nil {
		log.Fatal(err)
	}
	return out.Token
}

func load(p drive.Ports) {
	ec, rs := obtain(p.Main(), "ES256"), obtain(p.Main(), "RS256")
	drive.HTTP(700, func(i int) *http.Request {
		switch {
		case i%10 == 0:
			return drive.Send(http.MethodPost, p.Main(), "/token", `{"subject":"cart","alg":"RS256","scope":["read"]}`)
		case i%10 < 4:
			return drive.Send(http.MethodPost, p.Main(), "/token", `{"subject":"mail","alg":"ES256","scope":["send"]}`)
		}
		req := drive.Get(p.Main(), "/introspect")
		token := ec
		if i%3 == 0 {
			token = rs
		}
		req.Header.Set("Authorization", "Bearer "+token)
		return req
	})
}

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	i, err := NewIssuer()
	if err != nil {
		log.Fatal(err)
	}
	gin.SetMode(gin.ReleaseMode)
	r := gin.New()
	r.POST("/token", i.issue)
	r.GET("/introspect", i.introspect)
	r.GET("/debug/pprof/*any", gin.WrapH(http.DefaultServeMux))
	log.Fatal(r.Run(p.Main()))
}
