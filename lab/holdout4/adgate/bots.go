package main

import (
	"net/http"
	"regexp"
	"strings"
)

// words are the names of crawlers, as the public lists have them.
const words = `Googlebot Bingbot Slurp DuckDuckBot Baiduspider YandexBot Sogou Exabot facebot ia_archiver AhrefsBot
SemrushBot MJ12bot DotBot PetalBot Applebot Twitterbot LinkedInBot Pinterestbot Discordbot TelegramBot WhatsApp Slackbot
Embedly Quora Outbrain vkShare W3C_Validator redditbot Flipboard Tumblr Bitlybot SkypeUriPreview Nuzzel Qwantify
Bitrix XING-contenttabreceiver Chrome-Lighthouse GTmetrix PingdomBot UptimeRobot StatusCake Site24x7 NewRelicPinger
Zabbix Nagios Datadog BLEXBot SEOkicks serpstat Screaming.Frog rogerbot DataForSeoBot GPTBot CCBot ClaudeBot Bytespider
Amazonbot archive.org_bot HeadlessChrome PhantomJS Scrapy python-requests aiohttp Go-http-client Java okhttp curl wget
libwww-perl lwp-trivial httpclient axios node-fetch postman insomnia Nutch heritrix Mediapartners AdsBot Feedfetcher
Feedly Inoreader NewsBlur Tiny.Tiny.RSS`

// Bots tells crawlers from people.
type Bots struct {
	patterns []*regexp.Regexp
	allowed  map[string]bool
}

func NewBots() *Bots {
	b := &Bots{allowed: map[string]bool{"StatusCake": true}}
	for _, w := range strings.Fields(words) {
		b.patterns = append(b.patterns,
			regexp.MustCompile(`(?i)(^|[\s;(+/])`+w+`([\s;)/:.,-]|$)`))
	}
	return b
}

// Is says whether the user agent is a crawler's.
func (b *Bots) Is(agent string) bool {
	for _, p := range b.patterns {
		if p.MatchString(agent) {
			return !b.allowed[p.FindString(agent)]
		}
	}
	return false
}

// Refuse answers crawlers with nothing to see.
func (b *Bots) Refuse(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if b.Is(r.UserAgent()) {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		next.ServeHTTP(w, r)
	})
}
