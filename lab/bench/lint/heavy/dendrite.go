package heavy

import (
	"bytes"
	"context"
	crand "crypto/rand"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// dendrite is a Matrix homeserver without others, on PostgreSQL: people chat in rooms, in several clients, which follow
// what comes, read what was, and upload pictures.
func dendrite() Service {
	return Service{
		Name: "dendrite", Module: "github.com/matrix-org/dendrite", Version: "v0.13.8", Main: "cmd/dendrite", Unseen: true,
		Args: []string{"--config={dir}/dendrite.yaml", "--http-bind-address=127.0.0.1:{port}",
			"--really-enable-open-registration"},
		Prepare: prepareDendrite,
		Ready:   "/_matrix/client/versions",
		Load:    loadDendrite,
	}
}

// prepareDendrite starts a database and writes the configuration, which has its address.
func prepareDendrite(dir string) ([]string, func(), error) {
	dsn, end, err := startPostgres()
	if err != nil {
		return nil, nil, err
	}
	seed := make([]byte, 32)
	crand.Read(seed) // it does not fail
	key := pem.EncodeToMemory(&pem.Block{Type: "MATRIX PRIVATE KEY", Headers: map[string]string{"Key-ID": "ed25519:load"},
		Bytes: seed})
	config := fmt.Sprintf(`version: 2
global:
  server_name: localhost
  private_key: %[1]s/key.pem
  key_validity_period: 168h
  disable_federation: true
  database: {connection_string: "%[2]s sslmode=disable", max_open_conns: 40, max_idle_conns: 10, conn_max_lifetime: -1}
  jetstream: {storage_path: %[1]s}
  cache: {max_size_estimated: 256mb, max_age: 1h}
  presence: {enable_inbound: true, enable_outbound: true}
client_api:
  registration_disabled: false
  guests_disabled: true
  rate_limiting: {enabled: false}
media_api:
  base_path: %[1]s/media
  max_file_size_bytes: 10485760
  thumbnail_sizes: [{width: 32, height: 32, method: crop}, {width: 96, height: 96, method: crop}]
user_api: {bcrypt_cost: 10}
logging: [{type: std, level: warn}]
`, dir, dsn)
	err = errors.Join(os.WriteFile(filepath.Join(dir, "key.pem"), key, 0o600),
		os.WriteFile(filepath.Join(dir, "dendrite.yaml"), []byte(config), 0o600))
	if err != nil {
		end()
		return nil, nil, err
	}
	return nil, end, nil
}

const matrix = "/_matrix/client/v3"

// A matrixUser is a person with one client.
type matrixUser struct {
	on        Target
	client    http.Client
	id, token string
	rooms     []string

	mu   sync.Mutex // guards what follows
	seen []matrixEvent
}

type matrixEvent struct{ Room, ID string }

// ask sends a request and reads the answer into v.
func (u *matrixUser) ask(ctx context.Context, method, path string, body, v any) error {
	q := request{method: method, path: path, header: map[string]string{"Content-Type": "application/json",
		"User-Agent": "Element/1.11 (X11; Linux x86_64)"}}
	if u.token != "" {
		q.header["Authorization"] = "Bearer " + u.token
	}
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			return err
		}
		q.body = string(data)
	}
	status, answer, err := send(ctx, &u.client, "http://"+u.on.Addr, q)
	if err == nil && status >= 400 {
		err = fmt.Errorf("dendrite: %s %s: %d: %s", method, path, status, answer)
	}
	if err == nil && v != nil {
		err = json.Unmarshal(answer, v)
	}
	return err
}

// try is ask where a failure is counted.
func (u *matrixUser) try(ctx context.Context, method, path string, body, v any) {
	err := u.ask(ctx, method, path, body, v)
	u.on.Seen.Is(err == nil || ctx.Err() != nil)
}

func (u *matrixUser) register(ctx context.Context, i int) error {
	var made struct {
		UserID string `json:"user_id"`
		Token  string `json:"access_token"`
	}
	err := u.ask(ctx, http.MethodPost, matrix+"/register", map[string]any{"username": fmt.Sprintf("user%d", i),
		"password": "of-two-minutes-only", "auth": map[string]string{"type": "m.login.dummy"},
		"initial_device_display_name": "load"}, &made)
	u.id, u.token = made.UserID, made.Token
	return err
}

func loadDendrite(ctx context.Context, on Target) error {
	users := make([]*matrixUser, 16)
	for i := range users {
		users[i] = &matrixUser{on: on}
		if err := users[i].register(ctx, i); err != nil {
			return err
		}
	}
	var rooms []string
	for i := range 8 {
		var made struct {
			RoomID string `json:"room_id"`
		}
		err := users[i].ask(ctx, http.MethodPost, matrix+"/createRoom", map[string]any{"preset": "public_chat",
			"room_alias_name": fmt.Sprintf("room%d", i), "name": fmt.Sprint("Room ", i), "topic": "all of it"}, &made)
		if err != nil {
			return err
		}
		rooms = append(rooms, made.RoomID)
	}
	for i, u := range users {
		for k, room := range rooms {
			if (i+k)%2 > 0 && i != k {
				continue // each is in half of them
			}
			u.rooms = append(u.rooms, room)
			if err := u.ask(ctx, http.MethodPost, matrix+"/join/"+url.PathEscape(room), struct{}{}, nil); err != nil {
				return err
			}
		}
	}
	var clients []func(context.Context) error
	for i, u := range users {
		clients = append(clients, u.follow, func(ctx context.Context) error { return u.chat(ctx, uint64(i)) })
	}
	return together(ctx, clients...)
}

// follow syncs, as each client does all the time.
func (u *matrixUser) follow(ctx context.Context) error {
	filter := url.QueryEscape(`{"room":{"timeline":{"limit":20},"state":{"lazy_load_members":true}}}`)
	since := ""
	for ctx.Err() == nil {
		path := matrix + "/sync?timeout=2000&filter=" + filter
		if since != "" {
			path += "&since=" + since
		}
		var news struct {
			Next  string `json:"next_batch"`
			Rooms struct {
				Join map[string]struct {
					Timeline struct {
						Events []struct {
							ID string `json:"event_id"`
						}
					}
				}
			}
		}
		u.try(ctx, http.MethodGet, path, nil, &news)
		since = news.Next
		for room, in := range news.Rooms.Join {
			for _, e := range in.Timeline.Events {
				u.mu.Lock()
				u.seen = append(u.seen[max(0, len(u.seen)-50):], matrixEvent{room, e.ID})
				u.mu.Unlock()
			}
		}
		time.Sleep(50 * time.Millisecond) // it draws
	}
	return nil
}

// some is an event that the user has seen; false if there is none.
func (u *matrixUser) some(r *rand.Rand) (matrixEvent, bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.seen) == 0 {
		return matrixEvent{}, false
	}
	return pick(r, u.seen), true
}

// chat writes, reads what was, and looks around.
func (u *matrixUser) chat(ctx context.Context, seed uint64) error {
	r := rand.New(rand.NewPCG(seed, 61))
	for n := 0; ctx.Err() == nil; n++ {
		time.Sleep(time.Duration(5+r.IntN(60)) * time.Millisecond)
		room := matrix + "/rooms/" + url.PathEscape(pick(r, u.rooms))
		event, ok := u.some(r)
		of := matrix + "/rooms/" + url.PathEscape(event.Room)
		k := r.IntN(32)
		if !ok {
			k = 0
		}
		switch {
		case k < 10:
			body := text(r, 4+r.IntN(30))
			content := map[string]any{"msgtype": "m.text", "body": body}
			if r.IntN(3) == 0 {
				content["format"], content["formatted_body"] = "org.matrix.custom.html", "<p><b>"+body+"</b></p>"
			}
			u.try(ctx, http.MethodPut, fmt.Sprintf("%s/send/m.room.message/m%d", room, n), content, nil)
		case k < 12:
			u.try(ctx, http.MethodPut, fmt.Sprintf("%s/send/m.reaction/m%d", of, n), map[string]any{
				"m.relates_to": map[string]string{"rel_type": "m.annotation", "event_id": event.ID,
					"key": pick(r, []string{"+1", "heart", "eyes"})}}, nil)
		case k < 17:
			u.try(ctx, http.MethodPost, of+"/receipt/m.read/"+url.PathEscape(event.ID), struct{}{}, nil)
		case k < 20:
			u.try(ctx, http.MethodPut, room+"/typing/"+url.PathEscape(u.id),
				map[string]any{"typing": true, "timeout": 3000}, nil)
		case k < 23:
			u.try(ctx, http.MethodGet, room+"/messages?dir=b&limit=30", nil, nil)
		case k < 24:
			u.try(ctx, http.MethodGet, of+"/context/"+url.PathEscape(event.ID)+"?limit=10", nil, nil)
		default:
			u.look(ctx, r, k, room)
		}
	}
	return nil
}

// look is what clients do now and then.
func (u *matrixUser) look(ctx context.Context, r *rand.Rand, k int, room string) {
	switch k {
	case 24:
		u.try(ctx, http.MethodGet, room+"/members?membership=join", nil, nil)
	case 25:
		u.try(ctx, http.MethodGet, room+"/state", nil, nil)
	case 26:
		u.try(ctx, http.MethodGet, fmt.Sprintf("%s/profile/@user%d:localhost", matrix, r.IntN(16)), nil, nil)
	case 27:
		u.try(ctx, http.MethodPost, matrix+"/keys/query", map[string]any{"device_keys": map[string]any{
			fmt.Sprintf("@user%d:localhost", r.IntN(16)): []string{}}}, nil)
	case 28:
		u.try(ctx, http.MethodPost, matrix+"/publicRooms", map[string]any{"limit": 20,
			"filter": map[string]string{"generic_search_term": "Room"}}, nil)
	case 29:
		u.try(ctx, http.MethodPut, matrix+"/user/"+url.PathEscape(u.id)+"/account_data/im.vector.setting",
			map[string]any{"theme": pick(r, words)}, nil)
	case 30:
		u.try(ctx, http.MethodPost, matrix+"/user_directory/search", map[string]any{"limit": 10,
			"search_term": fmt.Sprint("user", r.IntN(9))}, nil)
	default:
		u.upload(ctx, r)
	}
}

// upload sends a file of a few kilobytes and gets it back.
func (u *matrixUser) upload(ctx context.Context, r *rand.Rand) {
	data := make([]byte, 4000+r.IntN(30_000))
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost,
		"http://"+u.on.Addr+"/_matrix/media/v3/upload?filename=a.bin", bytes.NewReader(data))
	if err != nil {
		return
	}
	req.Header.Set("Authorization", "Bearer "+u.token)
	req.Header.Set("Content-Type", "application/octet-stream")
	res, err := u.client.Do(req)
	if err != nil {
		u.on.Seen.Is(ctx.Err() != nil)
		return
	}
	defer res.Body.Close()
	var made struct {
		URI string `json:"content_uri"`
	}
	if err := json.NewDecoder(res.Body).Decode(&made); err != nil || len(made.URI) < 7 {
		u.on.Seen.Is(ctx.Err() != nil)
		return
	}
	u.try(ctx, http.MethodGet, "/_matrix/client/v1/media/download/"+made.URI[len("mxc://"):], nil, nil)
}
