package diagnose

import (
	"strings"
	"testing"

	"github.com/gocasebook/casebook/diagnose/stacks"
)

// TestAwaitsNews: nobody expects a stream or a subscription to end; a call is expected to.
func TestAwaitsNews(t *testing.T) {
	for stack, want := range map[string]bool{
		"google.golang.org/grpc.(*clientStream).RecvMsg " +
			"main.watch": true,
		"google.golang.org/grpc.(*clientStream).RecvMsg google.golang.org/grpc.(*ClientConn).Invoke " +
			"main.ask": false,
		"github.com/redis/go-redis/v9.(*baseClient).process github.com/redis/go-redis/v9.cmdable.BLPop " +
			"main.queue": true,
		"github.com/redis/go-redis/v9.(*baseClient).process github.com/redis/go-redis/v9.cmdable.Get " +
			"main.session": false,
		"github.com/jackc/pgx/v5.(*Conn).WaitForNotification " +
			"main.listen": true,
		"database/sql.(*DB).QueryContext " +
			"main.orders": false,
		// The user's code, called by a stream's.
		"main.watch google.golang.org/grpc.(*clientStream).RecvMsg": false,
	} {
		stackNames := strings.Fields(stack)
		tab := tableOf(t, stackNames...)
		ids := make([]stacks.FrameID, len(stackNames))
		for k, name := range stackNames {
			for id := range tab.Frames {
				if tab.Func(stacks.FrameID(id)).Name == name {
					ids[k] = stacks.FrameID(id)
				}
			}
		}
		if got := awaitsNews(tab, ids); got != want {
			t.Errorf("%s: %v, want %v", stack, got, want)
		}
	}
}
